package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.os.CpuAffinity;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * A thread that may run on another processor than its own does not measure.
 */
class MeasuredThreadTest {
    private static final int NO_CPU = 1_000_000;

    private final SideResult result = new SideResult();

    @Test
    void shouldPinTheCallingThreadAndRecordIt() throws Exception {
        assumeTrue(CpuAffinity.isSupported(), "this system cannot pin");
        final int[] cpus = CpuAffinity.allowedCpus();
        final int cpu = cpus[cpus.length - 1];
        // one that ends with the test
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            final int[] allowed = thread.submit(() -> {
                MeasuredThread.pin(cpu, result);
                return CpuAffinity.allowedCpus();
            }).get();

            assertArrayEquals(new int[]{cpu}, allowed);
            assertTrue(result.text(SideResult.PINNED).startsWith("pinned"), result.text(SideResult.PINNED));
        }
    }

    @Test
    void shouldRefuseAThreadThatMayRunElsewhere() {
        assertDoesNotThrow(() -> MeasuredThread.requirePinned(1, "pinned", 1));
        for (final int[] allowed : new int[][]{{0, 1}, {0}, {}}) {
            final String message = assertThrows(IllegalStateException.class,
                () -> MeasuredThread.requirePinned(1, "no processor affinity", allowed)).getMessage();
            assertTrue(message.contains("not pinned") && message.contains("cpu=1")
                && message.contains("no processor affinity"), message);
        }
    }

    @Test
    void shouldRefuseAProcessorThatThereIsNot() {
        assertThrows(IllegalArgumentException.class, () -> MeasuredThread.pin(NO_CPU, result));
    }
}
