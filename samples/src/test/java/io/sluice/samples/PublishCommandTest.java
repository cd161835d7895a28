package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PublishCommandTest {
    @Test
    void shouldTellWhetherSubscribersHaveReceivedWhatWasSent() {
        assertEquals(
            "Sent 1,000 messages; every subscriber that stayed has received them",
            PublishCommand.outcome(1000, true, false));
        assertEquals(
            "Sent 1 messages; not every subscriber has confirmed them", PublishCommand.outcome(1, false, false));
    }

    @Test
    void shouldNotClaimThatSubscribersHaveAllWhichLeftBefore() {
        assertEquals("Sent 5 messages; no subscriber was left at the end, and those before may lack the latest",
            PublishCommand.outcome(5, true, true));
    }

    @Test
    void shouldNotClaimThatAnybodyHasReceivedNothing() {
        assertEquals("Sent no message: nobody has subscribed", PublishCommand.outcome(0, true, true));
    }
}
