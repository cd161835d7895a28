package io.sluice.transport.receive;

import io.sluice.transport.counters.BreakReason;

/**
 * The links of a subscription and the way in which bytes come to them, as whoever walks their frames knows it: an
 * {@link EventRing}, its {@link Poller} and a {@link FrameWalk}. {@link Receiver} is the kind over verbs. A class, not
 * an interface: while one kind only is loaded, the JIT compiler binds its calls as it does those of final methods. The
 * polling thread, but for {@link #wake()}.
 */
public abstract class LinkFeed {
    private volatile Runnable waker = () -> { };

    /** Creates a feed whose polling thread does not sleep. */
    protected LinkFeed() {
    }

    /**
     * Take in what has arrived, as much as one poll may take: links then know of more bytes.
     *
     * @return how much was found.
     */
    public abstract int drain();

    /** {@return the links, the active ones first; the next poll may change their order} */
    public abstract InboundLink[] links();

    /**
     * {@return the number of {@link #links()}, the first ones, of which messages may wait; until the next poll it
     * grows}
     */
    public abstract int activeLinkCount();

    /**
     * Give back what was handled and report, as far as it is due. After the frames were handled.
     *
     * @param workCount how much was found and handled in this duty cycle.
     */
    public abstract void maintain(int workCount);

    /**
     * Break a link: it delivers nothing more.
     *
     * @param link   to break.
     * @param reason why.
     */
    public abstract void fail(InboundLink link, BreakReason reason);

    /** {@return whether nothing was there, not even something that cannot be had yet, at the last look} */
    public abstract boolean isDrained();

    /** {@return whether a publication may wait for a consumer, which tells nobody that it moves on} */
    public abstract boolean isHeldUp();

    /** {@return whether anything is to be reclaimed or reported, which can wait for an idle polling thread} */
    public abstract boolean isIdleMaintenanceDue();

    /**
     * Ask for an event at the next arrival.
     *
     * @return false when none will ever come.
     */
    public abstract boolean arm();

    /** Report all that is left to report, as when idle. */
    public abstract void report();

    /**
     * Sets the action that wakes the polling thread when it sleeps. Before anything is brought that it is to see.
     *
     * @param newWaker called by any thread.
     */
    final void waker(final Runnable newWaker) {
        waker = newWaker;
    }

    /** Wakes the polling thread when it sleeps: something was brought that it is to see. Any thread. */
    protected final void wake() {
        waker.run();
    }
}
