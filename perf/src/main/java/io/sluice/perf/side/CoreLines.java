package io.sluice.perf.side;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A look at how far apart two cores are at this moment: how long a cache line takes from the one to the other and back.
 * It is taken by the two threads that measure, on their own processors, just before and just after they measure, since
 * a host moves a virtual core whenever it was idle: who looks from outside sees other places than those that count.
 * <p>
 * One thread plays {@link #ping}, which gives the figure, the other one {@link #pong}, in one process or in two, on a
 * pair of lines in a file of the measurement's folder. Each pair serves one look. Whoever comes first waits for the
 * other one without a sleep, and both give up when the other one does not come, or does not answer any more.
 */
final class CoreLines {
    private static final String FILE = "cores";
    private static final int PAGE_LENGTH = 4096;
    private static final int PAGES = 2;
    private static final int PING_OFFSET = 0;
    /** The offset of the pong line, apart from the ping line, since adjacent lines are fetched in pairs. */
    private static final int PONG_OFFSET = 1024;
    /**
     * The number of measured batches, so short that a thread which loses its processor now and then spoils few of them.
     */
    private static final int BATCHES = 1001;
    /**
     * The number of batches before those: until the loops are compiled, which in a young process waits for other
     * methods.
     */
    private static final int WARM_UP_BATCHES = 1000;
    private static final int ROUND_TRIPS_PER_BATCH = 200;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    /** Spins between looks at the clock: some milliseconds. A power of two. */
    private static final int SPINS_PER_LOOK = 1 << 16;

    /** Values of a line; what is passed back and forth counts from {@link #FIRST}. */
    private static final long ABSENT = 0;
    private static final long FIRST = 1;
    private static final long END = -1;
    private static final long ABANDONED = -2;

    private final UnsafeBuffer lines;
    private final long limitNs;

    /**
     * Maps one of the pairs in the folder's file, which whoever comes first creates.
     *
     * @param folder  of the measurement.
     * @param page    of the pair, from 0.
     * @param limitNs to wait for the other side at most.
     */
    CoreLines(final Path folder, final int page, final long limitNs) {
        this.limitNs = limitNs;
        try (FileChannel file = FileChannel.open(
            folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // always the whole, since two who give the file different lengths at a time could cut off the other's page
            lines = new UnsafeBuffer(
                file.map(MapMode.READ_WRITE, 0, (long) PAGES * PAGE_LENGTH), page * PAGE_LENGTH, PAGE_LENGTH);
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot map the cores' lines: folder=" + folder, ex);
        }
    }

    /** {@return the lines for the look before the measurement in a folder} */
    static CoreLines before(final Path folder) {
        return new CoreLines(folder, 0, LIMIT_NS);
    }

    /** {@return the lines for the look after the measurement in a folder} */
    static CoreLines after(final Path folder) {
        return new CoreLines(folder, 1, LIMIT_NS);
    }

    /**
     * Measures a round trip. Takes some tens of milliseconds from when both are there.
     *
     * @param attend to do again and again until the other side is there.
     * @return nanoseconds of a round trip: median over batches of the mean, which a passing disturbance does not move.
     * @throws IllegalStateException when the other side gave up, did not come or stopped to answer.
     */
    double ping(final Runnable attend) {
        long value = FIRST;
        lines.putLongRelease(PING_OFFSET, value);
        requireThere(awaitOther(PONG_OFFSET, attend));
        for (int batch = 0; batch < WARM_UP_BATCHES; batch++) {
            value = pingBatch(value);
        }
        final double[] meansNs = new double[BATCHES];
        for (int batch = 0; batch < BATCHES; batch++) {
            final long startNs = System.nanoTime();
            value = pingBatch(value);
            meansNs[batch] = (double) (System.nanoTime() - startNs) / ROUND_TRIPS_PER_BATCH;
        }
        lines.putLongRelease(PING_OFFSET, END);
        Arrays.sort(meansNs);
        return meansNs[BATCHES / 2];
    }

    /** Runs a batch, in a method of its own, so that the compiler gets to it within the first batches. */
    private long pingBatch(final long firstValue) {
        long value = firstValue;
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH; i++) {
            final long answered = value;
            lines.putLongRelease(PING_OFFSET, ++value);
            requireThere(awaitChange(PONG_OFFSET, answered));
        }
        return value;
    }

    /**
     * Answers until the other side has measured.
     *
     * @param attend to do again and again until the other side is there.
     * @throws IllegalStateException when the other side gave up, did not come or stopped to ask.
     */
    void pong(final Runnable attend) {
        long known = awaitOther(PING_OFFSET, attend);
        requireThere(known);
        lines.putLongRelease(PONG_OFFSET, known);
        while (known >= FIRST) {
            known = pongBatch(known);
        }
        requireThere(known);
    }

    private long pongBatch(final long firstKnown) {
        long known = firstKnown;
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH && known >= FIRST; i++) {
            known = awaitChange(PING_OFFSET, known);
            lines.putLongRelease(PONG_OFFSET, known);
        }
        return known;
    }

    /** Gives the lines up, so that the other side does not wait for a look at them. */
    void abandon() {
        lines.putLongRelease(PING_OFFSET, ABANDONED);
        lines.putLongRelease(PONG_OFFSET, ABANDONED);
    }

    /** Waits for the other side, which until then may need what this one does, and their systems the processor. */
    private long awaitOther(final int offset, final Runnable attend) {
        final long startNs = System.nanoTime();
        long value = lines.getLongAcquire(offset);
        while (value == ABSENT) {
            if (System.nanoTime() - startNs > limitNs) {
                throw givenUp("for the other side to come to it");
            }
            attend.run();
            Thread.yield();
            value = lines.getLongAcquire(offset);
        }
        return value;
    }

    /**
     * Spins until a line changes. The spins are counted in a variable, not in a field, which two threads of one process
     * could have in one cache line.
     */
    private long awaitChange(final int offset, final long known) {
        long firstLookNs = 0;
        long value = lines.getLongAcquire(offset);
        for (int spins = 1; value == known; spins++) {
            if ((spins & (SPINS_PER_LOOK - 1)) == 0) {
                firstLookNs = look(firstLookNs);
            }
            Thread.onSpinWait();
            value = lines.getLongAcquire(offset);
        }
        return value;
    }

    /** {@return the time of the first look at the clock} */
    private long look(final long firstLookNs) {
        final long nowNs = System.nanoTime();
        if (firstLookNs == 0) {
            return nowNs;
        }
        if (nowNs - firstLookNs > limitNs) {
            throw givenUp("for the other side to go on with it");
        }
        return firstLookNs;
    }

    private void requireThere(final long value) {
        if (value == ABANDONED) {
            throw new IllegalStateException("no look at the cores: the other side has given up");
        }
    }

    private IllegalStateException givenUp(final String awaited) {
        abandon();
        return new IllegalStateException(
            "no look at the cores: waited " + TimeUnit.NANOSECONDS.toMillis(limitNs) + " ms " + awaited);
    }
}
