package io.sluice.transport.send;

import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.verbs.CompletionQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Posts the log of a publication with a single writing thread.
 * <p>
 * The writing thread holds the token by default and pays nothing for it. When it leaves a tail that credit or slots
 * do not allow yet, it leases the token to the conductor, which then posts the tail even if the application never
 * calls again; the writing thread takes it back with one compare-and-set. The conductor can also ask for the token
 * ({@link #requestToken()}), which it has when {@link #isSettled()} says so.
 * <p>
 * The methods of the writing thread stand first, those of the conductor after them.
 */
public final class ExclusivePoster extends LogPoster {
    private static final int OWNER_WRITER = 0;
    private static final int LEASED = 1;
    private static final int OWNER_CONDUCTOR = 2;

    /**
     * The part of the window that a claim takes at most: it is a frame and the padding in front of it, each at most an
     * eighth of the window.
     */
    private static final int CLAIM_PER_WINDOW = 4;

    private static final VarHandle TOKEN;

    static {
        try {
            TOKEN = MethodHandles.lookup().findVarHandle(ExclusivePoster.class, "token", int.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final EntryGuard guard = new EntryGuard();

    private volatile boolean flushRequested;
    private volatile boolean memoryHeld;
    private int token;
    private long backPressuredCount;
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
    public ExclusivePoster(
        final SendLog log,
        final CompletionQueue sendCompletions,
        final LiveCounters counters,
        final Runnable conductorWake) {
        super(log, sendCompletions, counters, conductorWake);
    }

    @Override
    public Offers newOffers() {
        return new ExclusiveOffers(this);
    }

    /**
     * Begin to touch the log: until {@link #leave()} nothing that the links refer to is released. Writing thread.
     *
     * @return false when the publication is closed; {@link #leave()} is then not due.
     */
    public boolean enter() {
        guard.enter();
        if (isClosed()) {
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
     * The position at or before which a claim must end: with {@code fc=min} the slowest link's consumed position and
     * one window. Links that are new join here. Writing thread, entered.
     *
     * @return the limit, or {@link #NOT_CONNECTED}.
     */
    public long limit() {
        for (final OutboundLink link : links()) {
            if (link.joinPosition() == OutboundLink.UNSET) {
                link.join(log().tail());
            }
        }
        return lowestLimit();
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

    @Override
    public boolean isMemoryHeld() {
        return memoryHeld;
    }

    /**
     * Notes that a claim was refused because the window is exhausted. Writing thread, entered.
     *
     * @param claimEnd where it would have ended.
     */
    public void onBackPressured(final long claimEnd) {
        backPressuredCount++;
        onRefused(claimEnd);
    }

    @Override
    public long backPressuredCount() {
        return backPressuredCount;
    }

    /**
     * Post everything committed, or leave it to the conductor. Writing thread, entered.
     */
    public void post() {
        if ((int) TOKEN.getOpaque(this) != OWNER_WRITER && !takeBack()) {
            return;
        }
        if (!postOnLinks(links(), log().tail())) {
            // the conductor takes the request back, and looks at the token after that: the lease must be visible before
            // we look at the request, or neither sees the other. Only who leaves a tail pays for it
            TOKEN.setVolatile(this, LEASED);
            if (!flushRequested) {
                flushRequested = true;
                wakeConductor();
            }
        }
    }

    /**
     * Post a frame that was just committed. To one peer that looks at the frames itself there is nothing to hand over:
     * with the walk over all links in it, an offer is larger than what C2 compiles into its caller
     * ({@code -XX:InlineSmallCode}), and takes up to a tenth longer. Writing thread, entered.
     *
     * @param soleLink          the only one of {@link #links()}, when its peer does that; null else.
     * @param committedPosition the log's tail.
     */
    void post(final OutboundLink soleLink, final long committedPosition) {
        // who has asked for more than the tail to be posted has asked for the token too
        if (soleLink == null || (int) TOKEN.getOpaque(this) != OWNER_WRITER) {
            post();
        } else {
            soleLink.onCommitted(committedPosition);
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

    @Override
    boolean join(final OutboundLink link, final long committedPosition) {
        link.join(committedPosition);
        return true;
    }

    @Override
    void requestFlush() {
        // whoever has the token posts, the conductor too, once it was asked for
    }

    @Override
    public void requestToken() {
        settled = false;
        TOKEN.compareAndSet(this, OWNER_WRITER, LEASED);
    }

    @Override
    public void onFenced() {
        guardSnapshot = guard.snapshot();
    }

    @Override
    public boolean isSettled() {
        if (!settled) {
            settled = guard.hasLeftSince(guardSnapshot);
        }
        return settled;
    }

    @Override
    public void unblock(final long nowNs) {
        // nobody else waits for the one thread that writes
    }

    @Override
    public long claimableEnd() {
        return log().tail() + log().windowLength() / CLAIM_PER_WINDOW;
    }

    @Override
    public boolean flush() {
        if (!isSettled()) {
            return true;
        }
        if ((int) TOKEN.getAcquire(this) != LEASED) {
            if (!flushRequested) {
                return false;
            }
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
            committed = log().tail();
            done = postOnLinks(links(), committed);
            TOKEN.setVolatile(this, LEASED);
            // the writing thread looks at the token again behind a fence, when it has moved the tail: one of the two
            // must see the other. The tail is read with acquire, which the store before does not keep back
            VarHandle.fullFence();
        } while (log().tail() != committed && TOKEN.compareAndSet(this, LEASED, OWNER_CONDUCTOR));
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
}
