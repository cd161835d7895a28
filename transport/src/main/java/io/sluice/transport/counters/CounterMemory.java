package io.sluice.transport.counters;

import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.transport.layout.StatusLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * A counters file: long enough for all counters that there may be, and filled with memory as they come, since most
 * transports have few. Always so many more than are used are filled that links, which stop first when the disk is full,
 * leave some to the rest. Conductor, but for {@link #create} and {@link #close}.
 */
final class CounterMemory implements AutoCloseable {
    /** Counters that memory is added for at once, 320 KB: written within a fraction of a millisecond. */
    static final int STEP = 512;

    /** Counters with memory that are not used yet, at least. */
    private static final int AHEAD = StatusLayout.FIRST_CAPACITY / 4;

    /** The time after which a disk that was full is tried again. */
    private static final long RETRY_MS = 1000;

    private final SharedFiles files;
    private final Path file;
    private final LongSupplier clockMs;
    private final MappedMemory memory;
    private int filled = StatusLayout.FIRST_CAPACITY;
    /** Counters used so far, also those that were given back. */
    private int used;
    private boolean isDiskFull;
    private long retryMs;

    private CounterMemory(
        final SharedFiles files, final Path file, final LongSupplier clockMs, final MappedMemory memory) {
        this.files = files;
        this.file = file;
        this.clockMs = clockMs;
        this.memory = memory;
    }

    /**
     * Make the file, with memory for the first counters.
     *
     * @param clockMs that does not go back.
     * @throws IOException when there is no room.
     */
    static CounterMemory create(final SharedFiles files, final Path file, final LongSupplier clockMs)
        throws IOException {
        final MappedMemory memory = files.createSparse(file, StatusLayout.countersLength(StatusLayout.CAPACITY));
        try {
            files.fill(file, 0, StatusLayout.HEADER_LENGTH);
            fill(files, file, 0, StatusLayout.FIRST_CAPACITY);
            return new CounterMemory(files, file, clockMs, memory);
        } catch (final Throwable ex) {
            memory.close();
            throw ex;
        }
    }

    /** Fills the metadata of some counters and their values. */
    private static void fill(final SharedFiles files, final Path file, final int first, final int count)
        throws IOException {
        files.fill(file, StatusLayout.metadataOffset(first), StatusLayout.metadataLength(count));
        files.fill(file, StatusLayout.valueOffset(first, StatusLayout.CAPACITY), StatusLayout.valuesLength(count));
    }

    long address() {
        return memory.address();
    }

    /** {@return the counters that there may be} Fewer while the disk is full. */
    int capacity() {
        return isDiskFull ? filled : StatusLayout.CAPACITY;
    }

    /**
     * Sees to it that there is memory for what comes next.
     *
     * @param free counters, with or without memory.
     * @return how many of them may be used.
     */
    int room(final int free) {
        while (filled - used < AHEAD && filled < StatusLayout.CAPACITY
            && !(isDiskFull && clockMs.getAsLong() - retryMs < 0)) {
            grow();
        }
        // a reader looks at one more than is used
        return isDiskFull ? Math.max(0, free - (StatusLayout.CAPACITY - filled) - 1) : free;
    }

    private void grow() {
        try {
            fill(files, file, filled, STEP);
            filled += STEP;
            isDiskFull = false;
        } catch (final IOException ex) {
            // whoever gets no counters is told so; nothing is lost but those
            isDiskFull = true;
            retryMs = clockMs.getAsLong() + RETRY_MS;
        }
    }

    /** Notes that a counter is used. */
    void onUsed(final int id) {
        used = Math.max(used, id + 1);
    }

    @Override
    public void close() {
        memory.close();
    }
}
