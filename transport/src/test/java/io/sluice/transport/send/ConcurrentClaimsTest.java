package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.stub.StubRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrentClaimsTest {
    private static final int WINDOW = 4096;
    private static final long KEY = 0x5EED_1234_8765_4321L;
    private static final long RESERVED = 0x1122_3344_5566_7788L;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final StubRegion region = new StubRegion(WINDOW);
    private SendLog log;
    private ConcurrentClaims claims;

    private void begin(final long position) {
        log = new SendLog(region, position, KEY);
        claims = new ConcurrentClaims(log);
    }

    private void commitOffer(final long position, final int frameLength) {
        claims.end(position, frameLength, FrameDescriptor.DATA_TYPE, RESERVED);
    }

    private long tail() {
        claims.advance();
        return log.tail();
    }

    private long lengthWordAt(final long position) {
        return region.buffer().getLong(log.offset(position));
    }

    private void assertPadding(final long position, final int length) {
        assertEquals(length, FrameDescriptor.frameLengthOf(lengthWordAt(position)));
        assertEquals(FrameDescriptor.PADDING_TYPE, FrameDescriptor.typeOf(lengthWordAt(position)));
    }

    @Test
    void shouldTakeAClaimThatEndsAtTheLimitAndNoLongerOne() {
        begin(0);
        assertEquals(SendLog.OVER_LIMIT, claims.claim(96, 64));
        assertEquals(SendLog.OVER_LIMIT, claims.offer(96, 95));
        assertEquals(0, claims.end(), "nothing is claimed by a refusal");
        assertEquals(0, claims.claim(96, 96));
        assertEquals(SendLog.OVER_LIMIT, claims.claim(1, 96));
    }

    @Test
    void shouldGiveEveryClaimBytesOfItsOwn() {
        begin(0);
        assertEquals(0, claims.claim(33, NO_LIMIT));
        assertEquals(64, claims.offer(32, NO_LIMIT));
        assertEquals(96, claims.claim(24, NO_LIMIT));
        assertEquals(128, claims.end());
    }

    @Test
    void shouldCountThePaddingAgainstTheLimitToo() {
        begin(WINDOW - 64);
        assertEquals(SendLog.OVER_LIMIT, claims.claim(96, WINDOW + 95));
        assertEquals(WINDOW, claims.claim(96, WINDOW + 96));
    }

    @Test
    void shouldClaimPaddingAndMessageInOneStepAndCommitThePaddingAtOnce() {
        begin(WINDOW - 64);
        final long position = claims.claim(96, NO_LIMIT);
        assertEquals(WINDOW, position);
        assertPadding(WINDOW - 64, 64);
        assertEquals(WINDOW, tail(), "whoever comes later need not wait for the message to get past it");
        assertEquals(WINDOW + 96, claims.end());
        assertTrue(claims.commit(position, 96, 0));
        assertEquals(WINDOW + 96, tail());
        assertEquals(1, log.messages());
    }

    @Test
    void shouldNotPadWhenTheFrameFitsExactly() {
        begin(WINDOW - 96);
        assertEquals(WINDOW - 96, claims.claim(96, WINDOW));
    }

    @Test
    void shouldMoveTheTailOverWhatIsCommittedWithoutAGap() {
        begin(0);
        final long first = claims.offer(32, NO_LIMIT);
        final long second = claims.claim(40, NO_LIMIT);
        final long third = claims.offer(32, NO_LIMIT);
        commitOffer(third, 32);
        assertEquals(0, tail());
        commitOffer(first, 32);
        assertEquals(32, tail());
        assertTrue(claims.commit(second, 40, RESERVED));
        assertEquals(32, log.tail(), "by whoever posts");
        assertEquals(128, tail());
        assertEquals(3, log.messages());
        assertEquals(8 + 16 + 8, log.messageBytes());
    }

    @Test
    void shouldNotTakeFramesOfAnEarlierLapForCommitted() {
        begin(0);
        for (long position = 0; position < WINDOW; position += 32) {
            commitOffer(claims.offer(32, NO_LIMIT), 32);
        }
        assertEquals(WINDOW, tail());
        final long claimed = claims.offer(32, NO_LIMIT);
        claims.offer(32, NO_LIMIT);
        assertEquals(WINDOW, tail());
        commitOffer(claimed, 32);
        assertEquals(WINDOW + 32, tail());
    }

    @Test
    void shouldShowNothingOfAClaimBeforeItsCommit() {
        begin(0);
        claims.claim(64, NO_LIMIT);
        claims.offer(64, NO_LIMIT);
        assertTrue(FrameDescriptor.frameLengthOf(lengthWordAt(0)) < 0);
        assertTrue(FrameDescriptor.frameLengthOf(lengthWordAt(64)) < 0);
        assertEquals(0, tail());
    }

    @Test
    void shouldWriteTheHeaderOfTheFrame() {
        begin(3L * WINDOW + 32);
        final long position = claims.claim(31, NO_LIMIT);
        assertTrue(claims.commit(position, 31, RESERVED));
        final long word = lengthWordAt(position);
        assertEquals(FrameDescriptor.lengthWord(31, 0, FrameDescriptor.DATA_TYPE), word);
        assertEquals(RESERVED, region.buffer().getLong(32 + FrameDescriptor.RESERVED_VALUE_OFFSET));
        assertEquals(FrameDescriptor.lapWord(position), FrameDescriptor.lapWordOf(
            region.buffer().getLong(32 + FrameDescriptor.LAP_WORD_OFFSET), KEY));
    }

    @Test
    void shouldTurnAnAbortedClaimIntoPadding() {
        begin(0);
        final long position = claims.claim(40, NO_LIMIT);
        assertTrue(claims.abort(position, 40));
        assertPadding(position, 40);
        assertEquals(64, tail());
        assertEquals(0, log.messages());
        assertFalse(claims.abort(position, 40), "once");
        assertFalse(claims.commit(position, 40, 0), "and not both");
    }

    @Test
    void shouldGiveUpClaimsThatTheApplicationHasOpenAndSpareOffers() {
        begin(0);
        final long dead = claims.claim(40, NO_LIMIT);
        final long offered = claims.offer(32, NO_LIMIT);
        final long alsoDead = claims.claim(32, NO_LIMIT);
        final long committed = claims.claim(32, NO_LIMIT);
        final long later = claims.claim(32, NO_LIMIT);
        assertTrue(claims.commit(committed, 32, 0));
        assertEquals(2, claims.giveUpAll(0, later));
        assertPadding(dead, 40);
        assertPadding(alsoDead, 32);
        assertEquals(offered, tail(), "an offer ends by itself");
        commitOffer(offered, 32);
        assertEquals(later, tail());
        assertFalse(claims.commit(dead, 40, RESERVED));
        assertFalse(claims.abort(alsoDead, 32));
        assertTrue(claims.commit(later, 32, 0));
    }

    /** A claim of the same length at the same place, a lap or some later: to the bytes alone it looks the same. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 1000})
    void shouldNotLetALateCommitEndAClaimOfALaterLap(final int laps) {
        begin(0);
        final long late = claims.claim(32, NO_LIMIT);
        final long lateWord = lengthWordAt(late);
        assertEquals(1, claims.giveUpAll(0, claims.end()));
        while (claims.end() < (long) laps * WINDOW) {
            commitOffer(claims.offer(512, NO_LIMIT), 512);
            claims.advance();
            if (claims.end() % WINDOW == 32 + 7 * 512) {
                commitOffer(claims.offer(480, NO_LIMIT), 480);
            }
        }
        claims.advance();
        final long current = claims.claim(32, NO_LIMIT);
        assertEquals(log.offset(late), log.offset(current));
        final long word = lengthWordAt(current);
        assertNotEquals(lateWord, word, "nor if the laps pass between its look at the tail and its attempt");
        assertFalse(claims.commit(late, 32, RESERVED));
        assertFalse(claims.abort(late, 32));
        assertEquals(word, lengthWordAt(current));
        assertTrue(claims.commit(current, 32, 0));
    }

    /** Bytes that an application writes into a message may look like a claim. */
    @Test
    void shouldNotLetALateCommitChangeAnothersMessage() {
        begin(0);
        commitOffer(claims.offer(480, NO_LIMIT), 480);
        final long late = claims.claim(32, NO_LIMIT);
        final long lateWord = lengthWordAt(late);
        assertEquals(1, claims.giveUpAll(0, claims.end()));
        while (claims.end() < WINDOW) {
            commitOffer(claims.offer(512, NO_LIMIT), 512);
        }
        assertEquals(WINDOW, tail());
        final long position = claims.offer(512, NO_LIMIT);
        region.buffer().putLong(log.offset(late), lateWord);
        commitOffer(position, 512);
        assertEquals(WINDOW + 512, tail());
        assertFalse(claims.commit(late, 32, RESERVED));
        assertFalse(claims.abort(late, 32));
        assertEquals(lateWord, lengthWordAt(late));
    }

    @Test
    void shouldStopAtAClaimThatIsNotMarkedYet() {
        begin(0);
        final long position = claims.claim(32, NO_LIMIT);
        final long next = claims.claim(32, NO_LIMIT);
        region.buffer().putLong(FrameDescriptor.LAP_WORD_OFFSET, 0);
        assertEquals(0, claims.giveUpAll(0, claims.end()));
        assertTrue(claims.commit(next, 32, 0));
        assertEquals(position, tail());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23, WINDOW + 32, 64, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldNotFollowALengthThatSomebodyElseWrote(final int length) {
        begin(0);
        commitOffer(claims.offer(32, NO_LIMIT), 32);
        region.buffer().putLong(0, FrameDescriptor.lengthWord(length, 0, FrameDescriptor.DATA_TYPE));
        assertEquals(0, claims.giveUpAll(0, claims.end()));
        assertEquals(0, tail());
    }

    @Test
    void shouldEndTheStreamAtTheMaximumPosition() {
        begin(FrameDescriptor.MAX_POSITION - 64);
        assertEquals(SendLog.OVER_MAX_POSITION, claims.claim(96, NO_LIMIT));
        assertEquals(SendLog.OVER_MAX_POSITION, claims.claim(96, FrameDescriptor.MAX_POSITION - 64));
        final long position = claims.claim(64, NO_LIMIT);
        assertEquals(FrameDescriptor.MAX_POSITION - 64, position);
        assertTrue(claims.commit(position, 64, 0));
        assertEquals(FrameDescriptor.MAX_POSITION, tail());
        assertEquals(SendLog.OVER_MAX_POSITION, claims.offer(32, NO_LIMIT));
    }
}
