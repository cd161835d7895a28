package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.ErrorKind;
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
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>JUDGING</td><td>a consumer is far behind by its own doing, for long enough, while others are held up</td>
 *     <td>conductor</td></tr>
 *   <tr><td>LEAVING</td><td>the handlers return, and the consumers see that they are to leave; or the evict timeout
 *     is over</td><td>consumers'</td></tr>
 *   <tr><td>REPLACING</td><td>the queue pair of each ring that a handler is reading is destroyed, and what had arrived
 *     taken; or the link is in another epoch already</td><td>set-up, polling</td></tr>
 * </table>
 * In REPLACING the link whose message a handler is at goes through what a broken link goes through: a new epoch with a
 * new ring; the old one is abandoned to the handler. Conductor only; the data path knows nothing of it. Which consumer
 * is the slow one of several, and why memory is abandoned and not reused, is in
 * {@code docs/decisions/009-slow-subscribers-and-consumers.md}.
 */
final class SlowConsumers {
    private static final int PERCENT = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * A link that goes on in another ring.
     *
     * @param link  whose ring a handler is reading.
     * @param epoch that the ring is of: when the link is in a later one, nothing writes there any more.
     */
    private record Replacement(SubscriptionLink link, long epoch) {
        /** Whether the queue pair is gone that could tell the publication to write on in the old ring. */
        boolean isDone() {
            return link.resumption().isQuiescent() || link.epoch() != epoch;
        }
    }

    /** Learns of what was done about a slow consumer. Conductor. */
    interface Listener {
        /** Notes that a consumer was told to leave, with all that wait for it. */
        void onEvicted(ConsumerEviction eviction);

        /** Notes that nobody is left who could consume: the subscription is to be closed. */
        void onNobodyLeft();
    }

    private final Services services;
    private final SubscriptionOptions options;
    private final EventRing ring;
    private final SubscriptionLinks links;
    private final Listener listener;
    private final SlowConsumerPolicy policy;
    /** All consumers of the ring, in the order in which they were added; those that have left stay in it. */
    private final List<GatingConsumer> consumers;
    /** Rings that a handler may be reading for ever; whoever would release one gives it up to them. */
    private final AbandonedRings rings;
    /** Consumers that were told to leave and have not yet; empty while JUDGING. */
    private final List<GatingConsumer> leaving = new ArrayList<>();
    /** Links whose rings are being replaced; empty but in REPLACING. */
    private final List<Replacement> replacements = new ArrayList<>();
    /** Consumers that memory was abandoned to: a close does not wait for them, since they may never come back. */
    private final List<GatingConsumer> abandoned = new ArrayList<>();
    /** Whether the time to leave is over: it tells REPLACING from LEAVING. */
    private boolean isReplacing;
    /**
     * Whether the one that was evicted is {@code poll} itself, so that the subscription is closed. Never taken back.
     */
    private boolean hasEvictedPoll;
    /** The time of the conductor's clock at which the evict timeout is over; set with each eviction. */
    private long deadlineNs;
    /**
     * The number of times that the ring had been found full at the last look: a ring that fills and empties between two
     * looks holds others up as well.
     */
    private long fullEvents;

    /**
     * Creates the judge of a ring's consumers, of whom none is slow yet.
     *
     * @param context   of the subscription's links.
     * @param ring      that the consumers take from.
     * @param consumers all of them; those added later are judged, too.
     * @param links     whose messages are on the ring.
     * @param listener  told of evictions.
     */
    SlowConsumers(
        final SubscriptionContext context,
        final EventRing ring,
        final List<GatingConsumer> consumers,
        final SubscriptionLinks links,
        final Listener listener) {
        this.ring = ring;
        this.consumers = consumers;
        this.links = links;
        this.listener = listener;
        services = context.services();
        options = context.options();
        rings = context.rings();
        policy = options.events().slowConsumers();
    }

