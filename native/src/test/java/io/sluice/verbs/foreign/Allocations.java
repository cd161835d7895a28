package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Checks that operations allocate nothing, counted by the JVM for the thread that asks. One thread. */
public final class Allocations {
    private static final int REPETITIONS = 20_000;
    private static final int MAX_ROUNDS = 100;
    /** Less than an object for each operation, and room for what the JVM itself allocates now and then. */
    private static final long MAX_BYTES = REPETITIONS / 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long operations;

    /** Skip the test where the JVM cannot count, or compiles so that calls of C allocate. */
    public void assume() {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count allocations by thread");
        assumeTrue("4".equals(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("TieredStopAtLevel").getValue()), "this JVM does not optimise: each call of C allocates");
        threads.setThreadAllocatedMemoryEnabled(true);
    }

    /** Fail unless an operation allocates nothing once it is compiled, which other threads do meanwhile. */
    public void shouldBeNoneOf(final Runnable operation) {
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < MAX_ROUNDS && allocated > MAX_BYTES; round++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < REPETITIONS; i++) {
                operation.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            operations += REPETITIONS;
        }
        final long last = allocated;
        assertTrue(last <= MAX_BYTES, () -> last + " bytes in " + REPETITIONS + " operations");
    }

    /** Operations that were run. */
    public long operations() {
        return operations;
    }
}
