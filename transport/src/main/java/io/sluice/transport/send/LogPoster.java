package io.sluice.transport.send;

import io.sluice.transport.carrier.Offers;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.verbs.CompletionQueue;

/**
 * Posts the committed prefix of a send log on every link of its publication, by whoever holds the post token: one of
 * the threads that write, or the conductor when they leave a tail that credit or slots do not allow yet, so that it is
 * posted even if the application never calls again. How the token is passed on depends on how many threads write.
 * <p>
 * Here is what the conductor calls; {@link ExclusivePoster} and {@link ConcurrentPoster} have the methods of writing
 * threads.
 */
public abstract class LogPoster {
    /** A limit: there is no link, or the group is too small. */
    public static final long NOT_CONNECTED = Offers.NOT_CONNECTED;

    private static final OutboundLink[] NO_LINKS = new OutboundLink[0];

    private final SendLog log;
    private final Runnable conductorWake;
    private final SendCompletions completions;

    private volatile OutboundLink[] links = NO_LINKS;
    private volatile boolean closed;
    private volatile boolean isDrainAsked;
    private volatile boolean isRefusalTold;
    private volatile FlowControl flowControl = FlowControl.min(0);
    private volatile long observedLimit = NOT_CONNECTED;

    LogPoster(
        final SendLog log,
        final CompletionQueue sendCompletions,
        final LiveCounters counters,
        final Runnable conductorWake) {
        this.log = log;
        completions = new SendCompletions(sendCompletions, counters);
        this.conductorWake = conductorWake;
    }

    final SendLog log() {
        return log;
    }

    /** {@return a new handle's offers} Any thread. */
    public abstract Offers newOffers();

    /**
     * Set who gates. Before there are links; until then all do.
     *
     * @param newFlowControl of the publication.
     */
    public final void flowControl(final FlowControl newFlowControl) {
        flowControl = newFlowControl;
    }

    /**
     * Whether enough links have joined for the publication's flow control. Any thread.
     *
     * @return true when a claim is at most back-pressured.
     */
    public final boolean isConnected() {
        return flowControl.isConnected(links);
    }

    /**
     * Wakes the conductor as a claim was refused although there are links: for the first one while it knows of no
     * pressure, since it may be asleep and listeners are to hear of it, and to close links that do not gate and stand
     * in the claim's way. Until it has done so the claim is refused again. Writing threads, entered.
     *
     * @param claimEnd where the claim would have ended.
     */
    final void onRefused(final long claimEnd) {
        final boolean isNews = !isRefusalTold;
        if (isNews) {
            isRefusalTold = true;
        }
        if (flowControl.leaveBehind(links, log.tail(), log.windowLength(), claimEnd) || isNews) {
            wakeConductor();
        }
    }

    /** Wakes the conductor, which may be asleep while a tail must wait. */
    final void wakeConductor() {
        conductorWake.run();
    }

    /** {@return true when nothing is left to post now} Holder of the token. */
    final boolean postOnLinks(final OutboundLink[] current, final long committedPosition) {
        boolean done = true;
        if (isDrainAsked) {
            isDrainAsked = false;
            done = completions.drain(current);
            // the device kept polls out: once more with the next post
            isDrainAsked |= !done;
        }
        for (final OutboundLink link : current) {
            if (link.joinPosition() == OutboundLink.UNSET && !join(link, committedPosition)) {
                done = false;
                continue;
            }
            if (link.wantsReaping()) {
                completions.reap(current);
            }
            done &= link.post(committedPosition);
        }
        return done;
    }

    /** {@return whether a link could join at the committed position} Holder of the token. */
    abstract boolean join(OutboundLink link, long committedPosition);

    /**
     * The limit as the conductor saw it last. Any thread.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public final long observedLimit() {
        return isConnected() ? observedLimit : NOT_CONNECTED;
    }

    /**
     * The links, for writing threads to notice that they changed.
     *
     * @return the current array, never modified.
     */
    public final OutboundLink[] links() {
        return links;
    }

    /**
     * Stop writing threads from entering. Any thread; follow it with {@link #requestToken()} on the conductor.
     */
    public final void close() {
        closed = true;
    }

    /**
     * Whether {@link #close()} was called.
     *
     * @return true when closed.
     */
    public final boolean isClosed() {
        return closed;
    }

    /**
     * Replace the links. Conductor; follow it with {@link #requestToken()} and a fence on all threads.
     *
     * @param newLinks not modified afterwards.
     */
    public final void links(final OutboundLink[] newLinks) {
        links = newLinks;
    }

    /** {@return the completions of its links' sends} Any thread. */
    public final SendCompletions completions() {
        return completions;
    }

    /**
     * Whether a claim is open. Any thread.
     *
     * @return true while the log's memory must not be released.
     */
    public abstract boolean isMemoryHeld();

    /**
     * Reap what is done, at the next post. Any thread; the conductor then asks for the token, as there may be nobody
     * else who posts.
     *
     * @param drained told by the holder of the token, when what waited at the time of the call has been reaped.
     */
    public final void drainSends(final Runnable drained) {
        completions.whenDrained(drained);
        isDrainAsked = true;
        requestFlush();
    }

    /** Have {@link #flush()} post though there is no tail, as soon as it has the token. Any thread. */
    abstract void requestFlush();

    /** {@return claims refused because the window was exhausted} Any thread, perhaps late. */
    public abstract long backPressuredCount();

    /**
     * Ask for the token. Conductor; follow it with a fence on all threads, then {@link #onFenced()}.
     */
    public abstract void requestToken();

    /** Notes that all threads have passed a fence since {@link #requestToken()}. Conductor. */
    public abstract void onFenced();

    /**
     * Whether writing threads have seen the links, the closing and the request that came before the last fence:
     * whatever they do from now on respects them. Conductor.
     *
     * @return true when each of them was outside at least once since the fence.
     */
    public abstract boolean isSettled();

    /**
     * Post a waiting tail, unless a writing thread is at it. Conductor, every duty cycle.
     *
     * @return true while a tail is waiting, so that the conductor should come back soon.
     */
    public abstract boolean flush();

    /**
     * Turn claims into padding that keep everything behind them from being sent for too long: whoever should commit
     * them may be dead. Conductor.
     *
     * @param nowNs the conductor's clock, which stands still while the conductor does not run.
     */
    public abstract void unblock(long nowNs);

    /**
     * The position up to which frames can have been committed, whether the tail has followed or not. Any thread.
     *
     * @return a position at or after the tail.
     */
    public abstract long claimableEnd();

    /**
     * Read all feedback, so that {@link #observedLimit()} is fresh. Conductor, before it looks at the pressure.
     *
     * @param isPressed whether the pressure is known already: until it is over no refusal is news.
     * @return whether a claim was refused since the last time, which is news.
     */
    public final boolean observe(final boolean isPressed) {
        observedLimit = lowestLimit();
        final boolean isNews = !isPressed && isRefusalTold;
        if (isNews) {
            isRefusalTold = false;
        }
        return isNews;
    }

    /** The limit, where links that have not joined yet are taken to join at the tail; any thread. */
    final long lowestLimit() {
        final OutboundLink[] current = links;
        // before it is asked who has joined: a link that has not by then will join here or later
        final long tail = log.tail();
        return flowControl.limit(current, tail, log.windowLength());
    }

    /**
     * Whether every working link has been handed everything committed. Conductor, when settled.
     *
     * @return true when nothing is left to post.
     */
    public boolean isFlushed() {
        for (final OutboundLink link : links) {
            if (link.breakReason() == null && link.postedPosition() < log.tail()) {
                return false;
            }
        }
        return true;
    }
}
