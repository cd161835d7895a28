package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.Await;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Reports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pollers that wait for completion events lose nothing, and leave their core while nothing comes. */
@Tag("slow")
class CompletionModeEndToEndTest {
    private static final int MESSAGES = 20_000;
    private static final String MODES = "sluice.poller.completion.modes=";
    /** Short, so that a poller that spins for a while sleeps often. */
    private static final String SPIN_TIME = "sluice.poller.spin.time=20us";
    private static final int WINDOWS = 5;
    /** An idle process takes a twentieth of what one takes that spins, and more while compilers are at work. */
    private static final int IDLE_SHARE = 3;
    private static final long WINDOW_NS = Duration.ofSeconds(1).toNanos();

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

    /** Processor time of a subscriber and a publisher that have nothing to do, beside that of a poller that spins. */
    @Test
    void shouldLeaveTheProcessorWhileNothingComes() {
        final double spinning = idleLoad("spin", "sluice.poller.idle.strategy=busy-spin");
        for (final String mode : List.of("event", "adaptive")) {
            assertTrue(idleLoad(mode, SPIN_TIME) < spinning / IDLE_SHARE, mode + ", spinning=" + spinning);
        }
    }

    private double idleLoad(final String mode, final String property) {
        final String channel = " channel=sluice:ipc?endpoint=" + mode + "|mode=dedicated stream=1";
        final ChildJvm subscriber = fabric.start("subscriber-" + mode, MODES + mode, property);
        final ChildJvm publisher = fabric.start("publisher-" + mode, MODES + mode, property);
        subscriber.ask("consume names=" + mode + channel, "OK");
        publisher.ask("publish name=p-" + mode + " id=1 count=1000" + channel, "OK");
        publisher.await("PUBLISHED count=1000 result=NONE");
        Await.until("all messages", () ->
            subscriber.ask("state name=" + mode, "STATE name=" + mode).number("messages") == 1000);
        final List<Double> subscriberLoads = new ArrayList<>();
        final List<Double> publisherLoads = new ArrayList<>();
        for (int i = 0; i < WINDOWS; i++) {
            final Duration subscriberBegin = processorTime(subscriber);
            final Duration publisherBegin = processorTime(publisher);
            final long beginNs = System.nanoTime();
            Await.until("the end of the measurement", () -> System.nanoTime() - beginNs >= WINDOW_NS);
            final double elapsedNs = System.nanoTime() - beginNs;
            subscriberLoads.add(processorTime(subscriber).minus(subscriberBegin).toNanos() * 100 / elapsedNs);
            publisherLoads.add(processorTime(publisher).minus(publisherBegin).toNanos() * 100 / elapsedNs);
        }
        System.out.printf(Locale.ROOT, "idle, completion mode %s: subscriber %s, publisher %s (%% of a core)%n",
            mode, subscriberLoads, publisherLoads);
        publisher.exit();
        subscriber.exit();
        // compilers may still be at work in the first ones
        return subscriberLoads.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private static Duration processorTime(final ChildJvm child) {
        return ProcessHandle.of(child.pid()).flatMap(process -> process.info().totalCpuDuration()).orElseThrow();
    }
}
