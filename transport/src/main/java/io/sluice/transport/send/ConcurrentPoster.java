package io.sluice.transport.send;

import io.sluice.transport.buffer.SharedEntryGuard;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Posts the log of a publication with several writing threads.
 * <p>
 * Whoever has committed takes the token, moves the tail over what is committed without a gap, and posts it. One that
 * finds the token held marks it and leaves: the holder looks again before it releases it, so that nothing committed
 * stays behind. A tail that credit or slots do not allow yet is left to the conductor, which takes the token like
 * anybody else.
 * <p>
 * The methods of writing threads stand first, those of the conductor after them.
 */
public final class ConcurrentPoster extends LogPoster {
    /** {@link #enter()}: the publication is closed. */
    public static final int CLOSED = -1;
    /** {@link #enter()}: too many threads are inside. */
    public static final int BUSY = -2;

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int MARKED = 2;

    /** Threads inside at a time: more than cores, so that one that was preempted inside rarely keeps others out. */
    private static final int MAX_THREADS_INSIDE = 64;

    /** Rounds that a holder makes for others before it leaves the rest to the conductor: it has work of its own. */
    private static final int MAX_ROUNDS = 32;

    private static final VarHandle TOKEN;
    private static final VarHandle LIMIT;
    private static final VarHandle OPEN_CLAIMS;
    private static final VarHandle BACK_PRESSURED_COUNT;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOKEN = lookup.findVarHandle(ConcurrentPoster.class, "token", int.class);
            LIMIT = lookup.findVarHandle(ConcurrentPoster.class, "limit", long.class);
            OPEN_CLAIMS = lookup.findVarHandle(ConcurrentPoster.class, "openClaims", long.class);
            BACK_PRESSURED_COUNT = lookup.findVarHandle(ConcurrentPoster.class, "backPressuredCount", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final ConcurrentClaims claims;
    private final LiveCounters counters;
    private final ClaimAges claimAges;
    private final SharedEntryGuard guard = new SharedEntryGuard(MAX_THREADS_INSIDE);

    private volatile boolean flushRequested;
    private int token;
    private long limit = NOT_CONNECTED;
    private long openClaims;
    private long backPressuredCount;
    private boolean settled = true;
    private OutboundLink[] flushedLinks;

    /**
     * A poster without links.
     *
     * @param log              to post.
     * @param sendCompletions  of the publication's queue pairs.
     * @param counters         of the transport.
     * @param conductorWake    wakes the conductor, called once when a tail must wait while it may be asleep.
     * @param unblockTimeoutNs how long a claim may stay open.
     */
    public ConcurrentPoster(
        final SendLog log,
        final CompletionQueue sendCompletions,
        final LiveCounters counters,
        final Runnable conductorWake,
        final long unblockTimeoutNs) {
        super(log, sendCompletions, counters, conductorWake);
        this.counters = counters;
        claimAges = new ClaimAges(unblockTimeoutNs);
        claims = new ConcurrentClaims(log);
    }

    @Override
    public Offers newOffers() {
        return new ConcurrentOffers(this);
    }

    /**
     * Begin to touch the log: until {@link #leave(int)} nothing that the links refer to is released. Writing thread.
     *
     * @return a number to leave with, or {@link #CLOSED} or {@link #BUSY}, and there is nothing to leave.
     */
    public int enter() {
        final int slot = guard.enter();
        if (slot == SharedEntryGuard.FULL) {
            return BUSY;
        }
        if (isClosed()) {
            guard.leave(slot);
            return CLOSED;
        }
        return slot;
    }

    /**
     * End what {@link #enter()} began. Writing thread.
     *
     * @param slot that it returned.
     */
    public void leave(final int slot) {
        guard.leave(slot);
    }

    /**
     * The position at or before which a claim must end, as somebody found it some time ago: never too far. Writing
     * thread, entered.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public long limit() {
        return (long) LIMIT.getAcquire(this);
    }

    /**
     * The position at or before which a claim must end: one window from what the slowest link has consumed, and from
     * the tail, for a peer that looks at frames may be ahead of whoever moves the tail over them. Writing thread,
     * entered.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public long refreshLimit() {
        final long consumedLimit = lowestLimit();
        if (consumedLimit == NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        final long found = Math.min(consumedLimit, log().tail() + log().windowLength());
        LIMIT.setRelease(this, found);
        return found;
    }

    /**
     * The log's claims.
     *
     * @return claims for writing threads that have entered.
     */
    public ConcurrentClaims claims() {
        return claims;
    }

    /**
     * Notes that a claim stays open when its thread leaves: the application writes to the memory. Writing thread,
     * entered.
     */
    public void holdMemory() {
        OPEN_CLAIMS.getAndAdd(this, 1L);
    }

    /** Notes that a claim is over. Whoever committed or aborted it, as the last thing. */
    public void releaseMemory() {
        OPEN_CLAIMS.getAndAdd(this, -1L);
    }

    @Override
    public boolean isMemoryHeld() {
        return (long) OPEN_CLAIMS.getVolatile(this) != 0;
    }

    /**
     * Notes that a claim was refused because the window is exhausted. Writing thread, entered.
     *
     * @param frameLength of the claim, with the header.
     */
    public void onBackPressured(final int frameLength) {
        BACK_PRESSURED_COUNT.getAndAdd(this, 1L);
        onRefused(claims.claimEnd(frameLength));
    }

    @Override
    public long backPressuredCount() {
        return (long) BACK_PRESSURED_COUNT.getOpaque(this);
    }

    /**
     * Post everything committed, or leave it to whoever is at it or to the conductor. Writing thread, entered.
     */
    public void post() {
        if (takeOrMark() && !postAndRelease()) {
            requestFlush();
        }
    }

    /** Have the conductor post: the tail must wait, or this thread could not enter. Any thread. */
    @Override
    public void requestFlush() {
        // the conductor looks at the log after it has taken the request back: what we committed must be visible before
        VarHandle.fullFence();
        if (!flushRequested) {
            flushRequested = true;
            wakeConductor();
        }
    }

    private boolean takeOrMark() {
        // the holder looks at the log after it has taken the mark back: what we committed must be visible before it
        VarHandle.fullFence();
        while (true) {
            final int found = (int) TOKEN.getVolatile(this);
            if (found == MARKED) {
                return false;
            }
            if (TOKEN.compareAndSet(this, found, found == FREE ? HELD : MARKED)) {
                return found == FREE;
            }
        }
    }

    /** {@return true when nothing is left to post now} */
    private boolean postAndRelease() {
        boolean released = false;
        try {
            for (int i = 0; i < MAX_ROUNDS; i++) {
                claims.advance();
                final boolean done = postOnLinks(links(), log().tail());
                released = TOKEN.compareAndSet(this, HELD, FREE);
                if (released) {
                    return done;
                }
                TOKEN.setOpaque(this, HELD);
                // whoever finds the mark that we have just taken back has committed before we look
                VarHandle.fullFence();
            }
            return false;
        } finally {
            if (!released) {
                // too many rounds, or a device that throws: a mark goes with the token, so somebody must look again
                TOKEN.setVolatile(this, FREE);
                requestFlush();
            }
        }
    }

    /**
     * Lets no link join: another thread may be about to claim by the limit of the links that there were before. The
     * conductor lets a link join when all threads have seen it, and has posts to make then.
     */
    @Override
    boolean join(final OutboundLink link, final long committedPosition) {
        return false;
    }

    @Override
    public void requestToken() {
        settled = false;
    }

    @Override
    public void onFenced() {
        guard.snapshot();
    }

    @Override
    public boolean isSettled() {
        if (!settled) {
            settled = guard.hasLeftSince();
        }
        return settled;
    }

    @Override
    public long claimableEnd() {
        return claims.end();
    }

    @Override
    public boolean flush() {
        if (isClosed() && claims.end() != log().tail()) {
            // nobody can commit any more: what was committed behind an open claim need not wait for it
            claims.giveUpAll(log().tail(), claims.end());
            flushRequested = true;
        }
        if (links() != flushedLinks) {
            // one that has resumed was not sent what its last epoch was not, and perhaps nobody offers again
            flushedLinks = links();
            flushRequested = true;
        }
        if (!flushRequested) {
            return false;
        }
        if (!takeOrMark()) {
            return true;
        }
        // only with the token: whoever requests it later has posted before us, or marks the token
        flushRequested = false;
        // whoever finds the request that we have just taken back has committed before a fence: what it has committed
        // must be seen. The log is read with acquire, which the store before does not keep back
        VarHandle.fullFence();
        if (!postAndRelease()) {
            flushRequested = true;
        }
        return flushRequested;
    }

    @Override
    public void unblock(final long nowNs) {
        final long tail = log().tail();
        final long oldEnd = claimAges.look(tail, claims.end(), nowNs);
        if (oldEnd > tail) {
            final int count = claims.giveUpAll(tail, oldEnd);
            for (int i = 0; i < count; i++) {
                counters.increment(TransportCounter.CLAIMS_UNBLOCKED);
            }
            requestFlush();
        }
    }

    @Override
    public boolean isFlushed() {
        return log().tail() == claims.end() && super.isFlushed();
    }
}
