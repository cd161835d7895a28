package io.sluice.transport.harness;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A journal as the judging process reads it. The thread that opened it.
 */
public final class Journal implements AutoCloseable {
    /** Positions in a journal are 32 bits of 32-byte units. */
    static final long MAX_POSITION = 1L << 37;

    private final Arena arena = Arena.ofConfined();
    private final Path file;
    private final MemorySegment bytes;
    private final int records;

    private Journal(final Path file) {
        this.file = file;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        } catch (final IOException ex) {
            throw new AssertionError("cannot read journal " + file, ex);
        }
        records = count();
    }

    public static Journal open(final Path file) {
        return new Journal(file);
    }

    /**
     * The journals of a folder whose names begin so, in the order of their names; without those that a process was
     * about to begin when it was killed, or is just now.
     */
    public static List<Journal> openAll(final Path folder, final String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)
                && file.toString().endsWith(".journal") && hasBegun(file)).sorted().map(Journal::new).toList();
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Whether there is a journal with a header. */
    static boolean hasBegun(final Path file) {
        return file.toFile().length() >= JournalWriter.HEADER_LENGTH;
    }

    static String fileName(final String publisher, final int writer, final int writers) {
        return publisher + (writers == 1 ? "" : "." + writer) + ".journal";
    }

    /**
     * The journal of a publisher that has ended. Those of several writers are put together in the order of positions,
     * which shows a position that was given twice.
     */
    static Journal ofPublisher(final Path folder, final String name) {
        final Path file = folder.resolve(name + ".journal");
        if (!Files.exists(file)) {
            merge(openAll(folder, name + "."), file);
        }
        return open(file);
    }

    private static void merge(final List<Journal> parts, final Path file) {
        final List<long[]> order = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            final Journal part = parts.get(i);
            for (int record = 0; record < part.records(); record++) {
                final long previous = record == 0 ? 0 : part.position(record - 1);
                if (part.position(record) <= previous) {
                    throw new AssertionError(
                        "positions of a writer do not grow: previous=" + previous + " " + part.describe(record));
                }
                order.add(new long[] {part.position(record), i, record});
            }
        }
        order.sort(Comparator.comparingLong(record -> record[0]));
        final Journal first = parts.getFirst();
        try (JournalWriter writer = new JournalWriter(file, first.publicationId(), first.streamId(), 0)) {
            writer.sessionId(first.sessionId());
            long last = 0;
            for (final long[] at : order) {
                final Journal part = parts.get((int) at[1]);
                final int record = (int) at[2];
                if (at[0] == last) {
                    throw new AssertionError("a position was given twice: " + part.describe(record));
                }
                last = at[0];
                writer.write(part.sequence(record), part.length(record), part.checksum(record), last);
            }
        }
        parts.forEach(Journal::close);
    }

    private int count() {
        int low = 0;
        int high = (int) ((bytes.byteSize() - JournalWriter.HEADER_LENGTH) / JournalWriter.RECORD_LENGTH);
        while (low < high) {
            final int middle = low + high >>> 1;
            if (lengthWord(middle) != 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int word(final int record, final int index) {
        return bytes.get(
            ValueLayout.JAVA_INT_UNALIGNED,
            JournalWriter.HEADER_LENGTH + (long) record * JournalWriter.RECORD_LENGTH + (long) index * Integer.BYTES);
    }

    private int lengthWord(final int record) {
        return word(record, 1);
    }

    public int publicationId() {
        return bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    public int streamId() {
        return bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
    }

    public int sessionId() {
        return bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 16);
    }

    public long firstPosition() {
        return bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 8);
    }

    public int records() {
        return records;
    }

    int sequence(final int record) {
        return word(record, 0);
    }

    int length(final int record) {
        return lengthWord(record) - 1;
    }

    /** The position behind the message, or 0 when it is not known that it was sent. */
    long position(final int record) {
        return (word(record, 2) & 0xFFFF_FFFFL) << JournalWriter.POSITION_SHIFT;
    }

    int checksum(final int record) {
        return word(record, 3);
    }

    String describe(final int record) {
        return record < 0 || record >= records ? "none" : "{sequence=" + sequence(record) + " length=" + length(record)
            + " position=" + position(record) + " checksum=" + Integer.toHexString(checksum(record)) + "}";
    }

    @Override
    public void close() {
        arena.close();
    }

    @Override
    public String toString() {
        return file.getFileName() + "{publicationId=" + publicationId() + " streamId=" + streamId() + " sessionId="
            + sessionId() + " firstPosition=" + firstPosition() + " records=" + records + " first=" + describe(0)
            + " last=" + describe(records - 1) + "}";
    }
}
