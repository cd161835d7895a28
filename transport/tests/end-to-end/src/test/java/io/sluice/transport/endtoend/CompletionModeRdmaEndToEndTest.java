package io.sluice.transport.endtoend;

import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.IdleLoad;
import io.sluice.transport.harness.RdmaPlaces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pollers that wait for the completion events of a verbs device lose nothing, and leave their core while nothing comes.
 */
class CompletionModeRdmaEndToEndTest {
    private static final int MESSAGES = 3_000;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @ParameterizedTest
    @ValueSource(strings = {"event window=64k", "adaptive window=256k|ring=64", "event window=64k|cq=legacy"})
    void shouldDeliverBetweenTwoProcesses(final String parameters) {
        final RdmaPlaces places = RdmaPlaces.assumed();
        final String mode = parameters.split(" ")[0];
        final String channel = places.newEndpoint() + "|mode=dedicated|" + parameters.split(" ")[1];
        CompletionModeEndToEndTest.deliver(
            fabric, mode, places.ofSubscriber(channel), places.ofPublisher(channel), "mix", MESSAGES);
    }

    @Test
    void shouldLeaveTheProcessorWhileNothingComes() {
        final RdmaPlaces places = RdmaPlaces.assumed();
        final String channel = places.newEndpoint() + "|mode=dedicated";
        new IdleLoad(fabric, places.ofSubscriber(channel), places.ofPublisher(channel))
            .assertLowWithEvents(CompletionModeEndToEndTest.SPIN_TIME);
    }
}
