package io.sluice.verbs;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;

/**
 * The cost of a protection domain for each peer beside one for all: the time to make what a publication needs for its
 * links, and the bytes that the kernel counts as pinned. {@code DomainCost DEVICE [ROUNDS]}, or {@code software} for
 * the device; {@code native/lab/domains} runs it in the lab.
 */
public final class DomainCost {
    private static final int[] PEERS = {1, 10, 100};
    /** The length of a publication's log, when the channel does not say another one. */
    private static final int LOG_LENGTH = 4 << 20;
    private static final int CELL_LENGTH = 64;
    private static final int ENTRIES = 4096;
    private static final int ROUNDS = 20;
    private static final Path STATUS = Path.of("/proc/self/status");

    private final RdmaDevice device;
    private final CompletionQueue queue;

    private DomainCost(final RdmaDevice device) {
        this.device = device;
        queue = device.createCompletionQueue(new CompletionQueueAttributes(ENTRIES, 0, null));
    }

    /** Print a table. */
    public static void main(final String[] arguments) throws IOException {
        final int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : ROUNDS;
        final Path folder = Files.createTempDirectory("domain-cost");
        try (RdmaDevice device = arguments[0].equals("software")
            ? SoftwareDevice.open(SystemEnvironment.instance(), folder)
            : RdmaDevices.open(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT.withDevice(arguments[0]))) {
            new DomainCost(device).measure(rounds);
        }
    }

    private void measure(final int rounds) throws IOException {
        System.out.println("Links of one publication of " + (LOG_LENGTH >> 10) + " KiB: median of " + rounds
            + " rounds, in turn");
        System.out.println("peers   one domain us   domains us   one domain KiB pinned   domains KiB pinned");
        for (final int peers : PEERS) {
            final long[][] times = new long[2][rounds];
            final long[] pinned = new long[2];
            for (int round = -1; round < rounds; round++) {
                for (int kind = 0; kind < 2; kind++) {
                    final Deque<AutoCloseable> made = new ArrayDeque<>();
                    final long before = pinned();
                    final long nanos = make(peers, kind == 1, made);
                    pinned[kind] = pinned() - before;
                    release(made);
                    if (round >= 0) {
                        times[kind][round] = nanos;
                    }
                }
            }
            System.out.printf(Locale.ROOT, "%5d   %13.0f   %10.0f   %21d   %18d%n",
                peers, median(times[0]), median(times[1]), pinned[0], pinned[1]);
        }
        queue.close();
    }

    private long make(final int peers, final boolean isDomainEach, final Deque<AutoCloseable> made) {
        final ProtectionDomain common = keep(device.allocateProtectionDomain(), made);
        final MemoryRegion log = keep(common.allocateRegion(LOG_LENGTH, AccessFlags.LOCAL_WRITE), made);
        final long beginNs = System.nanoTime();
        for (int i = 0; i < peers; i++) {
            final ProtectionDomain domain =
                isDomainEach ? keep(device.allocateProtectionDomain(), made) : common;
            if (isDomainEach) {
                keep(domain.registerForSends(log), made);
            }
            keep(domain.allocateRegion(CELL_LENGTH, Endpoint.REGION_ACCESS), made);
            keep(domain.createQueuePair(new QueuePairAttributes(queue, queue, 16, 1, 0, 0, 12, 6, 14)), made);
        }
        return System.nanoTime() - beginNs;
    }

    private static <T extends AutoCloseable> T keep(final T object, final Deque<AutoCloseable> made) {
        made.push(object);
        return object;
    }

    private static void release(final Deque<AutoCloseable> made) {
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (final RuntimeException e) {
                throw e;
            } catch (final Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /** KiB that devices have pinned of this process (proc_pid_status(5)); 0 where the kernel does not tell. */
    private static long pinned() throws IOException {
        return Files.readAllLines(STATUS).stream().filter(line -> line.startsWith("VmPin:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst().orElse(0);
    }

    private static double median(final long[] nanos) {
        final long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1000.0;
    }
}
