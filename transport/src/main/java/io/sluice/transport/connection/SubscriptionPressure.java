package io.sluice.transport.connection;

import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.PressureState;
import java.util.List;

/**
 * The pressure on a subscription: with a ring, by how full that is; without one, by how much of its window an image
 * has not consumed. The conductor's.
 */
final class SubscriptionPressure extends PressureSignal {
    /** Less room than the longest message may need: its publication is being refused, or about to be. */
    private static final int MESSAGES_PER_WINDOW = 8;

    private final SubscriptionState subscription;
    private long fullEvents;
    private boolean isOverrun;

    SubscriptionPressure(final SubscriptionState subscription) {
        super(subscription.conductor(), subscription.streamId());
        this.subscription = subscription;
    }

    /** A completion queue has overrun. */
    void onOverrun() {
        isOverrun = true;
    }

    @Override
    boolean sample(final PressureGauge gauge, final long nanoTime) {
        if (isOverrun) {
            isOverrun = false;
            return gauge.raise(PressureState.OVERRUN, BackPressureCause.CQ_OVERRUN, nanoTime);
        }
        return subscription.eventRing() == null
            ? sampleImages(gauge, nanoTime) : sample(subscription.eventRing(), gauge, nanoTime);
    }

    private boolean sample(final EventRing ring, final PressureGauge gauge, final long nanoTime) {
        final long fullBefore = fullEvents;
        fullEvents = ring.fullEvents();
        final int capacity = ring.ring().getBufferSize();
        final long occupancy = ring.occupancy();
        if (fullEvents != fullBefore || occupancy == capacity) {
            return gauge.raise(PressureState.OVERRUN, BackPressureCause.RING_FULL, nanoTime);
        }
        return fill(gauge, BackPressureCause.RING_FULL, occupancy, capacity, nanoTime);
    }

    private boolean sampleImages(final PressureGauge gauge, final long nanoTime) {
        final SubscriptionLink slowest = slowest();
        if (slowest == null) {
            return gauge.settle(nanoTime);
        }
        final long windowLength = slowest.id().windowLength();
        final long behind = bytesBehind(slowest);
        if (windowLength - behind < windowLength / MESSAGES_PER_WINDOW) {
            return gauge.raise(PressureState.OVERRUN, BackPressureCause.WINDOW_EXHAUSTED, nanoTime);
        }
        return fill(gauge, BackPressureCause.WINDOW_EXHAUSTED, behind, windowLength, nanoTime);
    }

    @Override
    int sessionId() {
        final SubscriptionLink slowest = slowest();
        return slowest == null ? 0 : slowest.image().sessionId();
    }

    /** The consumer that the ring waits for, or the program itself that polls. */
    @Override
    String laggard() {
        final EventRing ring = subscription.eventRing();
        if (ring == null) {
            return slowest() == null ? "" : "poll";
        }
        ConsumerProgress slowest = null;
        final List<ConsumerProgress> consumers = ring.consumers();
        for (int i = 0; i < consumers.size(); i++) {
            final ConsumerProgress consumer = consumers.get(i);
            if (consumer.state() != ConsumerState.DEAD
                && (slowest == null || consumer.sequence() < slowest.sequence())) {
                slowest = consumer;
            }
        }
        return slowest == null ? "" : slowest.name();
    }

    @Override
    long bytesBehind() {
        final SubscriptionLink slowest = slowest();
        return slowest == null ? 0 : bytesBehind(slowest);
    }

    private static long bytesBehind(final SubscriptionLink link) {
        final InboundLink inbound = link.image().link();
        // consumed only grows: what is read of it first cannot be ahead of received
        final long consumed = inbound.consumed();
        return Math.max(0, inbound.received() - consumed);
    }

    private SubscriptionLink slowest() {
        SubscriptionLink slowest = null;
        final List<SubscriptionLink> links = subscription.links();
        for (int i = 0; i < links.size(); i++) {
            final SubscriptionLink link = links.get(i);
            if (link.image().link().isJoined() && (slowest == null || bytesBehind(link) > bytesBehind(slowest))) {
                slowest = link;
            }
        }
        return slowest;
    }
}
