package io.sluice.transport.status;

import io.sluice.environment.Environment;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.transport.layout.StatusLayout;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersReader;

/**
 * Reads what the transports of a shared folder show of themselves. Any thread. The files belong to other processes,
 * which write, die and clean up meanwhile: nothing in them is believed unchecked, and what does not make sense is left
 * out.
 */
public final class StatusReader {
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}]");
    private static final Pattern CONTROLS_BUT_LINE_ENDS_AND_TABS = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");

    private static final VarHandle EIGHT_BYTES =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long EIGHT_ONES = 0x0101_0101_0101_0101L;
    private static final long EIGHT_SPACES = EIGHT_ONES * ' ';
    private static final long HIGHEST_BITS = EIGHT_ONES << 7;

    /** The key of what has none of its own. */
    private static final UnsafeBuffer NO_KEY = new UnsafeBuffer(new byte[0]);

    private final SharedFiles files;
    private final Path parent;

    /**
     * A reader.
     *
     * @param environment door to the machine.
     * @param directory   the shared folder.
     */
    public StatusReader(final Environment environment, final Path directory) {
        files = environment.files();
        parent = directory.resolve(StatusLayout.FOLDER);
    }

    /**
     * Read all transports, the dead ones included whose files nobody has removed yet.
     *
     * @param skipped told in one line of each folder, or file of errors, that cannot be read.
     * @return one status for each transport, ordered by name of folder; empty when the folder does not exist.
     * @throws IOException when the shared folder cannot be listed; the message names the path.
     */
    public List<TransportStatus> read(final Consumer<String> skipped) throws IOException {
        final List<TransportStatus> all = new ArrayList<>();
        for (final Path folder : files.list(parent)) {
            if (StatusLayout.isTransportFolder(folder)) {
                try {
                    all.add(read(folder, skipped));
                } catch (final IOException | RuntimeException ex) {
                    skip(folder, ex.getMessage(), skipped);
                } catch (final InternalError ex) {
                    // the JVM's word for a page of mapped memory that its file does not have any more
                    skip(folder, "a file was cut while it was read: " + ex.getMessage(), skipped);
                }
            }
        }
        return all;
    }

    /** Tells of a folder, unless it is gone by now: its process has closed it, or somebody has cleaned up. */
    private void skip(final Path folder, final String reason, final Consumer<String> skipped) throws IOException {
        if (files.list(parent).contains(folder)) {
            skipped.accept(folder + ": " + reason);
        }
    }

    private TransportStatus read(final Path folder, final Consumer<String> skipped) throws IOException {
        try (MappedMemory memory = files.view(
            folder.resolve(StatusLayout.COUNTERS), StatusLayout.countersLength(StatusLayout.MAX_CAPACITY))) {
            if (memory.length() < StatusLayout.HEADER_LENGTH) {
                throw new IOException("not a counters file: length=" + memory.length());
            }
            final UnsafeBuffer header = new UnsafeBuffer(memory.address(), StatusLayout.HEADER_LENGTH);
            final boolean isAlive = files.isLocked(folder.resolve(StatusLayout.LOCK));
            requireOwnVersion(header, StatusLayout.processIdOf(folder), isAlive);
            final int capacity = capacity(header, memory.length());
            final int nameLength = header.getInt(StatusLayout.NAME_LENGTH_OFFSET);
            final byte[] name = new byte[Math.clamp(nameLength, 0, StatusLayout.MAX_NAME_LENGTH)];
            header.getBytes(StatusLayout.NAME_OFFSET, name);
            return new TransportStatus(
                folder,
                isAlive,
                StatusLayout.processIdOf(folder),
                withoutControls(name, name.length),
                header.getLong(StatusLayout.STARTED_OFFSET),
                header.getLongAcquire(StatusLayout.REFRESHED_OFFSET),
                header.getLong(StatusLayout.ID_HIGH_OFFSET),
                header.getLong(StatusLayout.ID_LOW_OFFSET),
                counters(memory.address() + StatusLayout.HEADER_LENGTH, capacity),
                errors(folder, skipped));
        }
    }

    /** Requires what comes first in the files of all versions. Folder and lock tell whose file it is, and its state. */
    private static void requireOwnVersion(final UnsafeBuffer header, final long processId, final boolean isAlive)
        throws IOException {
        final long magic = header.getLongAcquire(StatusLayout.MAGIC_OFFSET);
        final int version = header.getInt(StatusLayout.VERSION_OFFSET);
        if (magic != StatusLayout.MAGIC) {
            throw new IOException("not a counters file: magic=" + Long.toHexString(magic));
        }
        if (version != StatusLayout.VERSION) {
            throw new IOException("counters of " + (version > StatusLayout.VERSION ? "a newer" : "an older")
                + " Sluice than this one: version=" + version + " own=" + StatusLayout.VERSION + " pid=" + processId
                + (isAlive ? ": look at them with the tools of the Sluice that the process runs"
                    : ": the process has ended, and the next transport that is launched here removes them"));
        }
    }

    private static int capacity(final UnsafeBuffer header, final long length) throws IOException {
        final int capacity = header.getInt(StatusLayout.CAPACITY_OFFSET);
        if (capacity < 1 || capacity > StatusLayout.MAX_CAPACITY || length != StatusLayout.countersLength(capacity)) {
            throw new IOException("not a counters file: capacity=" + capacity + " length=" + length);
        }
        return capacity;
    }

    private static List<CounterReading> counters(final long address, final int capacity) {
        final int metadataLength = StatusLayout.metadataLength(capacity);
        final CountersReader reader = new CountersReader(
            new UnsafeBuffer(address, metadataLength),
            new UnsafeBuffer(address + metadataLength, StatusLayout.valuesLength(capacity)),
            StandardCharsets.UTF_8);
        final List<CounterReading> readings = new ArrayList<>();
        final byte[] label = new byte[CountersReader.MAX_LABEL_LENGTH];
        for (int id = 0; id < capacity; id++) {
            final int state = reader.getCounterState(id);
            if (state == CountersReader.RECORD_UNUSED) {
                break;
            }
            final CounterReading reading = state == CountersReader.RECORD_ALLOCATED ? counter(reader, id, label) : null;
            if (reading != null) {
                readings.add(reading);
            }
        }
        return List.copyOf(readings);
    }

    /** A counter, or null when it is of an unknown type or was freed while it was read. Its label is copied first. */
    private static CounterReading counter(final CountersReader reader, final int id, final byte[] label) {
        final long registrationId = reader.getCounterRegistrationId(id);
        final int typeId = reader.getCounterTypeId(id);
        final CounterType type = CounterType.of(typeId);
        final AtomicBuffer metadata = reader.metaDataBuffer();
        final int offset = CountersReader.metaDataOffset(id);
        final int length = Math.clamp(
            metadata.getIntVolatile(offset + CountersReader.LABEL_OFFSET), 0, CountersReader.MAX_LABEL_LENGTH);
        metadata.getBytes(offset + CountersReader.LABEL_OFFSET + Integer.BYTES, label, 0, length);
        final CounterKey key;
        final UnsafeBuffer ownKey;
        if (type == CounterType.APPLICATION) {
            key = new CounterKey(registrationId, 0, 0, 0, 0, 0, 0);
            ownKey = new UnsafeBuffer(new byte[CountersReader.MAX_KEY_LENGTH]);
            metadata.getBytes(offset + CountersReader.KEY_OFFSET, ownKey, 0, CountersReader.MAX_KEY_LENGTH);
        } else {
            key = CounterKey.read(metadata, offset + CountersReader.KEY_OFFSET);
            ownKey = NO_KEY;
        }
        final long value = reader.getCounterValue(id);
        final boolean isSame = reader.getCounterState(id) == CountersReader.RECORD_ALLOCATED
            && reader.getCounterRegistrationId(id) == registrationId;
        return type == null || !isSame
            ? null
            : new CounterReading(type, typeId, key, ownKey, withoutControls(label, length), value);
    }

    /** Reads the errors as far as they can be read: without them the counters are still worth showing. */
    private List<ErrorReading> errors(final Path folder, final Consumer<String> skipped) {
        try (MappedMemory memory = files.view(folder.resolve(StatusLayout.ERRORS), StatusLayout.MAX_ERRORS_LENGTH)) {
            return errors(new UnsafeBuffer(memory.address(), (int) memory.length()));
        } catch (final IOException ex) {
            if (!(ex instanceof NoSuchFileException)) {
                skipped.accept(folder.resolve(StatusLayout.ERRORS) + ": " + ex.getMessage());
            }
            return List.of();
        }
    }

    private static List<ErrorReading> errors(final AtomicBuffer buffer) {
        final List<ErrorReading> readings = new ArrayList<>();
        int offset = 0;
        while (offset + DistinctErrorLog.ENCODED_ERROR_OFFSET <= buffer.capacity()) {
            final int length = buffer.getIntVolatile(offset + DistinctErrorLog.LENGTH_OFFSET);
            if (length < DistinctErrorLog.ENCODED_ERROR_OFFSET || length > buffer.capacity() - offset) {
                break;
            }
            final ErrorReading reading = error(buffer, offset, length);
            if (reading != null) {
                readings.add(reading);
            }
            offset += BitUtil.align(length, DistinctErrorLog.RECORD_ALIGNMENT);
        }
        return List.copyOf(readings);
    }

    /** An error, or null when another one takes its place while it is read. */
    private static ErrorReading error(final AtomicBuffer buffer, final int offset, final int length) {
        final int count = buffer.getIntVolatile(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET);
        final long firstMs = buffer.getLong(offset + DistinctErrorLog.FIRST_OBSERVATION_TIMESTAMP_OFFSET);
        final long lastMs = buffer.getLong(offset + DistinctErrorLog.LAST_OBSERVATION_TIMESTAMP_OFFSET);
        final byte[] text = new byte[length - DistinctErrorLog.ENCODED_ERROR_OFFSET];
        buffer.getBytes(offset + DistinctErrorLog.ENCODED_ERROR_OFFSET, text);
        VarHandle.acquireFence();
        final boolean isSame = count > 0
            && buffer.getIntVolatile(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET) >= count
            && buffer.getLong(offset + DistinctErrorLog.FIRST_OBSERVATION_TIMESTAMP_OFFSET) == firstMs;
        return isSame ? new ErrorReading(count, firstMs, lastMs, withoutPadding(
            CONTROLS_BUT_LINE_ENDS_AND_TABS.matcher(new String(text, StandardCharsets.UTF_8)).replaceAll("?"))) : null;
    }

    /** Removes the spaces that records which others may take the place of are filled up with. */
    private static String withoutPadding(final String text) {
        int length = text.length();
        while (length > 0 && text.charAt(length - 1) == ' ') {
            length--;
        }
        return text.substring(0, length);
    }

    /** Makes text of others, without control characters: it must not drive the reader's terminal. */
    private static String withoutControls(final byte[] text, final int length) {
        return isPrintableAscii(text, length) ? new String(text, 0, length, StandardCharsets.ISO_8859_1)
            : CONTROLS.matcher(new String(text, 0, length, StandardCharsets.UTF_8)).replaceAll("?");
    }

    /**
     * Nearly every label is, and a look at ten thousand of them is not to take as long as a search by pattern. Eight
     * bytes at a time: the highest bit of each is set as soon as it is no such character; a carry from one to the next
     * comes from those only.
     */
    private static boolean isPrintableAscii(final byte[] text, final int length) {
        long differences = 0;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            final long eight = (long) EIGHT_BYTES.get(text, i);
            differences |= eight | eight + EIGHT_ONES | eight - EIGHT_SPACES;
        }
        for (; i < length; i++) {
            differences |= text[i] - ' ' | '~' - text[i];
        }
        return (differences & HIGHEST_BITS) == 0;
    }

    @Override
    public String toString() {
        return "StatusReader{folder=" + parent + "}";
    }
}
