package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Processor time of a subscriber and a publisher that have nothing to do, by the completion mode of their pollers. */
public final class IdleLoad {
    private static final int MESSAGES = 1000;
    private static final int WINDOWS = 5;
    private static final long WINDOW_NS = Duration.ofSeconds(1).toNanos();
    /** An idle process takes a twentieth of what one takes that spins, and more while compilers are at work. */
    private static final int IDLE_SHARE = 3;
    private static final String MODE = "sluice.poller.completion.modes=";

    private final Fabric fabric;
    private final String subscribed;
    private final String published;

    /**
     * Two processes for each mode.
     *
     * @param subscribed parameter {@code channel} of a subscription in dedicated mode, with its stream.
     * @param published  the same of the publication.
     */
    public IdleLoad(final Fabric fabric, final String subscribed, final String published) {
        this.fabric = fabric;
        this.subscribed = subscribed;
        this.published = published;
    }

    /** Pollers that wait for events take less than a third of what one takes that spins. */
    public void assertLowWithEvents(final String spinTime) {
        final double spinning = measure("spin", "sluice.poller.idle.strategy=busy-spin");
        for (final String mode : List.of("event", "adaptive")) {
            assertTrue(measure(mode, spinTime) < spinning / IDLE_SHARE, mode + ", spinning=" + spinning);
        }
    }

    private double measure(final String mode, final String property) {
        final ChildJvm subscriber = fabric.start("subscriber-" + mode, MODE + mode, property);
        final ChildJvm publisher = fabric.start("publisher-" + mode, MODE + mode, property);
        subscriber.ask("consume names=" + mode + subscribed, "OK");
        publisher.ask("publish name=p-" + mode + " id=1 count=" + MESSAGES + published, "OK");
        publisher.await("PUBLISHED count=" + MESSAGES + " result=NONE");
        Await.until("all messages", () ->
            subscriber.ask("state name=" + mode, "STATE name=" + mode).number("messages") == MESSAGES);
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
