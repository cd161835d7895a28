package io.sluice.transport.pressure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The moments at which listeners are told of another laggard. */
class LaggardWatchTest {
    private static final long LOOK_NS = 1_000_000;
    private static final long LONG_NS = LaggardWatch.RETELL_INTERVAL_NS;

    private final LaggardWatch watch = new LaggardWatch();
    private long nowNs = Long.MAX_VALUE - LONG_NS / 2;

    LaggardWatchTest() {
        watch.told("poll", "one", nowNs);
    }

    private boolean lookFor(final long ns, final String consumer, final String peer) {
        boolean isNews = false;
        for (final long endNs = nowNs + ns; nowNs - endNs < 0; nowNs += LOOK_NS) {
            isNews |= watch.isNews(consumer, peer, nowNs);
        }
        return isNews;
    }

    @Test
    void shouldTellOfAnotherPeerWhenItHasBeenWaitedForForLong() {
        assertFalse(lookFor(3 * LONG_NS, "poll", "one"), "who was told");
        assertFalse(lookFor(LONG_NS, "", "two"));
        assertTrue(lookFor(LOOK_NS, "", "two"));
    }

    @Test
    void shouldTellOfAnotherConsumerWhenItHasBeenWaitedForForLong() {
        assertFalse(lookFor(LONG_NS, "snail", "one"));
        assertTrue(lookFor(LOOK_NS, "snail", "one"));
    }

    @Test
    void shouldNotTellOfThoseWhoTakeTurns() {
        for (int i = 0; i < 10; i++) {
            assertFalse(lookFor(LONG_NS / 2, "poll", "two"));
            assertFalse(lookFor(LONG_NS / 2, "snail", "one"));
            assertFalse(lookFor(LONG_NS / 2, "poll", "one"));
        }
    }

    @Test
    void shouldNotTellMoreOftenThanTheInterval() {
        lookFor(LONG_NS + LOOK_NS, "poll", "two");
        watch.told("poll", "three", nowNs);
        assertFalse(lookFor(LONG_NS, "poll", "two"), "long enough, but something was told just now");
        assertTrue(lookFor(LOOK_NS, "poll", "two"));
    }

    @Test
    void shouldTellANameAtOnceWhenItBecomesKnownAndNotThatItIsKnownNoMore() {
        assertFalse(lookFor(3 * LONG_NS, "", "one"));
        assertFalse(lookFor(3 * LONG_NS, "", ""), "nobody");
        watch.told("", "one", nowNs);
        assertTrue(lookFor(LOOK_NS, "snail", "one"));
    }
}
