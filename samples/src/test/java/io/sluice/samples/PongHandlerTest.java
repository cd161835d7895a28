package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PongHandlerTest {
    private static final int LENGTH = 32;
    private static final long LONGEST_NS = 1_000_000;

    private final Histogram histogram = new Histogram(LONGEST_NS, 3);
    private long nowNs = 5_000;
    /** Just below the largest number, which the sequence then passes. */
    private final PongHandler pongs = new PongHandler(histogram, () -> nowNs, LENGTH, Long.MAX_VALUE);

    @Test
    void shouldRecordTheTimeSinceTheTimestamp() {
        final UnsafeBuffer ping = ping(5_000);
        nowNs = 5_700;
        answer(ping);
        assertEquals(1, histogram.getCountAtValue(700));
        assertEquals(1, histogram.getTotalCount());
        assertEquals(0, pongs.outstanding());
        assertNull(pongs.mismatch());
    }

    @Test
    void shouldAcceptAnswersInOrder() {
        final UnsafeBuffer first = ping(1);
        final UnsafeBuffer second = ping(2);
        final UnsafeBuffer third = ping(3);
        assertEquals(3, pongs.outstanding());
        answer(first);
        answer(second);
        answer(third);
        assertEquals(3, pongs.answered());
        assertNull(pongs.mismatch());
    }

    @Test
    void shouldReportALostAnswer() {
        ping(1);
        answer(ping(2));
        assertEquals("lost: pong 0 is missing, after it came pong 1", pongs.mismatch());
        assertEquals(0, histogram.getTotalCount());
    }

    @Test
    void shouldReportAnAnswerThatComesTwice() {
        final UnsafeBuffer ping = ping(1);
        answer(ping);
        answer(ping);
        assertEquals("duplicated: pong 0 came again when pong 1 was expected; is there more than one pong on this"
            + " channel and stream?", pongs.mismatch());
        assertEquals(1, histogram.getTotalCount());
    }

    @Test
    void shouldReportAnAnswerOfAnotherLength() {
        pongs.onFragment(ping(1), 0, LENGTH - 1, null);
        assertEquals("changed: pong 0 has 31 bytes instead of 32", pongs.mismatch());
    }

    @Test
    void shouldKeepTheFirstMismatch() {
        ping(1);
        final UnsafeBuffer second = ping(2);
        pongs.onFragment(second, 0, LENGTH, null);
        pongs.onFragment(second, 0, LENGTH - 1, null);
        assertEquals("lost: pong 0 is missing, after it came pong 1", pongs.mismatch());
    }

    @Test
    void shouldIgnoreAndCountAnswersToOthers() {
        final UnsafeBuffer ping = ping(1);
        final UnsafeBuffer foreign = new UnsafeBuffer(new byte[LENGTH]);
        answer(foreign);
        pongs.onFragment(foreign, 0, 0, null);
        pongs.onFragment(ping, 0, PongHandler.MIN_MESSAGE_LENGTH - 1, null);
        assertEquals(3, pongs.foreign());
        assertNull(pongs.mismatch());
        answer(ping);
        assertEquals(1, pongs.answered());
    }

    @Test
    void shouldCountARoundTripBeyondTheHistogramAsItsLongest() {
        final UnsafeBuffer ping = ping(0);
        nowNs = 2 * LONGEST_NS;
        answer(ping);
        assertEquals(1, histogram.getCountAtValue(LONGEST_NS));
    }

    private UnsafeBuffer ping(final long timestampNs) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        pongs.nextPing(message, timestampNs);
        return message;
    }

    private void answer(final UnsafeBuffer message) {
        pongs.onFragment(message, 0, LENGTH, null);
    }
}
