package io.sluice.transport.receive;

import static io.sluice.transport.receive.ScanModeration.SPAN_LENGTH;
import static io.sluice.transport.receive.ScanModeration.TRIAL_SPANS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanModerationTest {
    private static final long PERIOD_NS = 10_000;
    private static final int WINDOW = 4 * 1024 * 1024;
    /** Two bytes per nanosecond. */
    private static final long DENSE_SPAN_NS = SPAN_LENGTH / 2;
    private static final long JOIN = 1L << 40;

    private long nowNs = -7;
    private int clockReads;
    private ScanModeration moderation = new ScanModeration(this::nanoTime, PERIOD_NS, WINDOW);
    private long position = JOIN;

    private long nanoTime() {
        clockReads++;
        return nowNs;
    }

    /** A span whose messages are found as they come. */
    private void span(final long elapsedNs) {
        span(elapsedNs, SPAN_LENGTH);
    }

    /** The last look finds a message less than a whole scan: it has caught up. */
    private void span(final long elapsedNs, final int length) {
        nowNs += elapsedNs;
        moderation.onLooked(position, position + length - 32);
        moderation.onLooked(position + length - 32, position + length);
        position += length;
    }

    /** None of them, but perhaps the last one, is a reason to hold the log. */
    private void denseSpans(final int count) {
        for (int i = 0; i < count; i++) {
            assertFalse(moderation.isHeld(), "spans=" + i);
            span(DENSE_SPAN_NS);
        }
    }

    @BeforeEach
    void begin() {
        span(DENSE_SPAN_NS);
    }

    @Test
    void shouldNotHoldALogAtFirst() {
        assertFalse(moderation.isHeld());
    }

    @Test
    void shouldHoldTheLogOfADenseStreamForThePeriod() {
        denseSpans(TRIAL_SPANS);
        assertTrue(moderation.isHeld());
        nowNs += PERIOD_NS - 1;
        assertTrue(moderation.isHeld());
        nowNs++;
        assertFalse(moderation.isHeld());
        assertFalse(moderation.isHeld());
    }

    @Test
    void shouldNotHoldTheLogOfAStreamWithAPauseInIt() {
        denseSpans(TRIAL_SPANS - 1);
        span(SPAN_LENGTH + 1);
        denseSpans(TRIAL_SPANS - 1);
        assertFalse(moderation.isHeld());
    }

    @Test
    void shouldNotHoldTheLogOfAStreamOfLessThanAByteInANanosecond() {
        for (int i = 0; i < 10 * TRIAL_SPANS; i++) {
            span(SPAN_LENGTH + 1);
            assertFalse(moderation.isHeld());
        }
    }

    /** A poller that finds as much as a look goes over has not caught up. */
    @Test
    void shouldNotHoldALogBeforeItsEndIsReached() {
        clockReads = 0;
        for (int i = 0; i < 10 * TRIAL_SPANS; i++) {
            nowNs += DENSE_SPAN_NS;
            moderation.onLooked(position, position + SPAN_LENGTH);
            position += SPAN_LENGTH;
        }
        assertFalse(moderation.isHeld());
        assertEquals(0, clockReads);
    }

    @Test
    void shouldHoldAgainEachTimeItHasCaughtUpWhileTheStreamIsFasterForIt() {
        denseSpans(TRIAL_SPANS);
        for (int i = 0; i < 100; i++) {
            assertTrue(moderation.isHeld());
            nowNs += PERIOD_NS;
            assertFalse(moderation.isHeld());
            // 2.3 bytes per nanosecond since it was last caught up with
            span(PERIOD_NS, 46 * 1024);
        }
    }

    @Test
    void shouldLeaveAStreamAloneThatIsNotFasterForItAndTryAgainAfterTwiceAsManySpans() {
        for (int spans = TRIAL_SPANS; spans <= 8 * TRIAL_SPANS; spans *= 2) {
            denseSpans(spans);
            assertTrue(moderation.isHeld());
            nowNs += PERIOD_NS;
            // 2.1 bytes per nanosecond, where there were two
            span(PERIOD_NS, 42 * 1024);
            assertFalse(moderation.isHeld());
        }
    }

    @Test
    void shouldLeaveOneAloneThatWaitsForReplies() {
        denseSpans(TRIAL_SPANS);
        nowNs += PERIOD_NS;
        span(DENSE_SPAN_NS);
        for (int i = 0; i < 2 * TRIAL_SPANS - 1; i++) {
            assertFalse(moderation.isHeld(), "spans=" + i);
            span(DENSE_SPAN_NS);
        }
        assertFalse(moderation.isHeld());
    }

    /** The stream's rate of long ago tells nothing: the stream may have become faster by itself. */
    @Test
    void shouldCompareWithTheLastSpansBeforeATry() {
        denseSpans(TRIAL_SPANS);
        nowNs += PERIOD_NS;
        span(PERIOD_NS, SPAN_LENGTH);
        denseSpans(TRIAL_SPANS);
        for (int i = 0; i < TRIAL_SPANS; i++) {
            assertFalse(moderation.isHeld());
            span(DENSE_SPAN_NS / 2);
        }
        assertTrue(moderation.isHeld());
        nowNs += PERIOD_NS;
        // four bytes per nanosecond, as in the last spans, and more than in all of them
        span(0, 40 * 1024);
        assertFalse(moderation.isHeld());
    }

    @Test
    void shouldFindOutAnewWhetherItPaysAfterAThousandHeldSpans() {
        denseSpans(TRIAL_SPANS);
        int heldSpans = 0;
        while (moderation.isHeld()) {
            nowNs += PERIOD_NS;
            span(0, 40 * 1024);
            heldSpans++;
        }
        assertEquals(ScanModeration.HELD_SPANS_MAX, heldSpans);
        for (int i = 0; i < TRIAL_SPANS; i++) {
            assertFalse(moderation.isHeld());
            span(DENSE_SPAN_NS / 2);
        }
        assertTrue(moderation.isHeld());
        nowNs += PERIOD_NS;
        span(0, 40 * 1024);
        assertFalse(moderation.isHeld(), "as fast as it is without");
    }

    /** A stream for which it does not pay should not pay for that. */
    @Test
    void shouldNotAskTheClockFarFromTheNextTry() {
        for (int tries = 0; tries < 4; tries++) {
            denseSpans(TRIAL_SPANS << tries);
            assertTrue(moderation.isHeld());
            nowNs += PERIOD_NS;
            span(PERIOD_NS, SPAN_LENGTH);
        }
        assertFalse(moderation.isHeld());
        clockReads = 0;
        denseSpans(15 * TRIAL_SPANS);
        assertEquals(1, clockReads, "when the last ones begin");
        denseSpans(TRIAL_SPANS);
        assertTrue(moderation.isHeld());
    }

    @Test
    void shouldTryAsSoonAsAtFirstWhenItHasPaidBefore() {
        for (int tries = 0; tries < 3; tries++) {
            denseSpans(TRIAL_SPANS << tries);
            nowNs += PERIOD_NS;
            span(PERIOD_NS, SPAN_LENGTH);
        }
        denseSpans(TRIAL_SPANS << 3);
        nowNs += PERIOD_NS;
        span(0, 40 * 1024);
        assertTrue(moderation.isHeld(), "it pays");
        nowNs += PERIOD_NS;
        span(PERIOD_NS, SPAN_LENGTH);
        assertFalse(moderation.isHeld(), "no longer");
        denseSpans(2 * TRIAL_SPANS);
        assertTrue(moderation.isHeld());
    }

    @Test
    void shouldTryAtLastOnceInSixteenThousandSpans() {
        for (int tries = 0; tries < 40; tries++) {
            int spans = 0;
            while (!moderation.isHeld()) {
                span(DENSE_SPAN_NS);
                spans++;
            }
            assertTrue(spans <= ScanModeration.TRIAL_SPANS_MAX + 1, "spans=" + spans);
            nowNs += PERIOD_NS;
            span(PERIOD_NS, SPAN_LENGTH);
        }
    }

    @Test
    void shouldHoldBackASixteenthOfASmallWindowAtMost() {
        moderation = new ScanModeration(this::nanoTime, PERIOD_NS, 64 * 1024);
        begin();
        denseSpans(TRIAL_SPANS);
        nowNs += 2047;
        assertTrue(moderation.isHeld());
        nowNs++;
        assertFalse(moderation.isHeld(), "4 KiB at two bytes per nanosecond");
    }

    @Test
    void shouldNeverHoldALogWithoutAPeriod() {
        moderation = new ScanModeration(this::nanoTime, 0, WINDOW);
        clockReads = 0;
        denseSpans(10 * TRIAL_SPANS);
        assertFalse(moderation.isHeld());
        assertEquals(0, clockReads);
    }

    /** A poller whose clock does not move knows no rate, and would never see the end of the period. */
    @Test
    void shouldNeverHoldALogWhileTheClockStandsStill() {
        for (int i = 0; i < 10 * TRIAL_SPANS; i++) {
            span(0);
            assertFalse(moderation.isHeld());
        }
    }

    @Test
    void shouldAskTheClockOnceForASpan() {
        clockReads = 0;
        denseSpans(TRIAL_SPANS - 1);
        assertEquals(TRIAL_SPANS - 1, clockReads);
    }
}
