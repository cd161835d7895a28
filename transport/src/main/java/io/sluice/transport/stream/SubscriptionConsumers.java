package io.sluice.transport.stream;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.agent.Services;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.status.ConsumerEviction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The consumers of a subscription, with a thread each: {@code poll}, or the consumers of a graph. They are added before
 * the conductor knows the subscription; afterwards this is the conductor's, but for {@link #polledBy(Thread)}.
 */
public final class SubscriptionConsumers {
    /** The closing of a subscription that nobody consumes any more. */
    interface Closing {
        /** {@return whether somebody has closed it} Any thread. */
        boolean isClosed();

        /** Stops handing out messages. Any thread; idempotent. */
        void close();
    }

    private final Services services;
    private final SubscriptionOptions options;
    private final EventRing ring;
    private final EntryGuard pollGuard;
    private final PollingThread pollingThread;
    private final AbandonedRings rings;
    private final List<GatingConsumer> consumers = new ArrayList<>();
    private final HandlerWatches watches;
    /** The judge of slow ones; null when the policy is to wait for them. */
    private final SlowConsumers slow;
    /** The consumers that the close waits for; set when it begins. */
    private List<GatingConsumer> awaited = List.of();
    private long pollSnapshot;

    /**
     * Creates the consumers of a subscription, of which there are none yet.
     *
     * @param context   of the subscription's links.
     * @param pollGuard that a polling thread is inside of.
     * @param ring      that they take from; null in INVOKER mode.
     * @param links     whose messages they consume.
     * @param pressure  that they are under.
     * @param closing   of the subscription.
     */
    SubscriptionConsumers(
        final SubscriptionContext context,
        final EntryGuard pollGuard,
        final EventRing ring,
        final SubscriptionLinks links,
        final SubscriptionPressure pressure,
        final Closing closing) {
        this.pollGuard = pollGuard;
        this.ring = ring;
        services = context.services();
        options = context.options();
        rings = context.rings();
        pollingThread = new PollingThread(services,
            "streamId=" + options.streamId() + " channel=" + options.channel(), closing::isClosed, closing::close);
        watches = new HandlerWatches(services.flight(), options, pollGuard, ring);
        slow = options.events().slowConsumers().isEvicting()
            ? new SlowConsumers(context, ring, consumers, links, new SlowConsumers.Listener() {
                @Override
                public void onEvicted(final ConsumerEviction eviction) {
                    services.flight().consumerEvicted(options.channel(), eviction);
                    services.listeners().tell(pressure.listener(), eviction);
                    pressure.onEvicted(eviction);
                }

                @Override
                public void onNobodyLeft() {
                    closing.close();
                }
            }) : null;
    }

    /**
     * Adds the consumer behind {@code poll}, which gates the ring. Before the conductor knows the subscription.
     *
     * @param progress of the consumer.
     */
    public void add(final ConsumerProgress progress) {
        ring.addConsumer(progress);
        consumers.add(new GatingConsumer(progress, ring.consumerSequence(), false, List.of()));
    }

    /**
     * Adds a consumer of a graph, which gates the ring. Before the conductor knows the subscription.
     *
     * @param name         for people.
     * @param sequence     the last event that it is done with; when the policy is to evict, it must be moved by
     *                     comparing with what it was.
     * @param predecessors the consumers that it waits for, by the order in which they were added.
     * @return what it shares with the conductor.
     */
    public GatingConsumer add(final String name, final Sequence sequence, final Stream<Integer> predecessors) {
        final GatingConsumer added = new GatingConsumer(new ConsumerProgress(name, sequence, ring.times()), sequence,
            slow != null, predecessors.map(consumers::get).toList());
        ring.addConsumer(added.progress());
        consumers.add(added);
        watches.add(added);
        return added;
    }

    /**
     * Notes which thread polls. That thread, once.
     *
     * @param thread that no other one follows.
     */
    void polledBy(final Thread thread) {
        pollingThread.is(thread);
    }

    /**
     * Lets go of rings that were abandoned to consumers which have come back, and looks after those that have not.
     *
     * @param isServed whether the subscription is open, and nobody has closed it: else nobody is judged.
     * @param nowNs    time of the conductor's clock.
     * @return 1 when somebody was evicted, or the ring goes on without the one that was.
     */
    int doWork(final boolean isServed, final long nowNs) {
        rings.look();
        watches.look();
        if (!isServed) {
            return 0;
        }
        pollingThread.look(nowNs);
        return slow == null ? 0 : slow.doWork(nowNs);
    }

    /** The time in nanoseconds to wait for a handler when the subscription is closed. */
    long closeTimeoutNs() {
        return slow != null && slow.hasEvictedPoll()
            ? options.events().slowConsumers().timeoutNs()
            : services.parameters().durations().lingerTimeoutNs();
    }

    /** Starts to wait for all consumers, after a fence; those to whom memory was abandoned are not waited for. */
    void beginClose() {
        awaited = consumers.stream().filter(consumer -> slow == null || !slow.isAbandoned(consumer)).toList();
        awaited.forEach(GatingConsumer::remember);
        pollSnapshot = pollGuard.snapshot();
    }

    /** {@return whether all of them were outside since the close began, so that nobody reads any message} */
    boolean haveLeft() {
        boolean haveLeft = pollGuard.hasLeftSince(pollSnapshot);
        for (final GatingConsumer consumer : awaited) {
            haveLeft &= consumer.hasBeenOutside();
        }
        return haveLeft;
    }
}
