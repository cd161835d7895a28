package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemEnvironmentTest {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int FENCE_TRIALS = 2000;

    /** Three words on cache lines of their own. */
    private static final int COUNT = 32;
    private static final int STOP = 64;
    private static final int MISSED = 96;
    private static final int WORDS_LENGTH = 128;

    private final Environment environment = SystemEnvironment.instance();

    /**
     * One thread stores a count and loads the stop word, again and again, without a fence; the other stores the stop
     * word, fences all threads and loads the count. Each count whose load missed the stop word must be seen: not both
     * may miss.
     */
    @Test
    void shouldFenceAThreadThatDoesNotFenceItself() throws Exception {
        for (int trial = 0; trial < FENCE_TRIALS; trial++) {
            final long[] words = new long[WORDS_LENGTH];
            final Thread counting = Thread.ofPlatform().start(() -> countUntilStopped(words));
            while ((long) WORDS.getOpaque(words, COUNT) < trial) {
                Thread.yield();
            }
            WORDS.setOpaque(words, STOP, 1L);
            environment.fenceAllThreads();
            final long seen = (long) WORDS.getOpaque(words, COUNT);
            counting.join();
            assertTrue(seen >= words[MISSED], "seen=" + seen + " missed=" + words[MISSED] + " trial=" + trial);
        }
    }

    private static void countUntilStopped(final long[] words) {
        long count = 0;
        do {
            words[MISSED] = count;
            WORDS.setOpaque(words, COUNT, ++count);
        } while ((long) WORDS.getOpaque(words, STOP) == 0);
    }

    @Test
    void shouldFenceThreadsThatAreParked() throws Exception {
        final FutureTask<Void> parked = new FutureTask<>(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                environment.park(Long.MAX_VALUE);
            }
            return null;
        });
        final Thread thread = Thread.ofPlatform().start(parked);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
        environment.fenceAllThreads();
        thread.interrupt();
        parked.get();
    }

    @Test
    void shouldDrawNumbersThatDiffer() {
        assertNotEquals(environment.randomLong(), environment.randomLong());
    }

    @Test
    void shouldTellTimeThatDoesNotGoBack() {
        final long first = environment.nanoTime();
        assertTrue(environment.nanoTime() - first >= 0);
        final long before = System.currentTimeMillis();
        assertTrue(environment.epochMs() >= before);
    }

    @Test
    void shouldTellTheSameWallClockInNanoseconds() {
        final long before = Instant.now().minusSeconds(1).toEpochMilli();
        final long epochMs = TimeUnit.NANOSECONDS.toMillis(environment.epochNs());
        assertTrue(epochMs >= before && epochMs <= Instant.now().plusSeconds(1).toEpochMilli(), "epochMs=" + epochMs);
    }

    @Test
    void shouldNameItsProcess() {
        assertEquals(ProcessHandle.current().pid(), environment.processId());
    }
}
