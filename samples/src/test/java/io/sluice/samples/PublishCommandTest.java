package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PublishCommandTest {
    @Test
    void shouldTellWhetherSubscribersHaveReceivedWhatWasSent() {
        assertEquals(
            "Sent 1,000 messages; every subscriber has received them", PublishCommand.outcome(1000, true));
        assertEquals("Sent 1 messages; not every subscriber has confirmed them", PublishCommand.outcome(1, false));
    }

    @Test
    void shouldNotClaimThatAnybodyHasReceivedNothing() {
        assertEquals("Sent no message: nobody has subscribed", PublishCommand.outcome(0, true));
    }
}
