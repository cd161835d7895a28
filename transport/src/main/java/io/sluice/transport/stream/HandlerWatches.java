package io.sluice.transport.stream;

import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.flight.HandlerWatch;
import io.sluice.transport.receive.EventRing;
import java.util.ArrayList;
import java.util.List;

/**
 * The watches of a subscription's handlers, while a recording wants to know of slow ones: of the program that polls by
 * whether it is inside the same poll, of a consumer of a graph by whether it is at the same message while it has one.
 * Conductor only; the data path counts what is looked at anyway.
 */
final class HandlerWatches {
    /** The program that polls, by its name in recordings. */
    private static final String POLL = "poll";

    private final FlightEvents flight;
    private final SubscriptionOptions options;
    private final EntryGuard pollGuard;
    /** The ring of the consumers, or null where the program polls. */
    private final EventRing ring;
    /** The consumers of a graph, in the order in which they were added; those that have left stay in it. */
    private final List<GatingConsumer> consumers = new ArrayList<>();
    /** The watch of the program that polls, and one for each consumer after it; empty while nobody wants to know. */
    private final List<HandlerWatch> watches = new ArrayList<>();

    HandlerWatches(
        final FlightEvents flight,
        final SubscriptionOptions options,
        final EntryGuard pollGuard,
        final EventRing ring) {
        this.flight = flight;
        this.options = options;
        this.pollGuard = pollGuard;
        this.ring = ring;
    }

    /** Adds a consumer of a graph. Before the conductor knows the subscription. */
    void add(final GatingConsumer consumer) {
        consumers.add(consumer);
    }

    /** Looks at all of them, each duty cycle. */
    void look() {
        if (!flight.isWatchingHandlers()) {
            watches.clear();
            return;
        }
        if (watches.isEmpty()) {
            watch(POLL);
            consumers.forEach(consumer -> watch(consumer.progress().name()));
        }
        final long polls = pollGuard.snapshot();
        watches.getFirst().look((polls & 1) != 0, polls >>> 1);
        for (int i = 0; i < consumers.size(); i++) {
            final GatingConsumer consumer = consumers.get(i);
            final boolean isBusy = !consumer.hasLeft() && consumer.ownBacklog(ring.ring().getCursor()) > 0;
            watches.get(i + 1).look(isBusy, consumer.progress().messages());
        }
    }

    private void watch(final String consumer) {
        watches.add(flight.watch(options.channel(), options.streamId(), consumer));
    }
}
