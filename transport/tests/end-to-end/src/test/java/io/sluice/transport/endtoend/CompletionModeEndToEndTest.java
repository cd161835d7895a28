package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.IdleLoad;
import io.sluice.transport.harness.Reports;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pollers that wait for completion events lose nothing, and leave their core while nothing comes. */
@Tag("long")
class CompletionModeEndToEndTest {
    private static final int MESSAGES = 20_000;
    private static final String MODES = "sluice.poller.completion.modes=";
    /** Short, so that a poller that spins for a while sleeps often. */
    static final String SPIN_TIME = "sluice.poller.spin.time=20us";

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @ParameterizedTest
    @ValueSource(strings = {
        "event log=shared|window=4k", "event log=copied|window=1m", "adaptive log=shared|window=1m|ring=64",
        "adaptive log=copied|window=4k"
    })
    void shouldDeliverBetweenTwoProcesses(final String parameters) {
        final String mode = parameters.split(" ")[0];
        final String channel = " channel=sluice:ipc?mode=dedicated|" + parameters.split(" ")[1] + " stream=1";
        deliver(fabric, mode, channel, channel, parameters.contains("4k") ? "even" : "mix", MESSAGES);
    }

    /** The consumer pauses at times, so that the poller is held up, and falls asleep in between. */
    static void deliver(
        final Fabric fabric, final String mode, final String subscribed, final String published, final String lengths,
        final int messages) {
        final ChildJvm subscriber = fabric.start("subscriber", MODES + mode, SPIN_TIME);
        final ChildJvm publisher = fabric.start("publisher", MODES + mode, SPIN_TIME);
        subscriber.ask("subscribe name=s" + subscribed, "OK");
        publisher.ask("publish name=p id=1 lengths=" + lengths + " hold=true count=" + messages + published, "OK");
        subscriber.await("AVAILABLE name=s join=0");
        publisher.ask("go name=p", "OK");
        for (int i = 1; i <= 3; i++) {
            subscriber.awaitMessages("s", messages * i / 8);
            subscriber.ask("pause name=s", "PAUSED");
            subscriber.ask("resume name=s", "RESUMED");
        }
        publisher.await("PUBLISHED name=p count=" + messages + " result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true messages=" + messages);
        publisher.exit();
        subscriber.exit();
        assertEquals(messages, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @Test
    void shouldLeaveTheProcessorWhileNothingComes() {
        final String channel = " channel=sluice:ipc?mode=dedicated stream=1";
        new IdleLoad(fabric, channel, channel).assertLowWithEvents(SPIN_TIME);
    }
}
