package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.transport.ThreadingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The benchmark's own subject: the frames that it walks are there before, and none is left.
 */
class FrameWalkTest {
    /** Invocations of which the log takes all messages. */
    private static final int INVOCATIONS = 40;
    /** More than the log takes. */
    private static final int TOO_MANY = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 64})
    void shouldWalkWhatWasCommitted(int messagesPerPoll) {
        try (Loopback loopback = new Loopback(
            "sluice:ipc?endpoint=walk|mode=invoker", FrameWalkBenchmark.MESSAGE_LENGTH, ThreadingMode.INVOKER)) {
            for (int i = 1; i <= INVOCATIONS; i++) {
                loopback.fill(FrameWalkBenchmark.FRAMES);
                assertEquals((long) i * FrameWalkBenchmark.FRAMES,
                    loopback.drain(FrameWalkBenchmark.FRAMES, messagesPerPoll));
            }
            assertThrows(IllegalStateException.class, () -> loopback.fill(TOO_MANY));
        }
    }
}
