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
import java.util.List;
import java.util.stream.Stream;

/**
 * A journal as the judging process reads it.
 */
public final class Journal implements AutoCloseable {
    /** Positions in a journal are 32 bits of 32-byte units. */
    static final long MAX_POSITION = 1L << 37;

    private final Arena arena = Arena.ofShared();
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

    /** The journals of a folder whose names begin so, in the order of their names. */
    public static List<Journal> openAll(final Path folder, final String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)
                && file.toString().endsWith(".journal")).sorted().map(Journal::new).toList();
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
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
        return file.getFileName() + "{publicationId=" + publicationId() + " streamId=" + streamId() + " firstPosition="
            + firstPosition() + " records=" + records + " first=" + describe(0) + " last="
            + describe(records - 1) + "}";
    }
}
