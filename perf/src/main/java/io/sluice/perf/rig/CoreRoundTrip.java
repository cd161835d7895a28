package io.sluice.perf.rig;

import io.sluice.os.CpuAffinity;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How long a cache line takes from one core to another and back at this moment: two pinned threads, one line each way.
 * A host moves virtual cores about, so this changes by a factor of up to four between minutes, and every figure with
 * it.
 *
 * @param medianNs median over batches of the mean round trip, which a passing disturbance does not move.
 */
public record CoreRoundTrip(double medianNs) {
    /**
     * The same state of the machine gives the same figure within a fifth; other states of it were seen at twice and at
     * four times the figure.
     */
    private static final double SAME_STATE_FACTOR = 1.5;
    /** So short that a thread which loses its processor now and then spoils few of them. */
    private static final int BATCHES = 1001;
    private static final int ROUND_TRIPS_PER_BATCH = 200;
    /** Apart, since adjacent lines are fetched in pairs. */
    private static final int PONG_OFFSET = 1024;
    private static final int MEMORY_LENGTH = 4096;
    private static final long STOP = -1;

    /**
     * Whether the cores were as far apart when another was measured.
     *
     * @param other round trip.
     * @return true when the two are of one state of the machine.
     */
    public boolean isLike(final CoreRoundTrip other) {
        return Math.max(medianNs, other.medianNs) <= SAME_STATE_FACTOR * Math.min(medianNs, other.medianNs);
    }

    /**
     * Measure. Takes some tens of milliseconds and starts two threads, so that the caller's is not pinned.
     *
     * @param firstCpu  of one thread.
     * @param secondCpu of the other.
     * @return the round trip.
     * @throws InterruptedException when the caller is interrupted.
     */
    public static CoreRoundTrip measure(final int firstCpu, final int secondCpu) throws InterruptedException {
        final UnsafeBuffer lines = new UnsafeBuffer(BufferUtil.allocateDirectAligned(MEMORY_LENGTH, MEMORY_LENGTH));
        final double[] meansNs = new double[BATCHES];
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread ping = start("core-ping", firstCpu, failure, lines, () -> ping(lines, meansNs));
        final Thread pong = start("core-pong", secondCpu, failure, lines, () -> pong(lines));
        ping.join();
        pong.join();
        if (failure.get() != null) {
            throw new IllegalStateException("cannot measure the cores' round trip", failure.get());
        }
        Arrays.sort(meansNs);
        return new CoreRoundTrip(meansNs[BATCHES / 2]);
    }

    private static Thread start(
        final String name,
        final int cpu,
        final AtomicReference<Throwable> failure,
        final UnsafeBuffer lines,
        final Runnable work) {
        final Thread thread = new Thread(
            () -> {
                try {
                    CpuAffinity.pin(cpu);
                    work.run();
                } catch (final RuntimeException ex) {
                    failure.compareAndSet(null, ex);
                    lines.putLongRelease(0, STOP);
                    lines.putLongRelease(PONG_OFFSET, STOP);
                }
            },
            name);
        thread.start();
        return thread;
    }

    private static void ping(final UnsafeBuffer lines, final double[] meansNs) {
        long value = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            final long startNs = System.nanoTime();
            value = ping(lines, value);
            meansNs[batch] = (double) (System.nanoTime() - startNs) / ROUND_TRIPS_PER_BATCH;
        }
        lines.putLongRelease(0, STOP);
    }

    /** A method of its own, so that the compiler gets to it within the first batches. */
    private static long ping(final UnsafeBuffer lines, final long firstValue) {
        long value = firstValue;
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH; i++) {
            lines.putLongRelease(0, ++value);
            long answer = lines.getLongAcquire(PONG_OFFSET);
            while (answer != value && answer != STOP) {
                Thread.onSpinWait();
                answer = lines.getLongAcquire(PONG_OFFSET);
            }
        }
        return value;
    }

    private static void pong(final UnsafeBuffer lines) {
        long known = 0;
        while (known != STOP) {
            known = pong(lines, known);
        }
    }

    private static long pong(final UnsafeBuffer lines, final long firstKnown) {
        long known = firstKnown;
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH && known != STOP; i++) {
            long value = lines.getLongAcquire(0);
            while (value == known) {
                Thread.onSpinWait();
                value = lines.getLongAcquire(0);
            }
            known = value;
            lines.putLongRelease(PONG_OFFSET, value);
        }
        return known;
    }
}
