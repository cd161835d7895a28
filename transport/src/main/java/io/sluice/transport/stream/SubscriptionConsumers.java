package io.sluice.transport.stream;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.agent.Services;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The consumers of a subscription, with a thread each: {@code poll}, or the consumers of a graph. They are added before
 * the conductor knows the subscription; afterwards this is the conductor's, but for {@link #polledBy(Thread)}.
 */
public final class SubscriptionConsumers {
    /** A subscription, as far as its consumers concern it. */
    interface Subject {
        /** {@return whether nobody has closed it yet} */
        boolean isClosed();

        /** {@return whether the subscription is open, and its end has not begun} */
        boolean isOpen();

        /** Stops handing out messages. */
        void close();

        /** {@return the ring that the consumers take from; null in INVOKER mode} */
        EventRing eventRing();

        /** {@return all its links, a list that changes} */
        List<SubscriptionLink> links();

        /** {@return the pressure that it is under} */
        SubscriptionPressure pressure();
    }

    private final Subject subscription;
    private final Services services;
    private final SubscriptionOptions options;
    private final EntryGuard pollGuard = new EntryGuard();
    private final PollingThread pollingThread;
    private final AbandonedRings rings;
    private final List<GatingConsumer> consumers = new ArrayList<>();
    private final SlowConsumers slow;
    private List<GatingConsumer> awaited = List.of();
    private long pollSnapshot;

    SubscriptionConsumers(
        final Subject subscription, final Services services, final SubscriptionOptions options) {
        this.subscription = subscription;
        this.services = services;
        this.options = options;
        pollingThread = new PollingThread(services,
            "streamId=" + options.streamId() + " channel=" + options.channel(), subscription::isClosed,
            subscription::close);
        rings = new AbandonedRings(services.tasks());
        slow = options.events().slowConsumers().isEvicting()
            ? new SlowConsumers(subscription, services, options, consumers, rings) : null;
    }

    /** The guard that keeps memory alive while the polling thread is inside. */
    EntryGuard pollGuard() {
        return pollGuard;
    }

    /**
     * Adds the consumer behind {@code poll}, which gates the ring. Before the conductor knows the subscription.
     *
     * @param progress of the consumer.
     */
    public void add(final ConsumerProgress progress) {
        subscription.eventRing().addConsumer(progress);
        consumers.add(
            new GatingConsumer(progress, subscription.eventRing().consumerSequence(), false, List.of()));
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
        final GatingConsumer added = new GatingConsumer(
            new ConsumerProgress(name, sequence), sequence, slow != null, predecessors.map(consumers::get).toList());
        subscription.eventRing().addConsumer(added.progress());
        consumers.add(added);
        return added;
    }

    /**
     * Notes which thread polls. That thread, once.
     *
     * @param thread that no other one follows.
     */
    public void polledBy(final Thread thread) {
        pollingThread.is(thread);
    }

    AbandonedRings rings() {
        return rings;
    }

    int doWork(final long nowNs) {
        rings.look();
        if (!subscription.isOpen() || subscription.isClosed()) {
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

    /** Begins to wait for all consumers, after a fence; those to whom memory was abandoned are not waited for. */
    void beginClose() {
        awaited = consumers.stream().filter(consumer -> slow == null || !slow.isAbandoned(consumer)).toList();
        awaited.forEach(GatingConsumer::remember);
        pollSnapshot = pollGuard.snapshot();
    }

    boolean haveLeft() {
        boolean haveLeft = pollGuard.hasLeftSince(pollSnapshot);
        for (final GatingConsumer consumer : awaited) {
            haveLeft &= consumer.hasBeenOutside();
        }
        return haveLeft;
    }
}
