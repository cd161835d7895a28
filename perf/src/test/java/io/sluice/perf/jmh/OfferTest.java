package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ThreadingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The benchmark's own subject: there is room for a whole batch of offers each time, since the one before was handled.
 */
class OfferTest {
    /** The log goes round some times, without a slow duty. */
    private static final int INVOCATIONS = 40;

    @ParameterizedTest
    @CsvSource({"32, false", "32, true", "1024, false", "1024, true"})
    void shouldHaveRoomForEachBatch(int messageLength, boolean isShared) {
        try (Loopback loopback = new Loopback(
            "sluice:ipc?endpoint=offer|mode=invoker", messageLength, ThreadingMode.INVOKER, isShared)) {
            for (int i = 1; i <= INVOCATIONS; i++) {
                loopback.fill(OfferBenchmark.MESSAGES);
                assertEquals((long) i * OfferBenchmark.MESSAGES, loopback.drain(OfferBenchmark.MESSAGES, 64));
            }
        }
    }
}
