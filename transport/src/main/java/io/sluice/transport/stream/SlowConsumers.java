package io.sluice.transport.stream;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes out consumers of a subscription's ring that hold others up for too long, one at a time, with their dependants:
 * <pre>
 *   JUDGING → (told to leave) LEAVING → (all are back from their handlers and have left) JUDGING
 *                                └────→ (not back in time) REPLACING → (nothing arrives in what they read) JUDGING
 * </pre>
 * In REPLACING the link whose message a handler is at goes through what a broken link goes through: a new epoch with a
 * new ring; the old one is abandoned to the handler. Conductor only; the data path knows nothing of it.
 */
final class SlowConsumers {
    private static final int PERCENT = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private record Replacement(SubscriptionLink link, long epoch) {
        /** Whether the queue pair is gone that could tell the publication to write on in the old ring. */
        boolean isDone() {
            return link.isQuiescent() || link.epoch() != epoch;
        }
    }

    private final SubscriptionState subscription;
    private final Services services;
    private final Failures failures;
    private final SlowConsumerPolicy policy;
    private final List<GatingConsumer> consumers;
    private final AbandonedRings rings;
    private final List<GatingConsumer> leaving = new ArrayList<>();
    private final List<Replacement> replacements = new ArrayList<>();
    private final List<GatingConsumer> abandoned = new ArrayList<>();
    private boolean isReplacing;
    private boolean hasEvictedPoll;
    private long deadlineNs;
    private long fullEvents;

    SlowConsumers(
        final SubscriptionState subscription, final List<GatingConsumer> consumers, final AbandonedRings rings) {
        this.subscription = subscription;
        this.consumers = consumers;
        this.rings = rings;
        services = subscription.services();
        failures = subscription.services().failures();
        policy = subscription.options().events().slowConsumers();
    }

    int doWork(final long nowNs) {
        if (leaving.isEmpty()) {
            return judge(nowNs);
        }
        if (isReplacing) {
            return goOnWithout();
        }
        leaving.removeIf(GatingConsumer::hasLeft);
        if (!leaving.isEmpty() && nowNs - deadlineNs > 0) {
            replace();
            return 1;
        }
        return 0;
    }

    /**
     * Judges whose own doing it is that others are held up, and evicts that consumer: of those far behind, the one with
     * most events that it could handle.
     */
    private int judge(final long nowNs) {
        final EventRing ring = subscription.eventRing();
        final long windowPercent = windowPercent();
        final boolean isHoldingUp = isHoldingUp(ring) || windowPercent == PERCENT;
        final long cursor = ring.ring().getCursor();
        GatingConsumer culprit = null;
        for (int i = 0; i < consumers.size(); i++) {
            final GatingConsumer consumer = consumers.get(i);
            if (consumer.hasLeft()) {
                continue;
            }
            if (behindPercent(ring, consumer, windowPercent) < policy.behindPercent()) {
                consumer.onKeepingUp(nowNs);
                continue;
            }
            consumer.onFarBehind(isHoldingUp, nowNs);
            if (culprit == null || consumer.ownBacklog(cursor) > culprit.ownBacklog(cursor)) {
                culprit = consumer;
            }
        }
        if (culprit == null || !isHoldingUp || culprit.slowNs(nowNs) < policy.afterNs()) {
            return 0;
        }
        evict(culprit, nowNs);
        return 1;
    }

    private boolean isHoldingUp(final EventRing ring) {
        final long before = fullEvents;
        fullEvents = ring.fullEvents();
        return ring.isFull() || fullEvents != before;
    }

    /**
     * How full the fullest window of an image is with what has arrived, whatever its publication says has been sent:
     * 100 when its publication is being refused, or about to be.
     */
    private long windowPercent() {
        long fullest = 0;
        final List<SubscriptionLink> links = subscription.links();
        for (int i = 0; i < links.size(); i++) {
            final ImagePositions positions = links.get(i).image().link().positions();
            final long windowLength = links.get(i).id().windowLength();
            // before it has joined nothing of it is on the ring
            final long behind = positions.isJoined()
                ? Math.clamp(positions.received() - positions.consumed(), 0, windowLength) : 0;
            final boolean isExhausted =
                (windowLength - behind) * SubscriptionPressure.MESSAGES_PER_WINDOW < windowLength;
            fullest = Math.max(fullest, isExhausted ? PERCENT : behind * PERCENT / windowLength);
        }
        return fullest;
    }

