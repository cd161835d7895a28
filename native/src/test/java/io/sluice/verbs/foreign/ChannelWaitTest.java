package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a channel whose descriptor the test writes. */
class ChannelWaitTest {
    private static final long LONG_NS = 20_000_000_000L;
    private static final int WAKE_UPS = 20_000;

    private final int descriptor = SystemCalls.newEventDescriptor();
    private final ChannelWait waiting = new ChannelWait(descriptor);

    @AfterEach
    void close() {
        // A wait that a test has given up ends with this.
        waiting.wake();
        waiting.close();
        SystemCalls.close(descriptor);
    }

    @Test
    void shouldTellAnEventFromAWakeUp() {
        assertFalse(waiting.await(0));

        SystemCalls.signal(descriptor);
        assertTrue(waiting.await(LONG_NS));
        assertFalse(waiting.takeWakeUp());

        waiting.wake();
        assertTrue(waiting.await(LONG_NS));
        assertTrue(waiting.takeWakeUp());
        assertTrue(waiting.await(0), "the event is there still");
    }

    /** To poll(2) less than 0 ms is no limit. */
    @Test
    void shouldNotWaitForLessThanNoTime() {
        for (final long timeoutNs : new long[] {0, -1, -2_000_000, Long.MIN_VALUE}) {
            assertFalse(assertTimeoutPreemptively(Duration.ofSeconds(30), () -> waiting.await(timeoutNs)));
        }
    }

    @Test
    void shouldEndOneWaitWithManyWakeUps() {
        waiting.wake();
        waiting.wake();

        assertTrue(waiting.await(LONG_NS));
        assertTrue(waiting.takeWakeUp());
        assertFalse(waiting.await(0));
    }

    /** No wake-up stays behind that is not taken, whatever the waiter does between a waker's steps. */
    @Test
    void shouldBeAbleToWaitAgainAfterWakeUpsThatRaceWithIt() throws InterruptedException {
        final Thread waker = new Thread(() -> {
            for (int i = 0; i < WAKE_UPS; i++) {
                waiting.wake();
            }
        });
        waker.start();
        while (waker.isAlive()) {
            if (waiting.await(1_000_000)) {
                waiting.takeWakeUp();
            }
        }
        waker.join();

        assertEquals(waiting.await(0), waiting.takeWakeUp());
        assertFalse(waiting.await(0));
    }

    /** A descriptor's number is given to the next one that is opened. */
    @Test
    void shouldNotWriteToAnotherDescriptorWhenWokenAfterItsEnd() {
        final int other = SystemCalls.newEventDescriptor();
        final ChannelWait ended = new ChannelWait(other);
        final int[] next = new int[16];
        ended.close();
        for (int i = 0; i < next.length; i++) {
            next[i] = SystemCalls.newEventDescriptor();
        }
        try {
            ended.wake();

            final MemorySegment records = SystemCalls.pollRecords(next);
            assertFalse(SystemCalls.await(records, 0));
        } finally {
            for (final int each : next) {
                SystemCalls.close(each);
            }
            SystemCalls.close(other);
        }
    }

    /** A number that no file of this process has. */
    @Test
    void shouldTellThatADescriptorInErrorCannotBeRead() {
        final ChannelWait waiting = new ChannelWait(1 << 20);
        assertTrue(waiting.await(0));
        assertFalse(waiting.takeWakeUp());
        assertFalse(waiting.isReadable());
        waiting.close();
    }
}
