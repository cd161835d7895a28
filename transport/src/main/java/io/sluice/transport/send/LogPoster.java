package io.sluice.transport.send;

import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.status.BreakReason;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportCounters;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Posts the committed prefix of a send log on every link of its publication, by whoever holds the post token.
 * <p>
 * The writing thread holds the token by default and pays nothing for it. When it leaves a tail that credit or slots
 * do not allow yet, it leases the token to the conductor, which then posts the tail even if the application never
 * calls again; the writing thread takes it back with one compare-and-set. The conductor can also ask for the token
 * ({@link #requestToken()}), which it has when {@link #isSettled()} says so.
 * <p>
 * The methods of the writing thread stand first, those of the conductor after them.
 */
public final class LogPoster {
    /** {@link #limit()}: there is no link. */
    public static final long NOT_CONNECTED = -1;

    private static final OutboundLink[] NO_LINKS = new OutboundLink[0];
    private static final int OWNER_WRITER = 0;
    private static final int LEASED = 1;
    private static final int OWNER_CONDUCTOR = 2;

    /** Completions reaped at a time: more than any send queue's share, so that one call empties it in practice. */
    private static final int REAP_LIMIT = 256;

    private static final VarHandle TOKEN;

    static {
        try {
            TOKEN = MethodHandles.lookup().findVarHandle(LogPoster.class, "token", int.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final SendLog log;
    private final CompletionQueue sendCompletions;
    private final TransportCounters counters;
    private final Runnable conductorWake;
    private final EntryGuard guard = new EntryGuard();

    private volatile OutboundLink[] links = NO_LINKS;
    private volatile boolean closed;
    private volatile boolean flushRequested;
    private volatile boolean memoryHeld;
    private volatile long observedLimit = NOT_CONNECTED;
    private int token;
    private long backPressureEvents;
    private long guardSnapshot;
    private long guardSeen;
    private boolean settled = true;

    /**
     * A poster without links.
     *
     * @param log             to post.
     * @param sendCompletions of the publication's queue pairs.
     * @param counters        of the transport.
     * @param conductorWake   wakes the conductor, called once when a tail must wait while it may be asleep.
     */
    public LogPoster(
        final SendLog log,
        final CompletionQueue sendCompletions,
        final TransportCounters counters,
        final Runnable conductorWake) {
        this.log = log;
        this.sendCompletions = sendCompletions;
        this.counters = counters;
        this.conductorWake = conductorWake;
    }

    /**
     * Begin to touch the log: until {@link #leave()} nothing that the links refer to is released. Writing thread.
     *
     * @return false when the publication is closed; {@link #leave()} is then not due.
     */
    public boolean enter() {
        guard.enter();
        if (closed) {
            leave();
            return false;
        }
        return true;
    }

    /**
     * End what {@link #enter()} began. Writing thread.
     */
    public void leave() {
        guard.leave();
    }

    /**
     * The position at or before which a claim must end: the slowest link's consumed position and one window. Links
     * that are new join here. Writing thread, entered.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public long limit() {
        final OutboundLink[] current = links;
        if (current.length == 0) {
            return NOT_CONNECTED;
        }
        long consumed = Long.MAX_VALUE;
        for (final OutboundLink link : current) {
            if (link.joinPosition() == OutboundLink.UNSET) {
                link.join(log.tail());
            }
            consumed = Math.min(consumed, link.consumedPosition());
        }
        return consumed + log.windowLength();
    }

    /**
     * Keep the log's memory, or let it go: while a claim is open the application writes to it without being inside.
     * Writing thread.
     *
     * @param held whether a claim is open.
     */
    public void holdMemory(final boolean held) {
        memoryHeld = held;
    }

    /**
     * Whether a claim is open. Any thread.
     *
     * @return true while the log's memory must not be released.
     */
    public boolean isMemoryHeld() {
        return memoryHeld;
    }

    /** A claim was refused because the window is exhausted. Writing thread. */
    public void onBackPressured() {
        backPressureEvents++;
    }

    /** {@return claims refused because the window was exhausted} Any thread, perhaps late. */
    public long backPressureEvents() {
        return backPressureEvents;
    }

    /**
     * The limit as the conductor saw it last. Any thread.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public long observedLimit() {
        return links.length == 0 ? NOT_CONNECTED : observedLimit;
    }

    /**
     * The links, for the writing thread to notice that they changed.
     *
     * @return the current array, never modified.
     */
    public OutboundLink[] links() {
        return links;
    }

    /**
     * Post everything committed, or leave it to the conductor. Writing thread, entered.
     */
    public void post() {
        if ((int) TOKEN.getOpaque(this) != OWNER_WRITER && !takeBack()) {
            return;
        }
        if (!postOnLinks(links, log.tail())) {
            TOKEN.setRelease(this, LEASED);
            if (!flushRequested) {
                flushRequested = true;
                conductorWake.run();
            }
        }
    }

    private boolean takeBack() {
        if (TOKEN.compareAndSet(this, LEASED, OWNER_WRITER)) {
            return true;
        }
        // the conductor looks at the tail again after it has released the token: ours must be visible before we look
        VarHandle.fullFence();
        return TOKEN.compareAndSet(this, LEASED, OWNER_WRITER);
    }

    private boolean postOnLinks(final OutboundLink[] current, final long committedPosition) {
        boolean done = true;
        for (final OutboundLink link : current) {
            if (link.joinPosition() == OutboundLink.UNSET) {
                link.join(committedPosition);
            }
            if (link.wantsReaping()) {
                reap(current);
            }
            done &= link.post(committedPosition);
        }
        return done;
    }

    private void reap(final OutboundLink[] current) {
        final int result = sendCompletions.startPoll();
        if (result == Errno.ENOENT || result == Errno.EBUSY) {
            return;
        }
        if (result != Errno.OK) {
            for (final OutboundLink link : current) {
                link.fail(BreakReason.COMPLETION_QUEUE_OVERRUN);
            }
            return;
        }
        int reaped = 0;
        do {
            dispatch(current, sendCompletions.workRequestId(), sendCompletions.status());
        } while (++reaped < REAP_LIMIT && sendCompletions.nextPoll() == Errno.OK);
        sendCompletions.endPoll();
    }

    private void dispatch(final OutboundLink[] current, final long workRequestId, final int status) {
        for (final OutboundLink link : current) {
            final OutboundLinkParameters parameters = link.parameters();
            if (parameters.index() == WorkRequestId.index(workRequestId)
                && parameters.generation() == WorkRequestId.generation(workRequestId)) {
                link.onCompletion(status == WorkStatus.SUCCESS);
                return;
            }
        }
        counters.increment(TransportCounter.STALE_COMPLETIONS);
    }

    /**
     * Stop the writing thread from entering. Any thread; follow it with {@link #requestToken()} on the conductor.
     */
    public void close() {
        closed = true;
    }

    /**
     * Whether {@link #close()} was called.
     *
     * @return true when closed.
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Replace the links. Conductor; follow it with {@link #requestToken()} and a fence on all threads.
     *
     * @param newLinks not modified afterwards.
     */
    public void links(final OutboundLink[] newLinks) {
        links = newLinks;
    }

    /**
     * Ask for the token. Conductor; follow it with a fence on all threads, then {@link #onFenced()}.
     */
    public void requestToken() {
        settled = false;
        TOKEN.compareAndSet(this, OWNER_WRITER, LEASED);
    }

    /**
     * All threads have passed a fence since {@link #requestToken()}. Conductor.
     */
    public void onFenced() {
        guardSnapshot = guard.snapshot();
    }

    /**
     * Whether the writing thread has seen the links, the closing and the lease that came before the last fence:
     * whatever it does from now on respects them. Conductor.
     *
     * @return true when the writing thread was outside of {@link #enter()} at least once since the fence.
     */
    public boolean isSettled() {
        if (!settled) {
            settled = guard.hasLeftSince(guardSnapshot);
        }
        return settled;
    }

    /**
     * Post a waiting tail, unless the writing thread is at it. Conductor, every duty cycle.
     *
     * @return true while a tail is waiting, so that the conductor should come back soon.
     */
    public boolean flush() {
        if (!isSettled()) {
            return true;
        }
        if ((int) TOKEN.getAcquire(this) != LEASED) {
            flushRequested = false;
            // the writing thread may have leased it meanwhile, and found the request still standing
            return (int) TOKEN.getVolatile(this) == LEASED;
        }
        if (!isWriterQuiet()) {
            return true;
        }
        if (!TOKEN.compareAndSet(this, LEASED, OWNER_CONDUCTOR)) {
            return true;
        }
        boolean done;
        long committed;
        flushRequested = false;
        do {
            committed = log.tail();
            done = postOnLinks(links, committed);
            TOKEN.setVolatile(this, LEASED);
        } while (log.tail() != committed && TOKEN.compareAndSet(this, LEASED, OWNER_CONDUCTOR));
        if (!done) {
            flushRequested = true;
        }
        return !done;
    }

    /** Whether the writing thread has not come by since the last look: while it does, it posts the tail itself. */
    private boolean isWriterQuiet() {
        final long seen = guard.snapshot();
        final boolean quiet = seen == guardSeen;
        guardSeen = seen;
        return quiet;
    }

    /**
     * Read all feedback, so that {@link #observedLimit()} is fresh. Conductor.
     */
    public void observe() {
        long consumed = Long.MAX_VALUE;
        for (final OutboundLink link : links) {
            consumed = Math.min(
                consumed, link.joinPosition() == OutboundLink.UNSET ? log.tail() : link.consumedPosition());
        }
        observedLimit = consumed == Long.MAX_VALUE ? NOT_CONNECTED : consumed + log.windowLength();
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
