package io.sluice.transport.agent;

import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.counters.RepeatedErrorHandler;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.status.TransportCounter;
import java.util.function.Consumer;

/**
 * Tells the application of errors and of back-pressure, on an agent of its own: neither messages nor images wait for
 * who listens. Any thread.
 */
public final class Listeners {
    /**
     * The most tasks that may wait when another one may be refused: half of the agent's room is for what no stranger
     * can cause, and for what was not told before.
     */
    static final int MAX_REFUSABLE_WAITING = 512;

    private final TaskAgent agent;
    private final LiveCounters counters;
    private final RepeatedErrorHandler errorHandler;
    private final BackPressureListener backPressureListener;

    /**
     * Creates listeners that have been told nothing.
     *
     * @param agent                that runs the listeners.
     * @param counters             of the transport.
     * @param errorHandler         told of errors.
     * @param backPressureListener told of the pressure on all publications and subscriptions.
     */
    public Listeners(
        final TaskAgent agent, final LiveCounters counters, final RepeatedErrorHandler errorHandler,
        final BackPressureListener backPressureListener) {
        this.agent = agent;
        this.counters = counters;
        this.errorHandler = errorHandler;
        this.backPressureListener = backPressureListener;
    }

    /** {@return false when there is no room} Tell of an error. */
    boolean reportError(final Throwable error) {
        final boolean isTaken = agent.offer(() -> errorHandler.onError(error));
        if (!isTaken) {
            counters.increment(TransportCounter.ERRORS_UNREPORTED);
        }
        return isTaken;
    }

    /** Count an error that was told before, and do not tell it again. */
    void countRepeated(final Throwable told) {
        counters.increment(TransportCounter.ERRORS_REPEATED);
        // without room for it the counter alone has it
        agent.offer(() -> errorHandler.onRepeated(told), MAX_REFUSABLE_WAITING);
    }

    /** {@return false when there is no room for those} Tell of an error that strangers cause. */
    boolean reportStranger(final Throwable error) {
        final boolean isTaken = agent.offer(() -> errorHandler.onStranger(error), MAX_REFUSABLE_WAITING);
        if (!isTaken) {
            counters.increment(TransportCounter.ERRORS_UNREPORTED);
        }
        return isTaken;
    }

    /** Count an error that strangers cause and that was told before. */
    void countStrangerRepeated(final Throwable told) {
        counters.increment(TransportCounter.ERRORS_REPEATED);
        agent.offer(() -> errorHandler.onStrangerRepeated(told), MAX_REFUSABLE_WAITING);
    }

    /**
     * {@return false when there is no room} Tell of the pressure on one publication or subscription.
     *
     * @param own    listener of the publication or subscription, which may be that of all.
     * @param change to tell.
     * @param told   run when the listeners have been told.
     */
    public boolean tell(final BackPressureListener own, final BackPressure change, final Runnable told) {
        return agent.offer(() -> {
            try {
                callAll(own, listener -> listener.onBackPressure(change));
            } finally {
                told.run();
            }
        });
    }

    /**
     * Tell that a consumer was evicted, which there are no more of than consumers.
     *
     * @param own      listener of the publication or subscription, which may be that of all.
     * @param eviction to tell.
     */
    public void tell(final BackPressureListener own, final ConsumerEviction eviction) {
        agent.submit(() -> callAll(own, listener -> listener.onEviction(eviction)));
    }

    /**
     * {@return false when there is no room for what strangers cause} Tell of what a peer says it has evicted.
     *
     * @param own      listener of the publication or subscription, which may be that of all.
     * @param eviction to tell.
     */
    public boolean tell(final BackPressureListener own, final PeerEviction eviction) {
        return agent.offer(
            () -> callAll(own, listener -> listener.onPeerEviction(eviction)), MAX_REFUSABLE_WAITING);
    }

    /** Calls both listeners, or the one that is both once. */
    private void callAll(final BackPressureListener own, final Consumer<BackPressureListener> telling) {
        call(own, telling);
        if (own != backPressureListener) {
            call(backPressureListener, telling);
        }
    }

    private void call(final BackPressureListener listener, final Consumer<BackPressureListener> telling) {
        try {
            telling.accept(listener);
        } catch (final Throwable ex) {
            reportError(ex);
        }
    }
}
