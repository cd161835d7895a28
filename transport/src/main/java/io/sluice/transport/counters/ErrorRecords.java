package io.sluice.transport.counters;

import io.sluice.transport.layout.StatusLayout;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.errors.DistinctErrorLog;

/**
 * Distinct errors in the form of Agrona's distinct error log, which its readers read. Errors are the same when they
 * differ in nothing but what changes each time, see {@link FailureKind}; the text is that of the first. What strangers
 * cause has a share of its own, in which the record seen longest ago makes room for the next: they take no room from
 * other errors, nor those from them. One thread at a time.
 */
final class ErrorRecords {
    /**
     * The number of records kept of what strangers cause: more than somebody looks at, in less than a fifth of the
     * file.
     */
    static final int STRANGERS = 48;
    /**
     * The length in bytes of a stranger's record, one for all, so that one takes the place of another: a line, as their
     * stack tells nothing of them.
     */
    static final int STRANGER_LENGTH = 512;

    /** The room in bytes for the records of all own errors together. */
    static final int OWN_LENGTH = StatusLayout.ERRORS_LENGTH - STRANGERS * STRANGER_LENGTH;

    private static final int TEXT_OFFSET = DistinctErrorLog.ENCODED_ERROR_OFFSET;
    /** The number of causes that are looked at: causes have causes, and somebody's exceptions may even be in a ring. */
    private static final int MAX_CAUSES = 16;

    private record Kind(List<String> texts, List<StackTraceElement> places) {
    }

    private final AtomicBuffer buffer;
    private final EpochClock clock;
    private final Map<Kind, Integer> own = new HashMap<>();
    private final LinkedHashMap<String, Integer> strangers = new LinkedHashMap<>(STRANGERS, 1, true);
    private int ownLength;
    private int end;

    /** Creates records without an error, in a buffer of zeros as long as an errors' file. */
    ErrorRecords(final AtomicBuffer buffer, final EpochClock clock) {
        this.buffer = buffer;
        this.clock = clock;
    }

    /** {@return false when there is no room for one that is new} */
    boolean record(final Throwable error) {
        final Kind kind = kindOf(error);
        final Integer known = own.get(kind);
        if (known != null) {
            countAt(known);
            return true;
        }
        final byte[] text = stackOf(error);
        final int length = BitUtil.align(TEXT_OFFSET + text.length, DistinctErrorLog.RECORD_ALIGNMENT);
        if (length > OWN_LENGTH - ownLength) {
            return false;
        }
        ownLength += length;
        own.put(kind, end);
        append(text, length);
        return true;
    }

    /** Records an error that strangers cause as often as they like. */
    void recordOfStranger(final Throwable error) {
        final String kind = FailureKind.of(error.toString());
        final Integer known = strangers.get(kind);
        if (known != null) {
            countAt(known);
        } else if (strangers.size() < STRANGERS) {
            strangers.put(kind, end);
            append(lineOf(error), STRANGER_LENGTH);
        } else {
            final int freed = strangers.pollFirstEntry().getValue();
            strangers.put(kind, freed);
            replace(freed, lineOf(error));
        }
    }

    /**
     * Appends a record for other processes, which read meanwhile up to a length of 0: that is written when the rest is.
     */
    private void append(final byte[] text, final int length) {
        buffer.putBytes(end + TEXT_OFFSET, text);
        begin(end);
        buffer.putIntRelease(end + DistinctErrorLog.LENGTH_OFFSET, TEXT_OFFSET + text.length);
        end += length;
    }

    /** Replaces a record: a process that reads it meanwhile finds that it was never seen, or sees the count change. */
    private void replace(final int offset, final byte[] text) {
        buffer.putIntVolatile(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET, 0);
        VarHandle.storeStoreFence();
        buffer.putBytes(offset + TEXT_OFFSET, text);
        begin(offset);
    }

    private void begin(final int offset) {
        final long nowMs = clock.time();
        buffer.putLong(offset + DistinctErrorLog.FIRST_OBSERVATION_TIMESTAMP_OFFSET, nowMs);
        buffer.putLong(offset + DistinctErrorLog.LAST_OBSERVATION_TIMESTAMP_OFFSET, nowMs);
        buffer.putIntRelease(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET, 1);
    }

    private void countAt(final int offset) {
        buffer.getAndAddInt(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET, 1);
        buffer.putLongRelease(offset + DistinctErrorLog.LAST_OBSERVATION_TIMESTAMP_OFFSET, clock.time());
    }

    private static Kind kindOf(final Throwable error) {
        final List<String> texts = new ArrayList<>();
        final List<StackTraceElement> places = new ArrayList<>();
        Throwable each = error;
        for (int i = 0; each != null && i < MAX_CAUSES; i++) {
            texts.add(each.getClass().getName() + " " + FailureKind.of(String.valueOf(each.getMessage())));
            places.addAll(Arrays.asList(each.getStackTrace()));
            each = each.getCause();
        }
        return new Kind(texts, places);
    }

    private static byte[] stackOf(final Throwable error) {
        final StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The line of an error, cut between two characters or filled up with spaces to the length of all. */
    private static byte[] lineOf(final Throwable error) {
        final byte[] encoded = error.toString().getBytes(StandardCharsets.UTF_8);
        final byte[] line = Arrays.copyOf(encoded, STRANGER_LENGTH - TEXT_OFFSET);
        int length = Math.min(encoded.length, line.length);
        while (length < encoded.length && length > 0 && (encoded[length] & 0xc0) == 0x80) {
            length--;
        }
        Arrays.fill(line, length, line.length, (byte) ' ');
        return line;
    }
}
