package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Credits of one end, with messages that are only counted. */
class ControlCreditsTest {
    private static final int DEPTH = 16;
    /** Receives of the peer that messages leave for those that only return credit. */
    private static final int RESERVE = 4;

    private final ControlCredits credits = new ControlCredits(DEPTH);

    @Test
    void shouldLeaveTheLastReceivesOfThePeerForReturnedCredit() {
        receive(DEPTH / 2);
        assertTrue(credits.isReturnDue());

        sendAndComplete(DEPTH - RESERVE);
        receive(DEPTH / 2);

        assertFalse(credits.hasRoom());
        assertTrue(credits.isReturnDue());
    }

    @Test
    void shouldReturnNoCreditWithoutAReceiveOfThePeer() {
        sendAndComplete(DEPTH);
        receive(DEPTH / 2);
        assertFalse(credits.isReturnDue());

        assertTrue(credits.take(1));

        assertTrue(credits.isReturnDue());
    }

    @Test
    void shouldReturnCreditAfterHalfOfAllReceivesOnly() {
        receive(DEPTH / 2 - 1);
        assertFalse(credits.isReturnDue());
        receive(1);
        assertTrue(credits.isReturnDue());

        credits.onSent();

        assertFalse(credits.isReturnDue(), "the message has told it");
    }

    @Test
    void shouldWaitForASlotThoughThePeerHasAReceive() {
        for (int i = 0; i < DEPTH; i++) {
            credits.onSent();
        }
        assertTrue(credits.take(DEPTH));
        assertFalse(credits.hasRoom());
        assertFalse(credits.haveAllSendsCompleted());

        credits.onSendCompleted();

        assertTrue(credits.hasRoom());
        assertEquals(0, credits.nextSlot());
    }

    @Test
    void shouldTakeNoCreditThatDoesNotAddUp() {
        sendAndComplete(3);
        assertTrue(credits.take(2));

        assertFalse(credits.take(1), "it goes back");
        assertFalse(credits.take(4), "more than was sent");
        assertTrue(credits.take(3));
    }

    private void sendAndComplete(final int count) {
        for (int i = 0; i < count; i++) {
            credits.onSent();
            credits.onSendCompleted();
        }
    }

    private void receive(final int count) {
        for (int i = 0; i < count; i++) {
            credits.onReceived();
        }
    }
}
