package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.counters.BreakReason;
import org.junit.jupiter.api.Test;

class ResumeAttemptsTest {
    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final long RESUME_NS = 1_000_000L;
    private static final long TAIL = 1_000;

    private long nowNs = Long.MAX_VALUE - TIMEOUT_NS;
    private final ResumeAttempts attempts = new ResumeAttempts(TIMEOUT_NS, nowNs);

    /** Break, wait for the next attempt, and resume: how long that wait was. */
    private long breakAndResume(final long received, final long consumed) {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, consumed, nowNs);
        final long waitedNs = awaitDue();
        nowNs += RESUME_NS;
        attempts.onAccepted(received, consumed, TAIL, nowNs);
        attempts.onConnected(nowNs);
        return waitedNs;
    }

    private long awaitDue() {
        final long fromNs = nowNs;
        while (!attempts.isDue(nowNs)) {
            nowNs += RESUME_NS;
        }
        return nowNs - fromNs;
    }

    private boolean isOverWhenItBreaksNow() {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        return attempts.isOver(nowNs);
    }

    @Test
    void shouldTryAtOnceAgainAndAgainWhileBytesArrive() {
        for (int i = 0; i < TAIL; i++) {
            assertEquals(0, breakAndResume(i, 0));
        }
        assertEquals(0, attempts.fruitless());
        assertFalse(isOverWhenItBreaksNow());
    }

    @Test
    void shouldTryAtOnceWhenTheWayHasChanged() {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        assertFalse(attempts.isDue(nowNs));

        attempts.onWayChanged(nowNs);

        assertTrue(attempts.isDue(nowNs));
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        assertTrue(attempts.isDue(nowNs), "it may have begun before the change");
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        assertEquals(4 * BackOff.MIN_NS, awaitDue(), "failures count on");
    }

    @Test
    void shouldForgetThatTheWayHasChangedOnceTheLinkWorks() {
        attempts.onWayChanged(nowNs);
        breakAndResume(8, 0);
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);

        assertFalse(attempts.isDue(nowNs));
    }

    @Test
    void shouldNotTakeAChangeThatTheLinkHasOutlivedForANewWay() {
        breakAndResume(8, 0);
        attempts.onWayChanged(nowNs);
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);

        assertFalse(attempts.isDue(nowNs));
    }

    @Test
    void shouldTryAtOnceWhenAQuiescentPeerSaysSoAgainButNotAllTheTime() {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        attempts.onPeerBroken(1, true, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        attempts.onPeerBroken(1, false, nowNs);
        assertFalse(attempts.isDue(nowNs));

        attempts.onPeerBroken(1, true, nowNs);

        assertTrue(attempts.isDue(nowNs));
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        attempts.onFailed(BreakReason.DEVICE, nowNs);
        nowNs += BackOff.MIN_NS - 1;
        attempts.onPeerBroken(1, true, nowNs);
        assertFalse(attempts.isDue(nowNs), "too soon after the last time");
        attempts.onPeerBroken(1, true, ++nowNs);
        assertTrue(attempts.isDue(nowNs));
    }

    @Test
    void shouldTryAtOnceWhileWhatHasArrivedIsConsumed() {
        for (int i = 0; i < TAIL; i++) {
            assertEquals(0, breakAndResume(TAIL, i));
        }
        assertEquals(0, attempts.fruitless());
    }

    @Test
    void shouldBackOffMoreAndMoreWhileNothingArrivesAndGiveUpAtLast() {
        assertEquals(0, breakAndResume(8, 0));
        final long firstNs = nowNs;
        assertEquals(0, breakAndResume(8, 1), "that nothing had arrived was not known yet; consumed is not arrived");
        long expectedNs = BackOff.MIN_NS;
        int resumes = 1;
        while (!isOverWhenItBreaksNow()) {
            assertEquals(expectedNs, breakAndResume(8, 1));
            expectedNs = Math.min(2 * expectedNs, BackOff.MAX_NS);
            assertEquals(++resumes, attempts.fruitless());
        }
        assertTrue(nowNs - firstNs < TIMEOUT_NS + BackOff.MAX_NS);
    }

    @Test
    void shouldStartAnewWhenSomethingArrives() {
        for (int i = 0; i < 8; i++) {
            breakAndResume(8, 0);
        }
        assertTrue(breakAndResume(9, 0) > 0);
        assertEquals(0, attempts.fruitless());
        assertEquals(0, breakAndResume(10, 0));
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        nowNs += TIMEOUT_NS;
        assertFalse(attempts.isOver(nowNs), "what was before does not count");
        assertTrue(attempts.isOver(nowNs + 1));
    }

    @Test
    void shouldStartAnewWhenMoreWasConsumedThanHadArrived() {
        breakAndResume(8, 0);
        breakAndResume(8, 0);
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 9, nowNs);
        assertTrue(attempts.isDue(nowNs));
    }

    @Test
    void shouldNotHoldBreaksLongAgoAgainstAnIdleLink() {
        for (int i = 0; i < TAIL; i++) {
            assertEquals(0, breakAndResume(TAIL, TAIL));
            nowNs += TIMEOUT_NS;
        }
        assertFalse(isOverWhenItBreaksNow());
    }

    @Test
    void shouldBackOffWhileAttemptsFail() {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        final long brokenNs = nowNs;
        assertEquals(0, awaitDue());
        long expectedNs = BackOff.MIN_NS;
        while (!attempts.isOver(nowNs)) {
            attempts.onFailed(BreakReason.DEVICE, nowNs);
            assertEquals(expectedNs, awaitDue());
            expectedNs = Math.min(2 * expectedNs, BackOff.MAX_NS);
        }
        assertTrue(nowNs - brokenNs <= TIMEOUT_NS + BackOff.MAX_NS);
        assertEquals(0, attempts.fruitless());
    }

    @Test
    void shouldNotCountTheTimeInWhichAPeerThatIsWellHasYetToBecomeQuiescent() {
        attempts.onPeerBegun(1);
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        nowNs += 2 * TIMEOUT_NS;
        attempts.look(true, false, nowNs);
        assertFalse(attempts.isOver(nowNs));
        nowNs += TIMEOUT_NS / 2;
        attempts.look(false, false, nowNs);
        attempts.onPeerBroken(1, false, nowNs);
        nowNs += 2 * TIMEOUT_NS;
        attempts.look(true, false, nowNs);
        assertFalse(attempts.isOver(nowNs), "silent for half the time");
        attempts.onPeerBroken(1, true, nowNs);
        nowNs += TIMEOUT_NS / 2;
        attempts.look(true, false, nowNs);
        assertFalse(attempts.isOver(nowNs));
        assertTrue(attempts.isOver(nowNs + 1));
        attempts.onPeerBegun(2);
        nowNs += TIMEOUT_NS;
        attempts.look(true, false, nowNs);
        assertFalse(attempts.isOver(nowNs), "it has begun another epoch, which is broken, too");
        attempts.onPeerQuiescent(2);
        attempts.look(true, false, ++nowNs);
        assertTrue(attempts.isOver(nowNs));
    }

    @Test
    void shouldNotCountTheTimeInWhichTheLinkWaitsForItsTurn() {
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        nowNs += 2 * TIMEOUT_NS;
        attempts.look(true, true, nowNs);
        assertFalse(attempts.isOver(nowNs));
        nowNs += TIMEOUT_NS;
        attempts.look(true, false, nowNs);
        assertFalse(attempts.isOver(nowNs));
        assertTrue(attempts.isOver(nowNs + 1));
    }

    @Test
    void shouldKnowAfterAnErrorOfThisSideThatThePeerIsThereUntilThereIsProgress() {
        assertFalse(attempts.isPeerThere());
        attempts.onError();
        assertTrue(attempts.isPeerThere());
        breakAndResume(8, 0);
        assertFalse(attempts.isPeerThere());
    }

    @Test
    void shouldRememberTheFirstReasonThatSaysSomething() {
        attempts.note(BreakReason.ADMINISTRATIVE);
        assertEquals(BreakReason.ADMINISTRATIVE, attempts.reason());
        attempts.note(BreakReason.DEVICE);
        attempts.note(BreakReason.ADMINISTRATIVE);
        attempts.note(BreakReason.PEER_SILENT);
        assertEquals(BreakReason.DEVICE, attempts.reason());
        breakAndResume(8, 0);
        attempts.onBroken(BreakReason.COMPLETION_ERROR, 0, nowNs);
        assertEquals(BreakReason.COMPLETION_ERROR, attempts.reason());
    }
}
