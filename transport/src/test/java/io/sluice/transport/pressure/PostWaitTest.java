package io.sluice.transport.pressure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long bytes must wait for a post before a publication counts as being under pressure. */
class PostWaitTest {
    private static final long LOOK_NS = 1_000_000;

    private final PostWait wait = new PostWait();
    private long nowNs = Long.MAX_VALUE - 3 * PostWait.LONG_NS / 2;

    private boolean lookFor(final long ns, final boolean isWaiting) {
        boolean isLong = false;
        for (final long endNs = nowNs + ns; nowNs - endNs < 0; nowNs += LOOK_NS) {
            isLong |= wait.isLong(isWaiting, nowNs);
        }
        return isLong;
    }

    @Test
    void shouldNotBeLongWhenASubscriberPollsNowAndThen() {
        for (int i = 0; i < 20; i++) {
            assertFalse(lookFor(PostWait.LONG_NS / 3, true));
            assertFalse(lookFor(2 * PostWait.SAME_NS, false));
        }
    }

    @Test
    void shouldBeLongWhenNothingIsPosted() {
        assertFalse(lookFor(PostWait.LONG_NS, true));
        assertTrue(lookFor(2 * LOOK_NS, true));
        assertFalse(lookFor(LOOK_NS, false));
    }

    @Test
    void shouldBeLongWhenTheSameWaitIsSeenNowAndThen() {
        for (long ns = 0; ns < PostWait.LONG_NS; ns += 2 * LOOK_NS) {
            lookFor(LOOK_NS, true);
            assertFalse(lookFor(LOOK_NS, false));
        }
        assertTrue(lookFor(LOOK_NS, true));
    }
}