    /**
     * Goes one step on, each duty cycle while the subscription is open. Only one eviction is under way at a time: with
     * the slow one gone, the others may be fast enough.
     *
     * @param nowNs time of the conductor's clock, by which the policy's times count.
     * @return 1 when somebody was evicted, or the ring goes on without the one that was.
     */
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
     * most events that it could handle. Whoever has none at a look has waited until then. Without that, one that is
     * about to begin with a batch of the consumer which it waits for would be blamed for the whole time before.
     */
    private int judge(final long nowNs) {
        final long windowPercent = windowPercent();
        final boolean isHoldingUp = isHoldingUp() || windowPercent == PERCENT;
        final long cursor = ring.ring().getCursor();
        GatingConsumer culprit = null;
        for (int i = 0; i < consumers.size(); i++) {
            final GatingConsumer consumer = consumers.get(i);
            if (consumer.hasLeft()) {
                continue;
            }
            if (behindPercent(consumer, windowPercent) < policy.behindPercent()) {
                consumer.onKeepingUp(nowNs);
                continue;
            }
            if (consumer.ownBacklog(cursor) == 0) {
                consumer.onWaiting();
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

    /**
     * Whether publications are held up by this ring, now or since the last look. A consumer that is behind while nobody
     * waits for it harms nobody.
     */
    private boolean isHoldingUp() {
        final long before = fullEvents;
        fullEvents = ring.fullEvents();
        return ring.isFull() || fullEvents != before;
    }

    /**
     * The per cent to which the fullest window of an image is full with what has arrived, whatever its publication says
     * has been sent: 100 when its publication is being refused, or about to be.
     */
    private long windowPercent() {
        long fullest = 0;
        final List<SubscriptionLink> all = links.all();
        for (int i = 0; i < all.size(); i++) {
            final ImagePositions positions = all.get(i).image().link().positions();
            final long windowLength = all.get(i).id().windowLength();
            final long received = positions.received();
            // before it has joined nothing of it is on the ring
            final long behind =
                positions.isJoined() ? Math.clamp(received - positions.consumed(), 0, windowLength) : 0;
            fullest = Math.max(fullest, SubscriptionPressure.isExhausted(windowLength, received, behind)
                ? PERCENT : behind * PERCENT / windowLength);
        }
        return fullest;
    }

    /**
     * The per cent that a consumer is behind, of the ring or of the fullest window: what others have passed of it is
     * reckoned by events.
     */
    private long behindPercent(final GatingConsumer consumer, final long windowPercent) {
        final long distance = ring.distance(consumer.passed());
        final long occupancy = Math.max(ring.occupancy(), 1);
        return Math.max(
            distance * PERCENT / ring.ring().getBufferSize(),
            windowPercent * Math.min(distance, occupancy) / occupancy);
    }

    /**
     * Tells a consumer and all that wait for it to leave, and tells the application and the publications. The fence
     * comes behind the telling: what a consumer takes afterwards it does not handle, so that the event that it is known
     * to be at is the last one. A single {@code poll} cannot be left out: its subscription is closed instead, and
     * nobody is replaced.
     */
    private void evict(final GatingConsumer culprit, final long nowNs) {
        final long slowNs = culprit.slowNs(nowNs);
        final long distance = ring.distance(culprit.passed());
        final List<String> dependants = new ArrayList<>();
        for (final GatingConsumer consumer : consumers) {
            // before the one that they wait for: what it does not handle, they do not handle either
            if (!consumer.hasLeft() && consumer.dependsOn(culprit)) {
                dependants.add(consumer.progress().name());
                tellToLeave(consumer);
            }
        }
        tellToLeave(culprit);
        ring.wakeConsumers();
        services.parameters().environment().fenceAllThreads();
        deadlineNs = nowNs + policy.timeoutNs();
        hasEvictedPoll = culprit.held() == null;
        services.failures().reportOnce(ErrorKind.CONSUMER_EVICTED, "consumer evicted: it held others up for "
            + slowNs / NANOS_PER_MILLI + " ms: name=" + culprit.progress().name() + " dependants=" + dependants
            + " eventsBehind=" + distance + " streamId=" + options.streamId() + " channel=" + options.channel()
            + (hasEvictedPoll ? "; it is the only one, so its subscription is closed" : ""));
        final ConsumerEviction eviction = new ConsumerEviction(
            culprit.progress().name(), List.copyOf(dependants), options.streamId(), distance, slowNs);
        listener.onEvicted(eviction);
        if (hasEvictedPoll) {
            listener.onNobodyLeft();
        }
    }

    /**
     * Tells a consumer to leave, which it does as soon as it is back from its handler. Its thread is not interrupted:
     * what its handler does is the application's.
     */
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
                for (final MemoryRegion read : link.epochs().rings()) {
                    rings.abandon(read, consumer);
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

    /**
     * The link of an image; none when it is gone, so that nothing writes into its ring, and none when the consumer has
     * not taken an event yet.
     */
    private List<SubscriptionLink> linksOf(final InboundLink inbound) {
        return links.all().stream().filter(link -> link.image().link() == inbound).toList();
    }

    /**
     * Ends gating of those that have not come back, once nothing arrives any more in what they read: not before, or the
     * publication would write over the message under a handler. Their thread finds its sequence moved when it returns,
     * and leaves. Without any consumer left the subscription has nobody to hand messages to, and is closed.
     *
     * @return 0 while a queue pair is still to be destroyed: the next duty cycle looks again.
     */
    private int goOnWithout() {
        for (final Replacement replacement : replacements) {
            if (!replacement.isDone()) {
                return 0;
            }
        }
        for (final GatingConsumer consumer : leaving) {
            if (!consumer.hasLeft()) {
                consumer.abandon();
                services.failures().reportAbandoned(
                    "ring under the handler of an evicted consumer that has not come back: name="
                    + consumer.progress().name() + " streamId=" + options.streamId());
            }
        }
        ring.wakeConsumers();
        leaving.clear();
        replacements.clear();
        isReplacing = false;
        if (consumers.stream().allMatch(GatingConsumer::hasLeft)) {
            services.failures().reportOnce(ErrorKind.CONSUMER_EVICTED,
                "subscription closed: its last consumer was evicted: streamId=" + options.streamId()
                    + " channel=" + options.channel());
            listener.onNobodyLeft();
        }
        return 1;
    }

    /** {@return whether memory was abandoned to a consumer, so that a close is not to wait for it} */
    boolean isAbandoned(final GatingConsumer consumer) {
        return abandoned.contains(consumer);
    }

    /**
     * {@return whether the close of the subscription comes of an eviction: its handler then has the evict timeout to
     * return}
     */
    boolean hasEvictedPoll() {
        return hasEvictedPoll;
    }
}
