package io.sluice.perf.side;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the bytes that the calling thread has allocated, as the JVM counts them.
 */
final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {
    }

    /** {@return bytes since the thread began} */
    static long count() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
