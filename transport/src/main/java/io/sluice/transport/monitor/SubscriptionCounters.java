package io.sluice.transport.monitor;

import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.SubscriptionLink;
import io.sluice.transport.stream.SubscriptionState;
import java.util.List;

/**
 * Brings the counters of subscriptions, their images, rings and consumers up to date. Conductor only.
 */
final class SubscriptionCounters {
    /** A consumer that moves while it is looked at is looked at again so often, then left until the next refresh. */
    private static final int POSITION_ATTEMPTS = 4;

    private final CounterGroups groups;
    private final LatencyCounters latencies;

    SubscriptionCounters(final CounterGroups groups, final FlightEvents flight) {
        this.groups = groups;
        latencies = new LatencyCounters(groups, flight);
    }

    void refresh(final SubscriptionState subscription, final long nowNs) {
        CounterGroup group = groups.find(subscription);
        if (group == null) {
            group = groups.add(subscription, CounterScope.SUBSCRIPTION, key(subscription), null,
                subscription.channel());
        }
        group.set(CounterType.SUBSCRIPTION_POLLS, subscription.pollGuard().snapshot() >>> 1);
        group.set(CounterType.SUBSCRIPTION_LINKS, subscription.links().count());
        group.set(CounterType.SUBSCRIPTION_PRESSURE, subscription.pressure().state().ordinal());
        group.set(CounterType.SUBSCRIPTION_PRESSURE_CAUSE, subscription.pressure().cause().ordinal());
        group.set(CounterType.SUBSCRIPTION_PRESSURE_CHANGES, subscription.pressure().changes());
        final EventRing ring = subscription.eventRing();
        if (ring != null) {
            refresh(subscription, ring);
        }
        final List<SubscriptionLink> links = subscription.links().all();
        for (int i = 0; i < links.size(); i++) {
            refresh(subscription, links.get(i));
        }
        latencies.refresh(subscription, nowNs);
    }

    private CounterKey key(final SubscriptionState subscription) {
        return CounterKeys.ofSubscription(
            groups.nextNumber(), subscription.streamId(), subscription.subscriptionId());
    }

    private void refresh(final SubscriptionState subscription, final EventRing ring) {
        CounterGroup group = groups.find(ring);
        if (group == null) {
            group = groups.add(ring, CounterScope.RING, key(subscription), null, subscription.channel());
        }
        group.set(CounterType.RING_CAPACITY, ring.ring().getBufferSize());
        group.set(CounterType.RING_OCCUPANCY, ring.occupancy());
        group.set(CounterType.RING_MAX_OCCUPANCY, ring.maxOccupancy());
        group.set(CounterType.RING_FULL, ring.fullEvents());
        final List<ConsumerProgress> consumers = ring.consumers();
        for (int i = 0; i < consumers.size(); i++) {
            refresh(subscription, ring, consumers.get(i));
        }
    }

    private void refresh(
        final SubscriptionState subscription, final EventRing ring, final ConsumerProgress consumer) {
        CounterGroup group = groups.find(consumer);
        if (group == null) {
            group = groups.add(
                consumer, CounterScope.CONSUMER, key(subscription), consumer.name(), subscription.channel());
        }
        final long messages = consumer.messages();
        final long sequence = consumer.sequence();
        group.set(CounterType.CONSUMER_STATE, consumer.state().ordinal());
        group.set(CounterType.CONSUMER_SEQUENCE, sequence == EventRing.LEFT ? messages - 1 : sequence);
        group.set(CounterType.CONSUMER_DISTANCE, ring.distance(sequence));
        group.set(CounterType.CONSUMER_MESSAGES, messages);
        group.set(CounterType.CONSUMER_ERRORS, consumer.errors());
        refreshPosition(group, subscription.links().all(), ring, consumer);
    }

    private static void refreshPosition(
        final CounterGroup group, final List<SubscriptionLink> links, final EventRing ring,
        final ConsumerProgress consumer) {
        final InboundLink only = links.size() == 1 ? links.getFirst().image().link() : null;
        if (only == null || !only.positions().isJoined() || consumer.sequence() == EventRing.LEFT) {
            group.set(CounterType.CONSUMER_POSITION, EventRing.UNKNOWN);
            return;
        }
        for (int i = 0; i < POSITION_ATTEMPTS; i++) {
            final long position = ring.position(consumer, only);
            if (position != EventRing.UNKNOWN) {
                group.set(CounterType.CONSUMER_POSITION, position);
                return;
            }
        }
    }

    private void refresh(final SubscriptionState subscription, final SubscriptionLink link) {
        final ImageState image = link.image();
        CounterGroup group = groups.find(link);
        if (group == null) {
            final TransportId publisher = link.id().peerId();
            group = groups.add(link, CounterScope.IMAGE,
                new CounterKey(groups.nextNumber(), subscription.streamId(), image.sessionId(), link.id().linkId(),
                    publisher.high(), publisher.low(), subscription.subscriptionId()),
                image.sourceIdentity(), subscription.channel());
        }
        // read from the back, so that what is shown is ordered as the positions are, whatever moves meanwhile
        final ImagePositions positions = image.link().positions();
        final long reported = Math.max(0, positions.reported());
        final long consumed = positions.consumed();
        group.set(CounterType.IMAGE_STATE, link.state().status().ordinal());
        group.set(CounterType.IMAGE_REPORTED, reported);
        group.set(CounterType.IMAGE_CONSUMED, consumed);
        group.set(CounterType.IMAGE_WALKED, positions.walked());
        group.set(CounterType.IMAGE_RECEIVED, positions.received());
        group.set(CounterType.IMAGE_MESSAGES, positions.messages());
        group.set(CounterType.IMAGE_BYTES, Math.max(0, consumed - image.joinPosition()));
    }
}
