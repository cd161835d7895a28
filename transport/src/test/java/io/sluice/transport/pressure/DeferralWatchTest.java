package io.sluice.transport.pressure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The time for which posts must be deferred before a publication counts as being under pressure. */
class DeferralWatchTest {
    private static final long LOOK_NS = 1_000_000;

    private final DeferralWatch watch = new DeferralWatch();
    private long nowNs = Long.MAX_VALUE - 3 * DeferralWatch.LONG_NS / 2;

    private boolean lookFor(final long ns, final boolean isDeferred) {
        boolean isLong = false;
        for (final long endNs = nowNs + ns; nowNs - endNs < 0; nowNs += LOOK_NS) {
            isLong |= watch.isLong(isDeferred, nowNs);
        }
        return isLong;
    }

    @Test
    void shouldNotBeLongWhenASubscriberPollsNowAndThen() {
        for (int i = 0; i < 20; i++) {
            assertFalse(lookFor(DeferralWatch.LONG_NS / 3, true));
            assertFalse(lookFor(2 * DeferralWatch.SAME_NS, false));
        }
    }

    @Test
    void shouldBeLongWhenNothingIsPosted() {
        assertFalse(lookFor(DeferralWatch.LONG_NS, true));
        assertTrue(lookFor(2 * LOOK_NS, true));
        assertFalse(lookFor(LOOK_NS, false));
    }

    @Test
    void shouldBeLongWhenAConductorThatRestsSeesItAtEachLook() {
        final long restNs = 50_200_000;
        for (long ns = 0; ns < DeferralWatch.LONG_NS; ns += restNs) {
            assertFalse(watch.isLong(true, nowNs + ns));
        }
        assertTrue(watch.isLong(true, nowNs + DeferralWatch.LONG_NS + restNs));
    }

    @Test
    void shouldBeLongWhenTheSameDeferralIsSeenNowAndThen() {
        for (long ns = 0; ns < DeferralWatch.LONG_NS; ns += 2 * LOOK_NS) {
            lookFor(LOOK_NS, true);
            assertFalse(lookFor(LOOK_NS, false));
        }
        assertTrue(lookFor(LOOK_NS, true));
    }
}