    /**
     * The per cent that a consumer is behind, of the ring or of the fullest window: what others have passed of it is
     * reckoned by events.
     */
    private static long behindPercent(
        final EventRing ring, final GatingConsumer consumer, final long windowPercent) {
        final long distance = ring.distance(consumer.passed());
        final long occupancy = Math.max(ring.occupancy(), 1);
        return Math.max(
            distance * PERCENT / ring.ring().getBufferSize(),
            windowPercent * Math.min(distance, occupancy) / occupancy);
    }

    private void evict(final GatingConsumer culprit, final long nowNs) {
        final long slowNs = culprit.slowNs(nowNs);
        final long distance = subscription.eventRing().distance(culprit.passed());
        final List<String> dependants = new ArrayList<>();
        for (final GatingConsumer consumer : consumers) {
            // before the one that they wait for: what it does not handle, they do not handle either
            if (!consumer.hasLeft() && consumer.dependsOn(culprit)) {
                dependants.add(consumer.progress().name());
                tellToLeave(consumer);
            }
        }
        tellToLeave(culprit);
        subscription.eventRing().wakeConsumers();
        services.parameters().environment().fenceAllThreads();
        deadlineNs = nowNs + policy.timeoutNs();
        hasEvictedPoll = culprit.held() == null;
        failures.reportOnce("consumer evicted: it held others up for " + slowNs / NANOS_PER_MILLI + " ms: name="
            + culprit.progress().name() + " dependants=" + dependants + " eventsBehind=" + distance + " streamId="
            + subscription.streamId() + " channel=" + subscription.channel()
            + (hasEvictedPoll ? "; it is the only one, so its subscription is closed" : ""));
        final ConsumerEviction eviction = new ConsumerEviction(
            culprit.progress().name(), List.copyOf(dependants), subscription.streamId(), distance, slowNs);
        services.listeners().tell(subscription.pressure().listener(), eviction);
        subscription.pressure().onEvicted(eviction);
        if (hasEvictedPoll) {
            subscription.close();
        }
    }

    private void tellToLeave(final GatingConsumer consumer) {
        consumer.progress().evict();
        services.counters().increment(TransportCounter.CONSUMERS_EVICTED);
        leaving.add(consumer);
    }

    /**
     * Replaces the rings under consumers that are not back: whatever they look at must not be written to any more, nor
     * released.
     */
    private void replace() {
        isReplacing = true;
        for (final GatingConsumer consumer : leaving) {
            consumer.remember();
            abandoned.add(consumer);
            final InboundLink inbound = consumer.held().link();
            for (final SubscriptionLink link : linksOf(inbound)) {
                for (final MemoryRegion ring : link.replacedRings().with(link.current().ring())) {
                    rings.abandon(ring, consumer);
                }
                replacements.add(new Replacement(link, link.epoch()));
            }
        }
        for (final Replacement replacement : replacements) {
            if (!replacement.isDone()) {
                replacement.link().onFailed(BreakReason.ADMINISTRATIVE);
            }
        }
    }

    /** The link of an image, or none when it is gone or there is none. */
    private List<SubscriptionLink> linksOf(final InboundLink inbound) {
        return subscription.links().stream().filter(link -> link.image().link() == inbound).toList();
    }

    private int goOnWithout() {
        for (final Replacement replacement : replacements) {
            if (!replacement.isDone()) {
                return 0;
            }
        }
        for (final GatingConsumer consumer : leaving) {
            if (!consumer.hasLeft()) {
                consumer.abandon();
                failures.reportAbandoned("ring under the handler of an evicted consumer that has not come back: name="
                    + consumer.progress().name() + " streamId=" + subscription.streamId());
            }
        }
        subscription.eventRing().wakeConsumers();
        leaving.clear();
        replacements.clear();
        isReplacing = false;
        if (consumers.stream().allMatch(GatingConsumer::hasLeft)) {
            failures.reportOnce("subscription closed: its last consumer was evicted: streamId="
                + subscription.streamId() + " channel=" + subscription.channel());
            subscription.close();
        }
        return 1;
    }

    boolean isAbandoned(final GatingConsumer consumer) {
        return abandoned.contains(consumer);
    }

    boolean hasEvictedPoll() {
        return hasEvictedPoll;
    }
}
