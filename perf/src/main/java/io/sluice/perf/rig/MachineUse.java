package io.sluice.perf.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The processor time that has been used up to a moment, by everybody and by this process with the processes it has seen
 * end. Where the system does not tell, nobody uses any.
 *
 * @param busyTicks  of all processors since the machine started, time taken by its host included.
 * @param totalTicks of all processors, idle time included.
 * @param ownTicks   of this process and of those it has started and seen end.
 */
public record MachineUse(long busyTicks, long totalTicks, long ownTicks) {
    private static final Path SYSTEM = Path.of("/proc/stat");
    private static final Path SELF = Path.of("/proc/self/stat");
    /**
     * The last field to sum of the first line of {@code /proc/stat}: a name, user, nice, system, idle, waiting for
     * input or output, irq, softirq, steal.
     */
    private static final int LAST_SYSTEM_FIELD = 8;
    private static final int IDLE_FIELD = 4;
    private static final int WAIT_FIELD = 5;
    /**
     * The first field to sum behind the name in parentheses in {@code /proc/self/stat}: user, system, and both of the
     * children.
     */
    private static final int FIRST_OWN_FIELD = 12;
    private static final int LAST_OWN_FIELD = 15;
    /**
     * The time over which use is counted: the system counts in ticks of 10 ms, and this is 60 of them on two
     * processors.
     */
    private static final long QUIET_WINDOW_MS = 300;
    /** The share of one processor that others may use at a moment that counts as quiet. */
    private static final double QUIET_SHARE = 0.1;

    static MachineUse now() {
        if (!Files.isReadable(SYSTEM) || !Files.isReadable(SELF)) {
            return new MachineUse(0, 0, 0);
        }
        try {
            final String[] system = Files.readAllLines(SYSTEM).getFirst().split(" +");
            final String self = Files.readString(SELF);
            final String[] own = self.substring(self.lastIndexOf(')') + 1).split(" +");
            final long total = sum(system, 1, LAST_SYSTEM_FIELD);
            return new MachineUse(
                total - sum(system, IDLE_FIELD, WAIT_FIELD), total, sum(own, FIRST_OWN_FIELD, LAST_OWN_FIELD));
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read " + SYSTEM + " or " + SELF, ex);
        }
    }

    private static long sum(final String[] fields, final int first, final int last) {
        long sum = 0;
        for (int i = first; i <= last; i++) {
            sum += Long.parseLong(fields[i]);
        }
        return sum;
    }

    /** The use by others from an earlier moment to this one, in processors: 0.5 is half of one all the time. */
    double othersSince(final MachineUse earlier) {
        final long total = totalTicks - earlier.totalTicks;
        final long others = busyTicks - earlier.busyTicks - (ownTicks - earlier.ownTicks);
        return total == 0 ? 0 : Math.max(0, others) * (double) Runtime.getRuntime().availableProcessors() / total;
    }

    /**
     * Wait for a moment in which nothing else runs: a burst of another program usually ends.
     *
     * @param limitNs at most; 0 does not look at all.
     * @throws InterruptedException when the caller is interrupted.
     */
    public static void awaitQuiet(final long limitNs) throws InterruptedException {
        final long startNs = System.nanoTime();
        MachineUse earlier = now();
        while (System.nanoTime() - startNs < limitNs) {
            TimeUnit.MILLISECONDS.sleep(QUIET_WINDOW_MS);
            final MachineUse later = now();
            if (later.othersSince(earlier) <= QUIET_SHARE) {
                return;
            }
            earlier = later;
        }
    }
}
