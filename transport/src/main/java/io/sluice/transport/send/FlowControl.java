package io.sluice.transport.send;

import io.sluice.codec.ControlDescriptor;

/**
 * The rule for how far a publication may run ahead of its links, in Aeron's words: {@code min} waits for all of them,
 * {@code max} for the fastest alone, {@code tagged} for those whose subscription carries the group's tag. A link that
 * does not gate keeps its bytes nevertheless: one that stands in the way of a claim is first closed by the conductor,
 * and only then passed.
 * <p>
 * So that a link need not be as fast as the fastest to stay, a publication with links that do not gate runs at most
 * half a window ahead of those that set its pace: the other half is what the others may be behind.
 * <p>
 * Immutable; any thread.
 *
 * @param strategy     who gates.
 * @param groupTag     of the links that gate, with {@code tagged} only.
 * @param groupMinimum gating links below which the publication is not connected; 0 when one of any kind is enough.
 * @param timeoutNs    how long a broken link goes on gating.
 */
public record FlowControl(Strategy strategy, long groupTag, int groupMinimum, long timeoutNs) {
    /** Group tag of links without one. */
    public static final long NO_TAG = ControlDescriptor.NO_GROUP_TAG;

    /** The part of the window that the pace takes when there are links that do not gate. */
    private static final int PACE_PER_WINDOW = 2;

    /** The choice of the links that gate. */
    public enum Strategy {
        /** All links. */
        MIN,
        /** None: the fastest sets the pace. */
        MAX,
        /** Links of subscriptions with the group's tag; while there are none, as with {@link #MAX}. */
        TAGGED
    }

    /**
     * Returns the flow control in which all links gate.
     *
     * @param timeoutNs how long a broken one does.
     * @return the default.
     */
    public static FlowControl min(final long timeoutNs) {
        return new FlowControl(Strategy.MIN, NO_TAG, 0, timeoutNs);
    }

    /**
     * Whether the link to a subscription gates.
     *
     * @param tag of the subscription, or {@link #NO_TAG}.
     * @return true when the publication waits for it.
     */
    public boolean gates(final long tag) {
        return strategy == Strategy.MIN || strategy == Strategy.TAGGED && tag == groupTag;
    }

    /**
     * Whether there are links enough that have joined: to one that has not, what is sent now may not be owed.
     *
     * @param links that there are.
     * @return false when none has joined, or the group is smaller than its minimum.
     */
    boolean isConnected(final OutboundLink[] links) {
        int joined = 0;
        int gating = 0;
        for (final OutboundLink link : links) {
            if (link.joinPosition() != OutboundLink.UNSET) {
                joined++;
                gating += link.gates() ? 1 : 0;
            }
        }
        return joined > 0 && gating >= groupMinimum;
    }

    /**
     * The position at or before which a claim must end now. Links that have not joined are taken to join at the tail.
     *
     * @param links        that there are.
     * @param tail         of the log.
     * @param windowLength of the log, in bytes.
     * @return the limit, or {@link LogPoster#NOT_CONNECTED}.
     */
    long limit(final OutboundLink[] links, final long tail, final int windowLength) {
        long limit = paceLimit(links, tail, windowLength);
        if (strategy != Strategy.MIN) {
            for (final OutboundLink link : links) {
                limit = Math.min(limit, consumed(link, tail) + windowLength);
            }
        }
        return limit;
    }

    /**
     * The link that the publication waits for, which the limit comes from. It is the slowest of those that gate;
     * without one the fastest; or one that does not gate and stands in the way, until it is closed.
     *
     * @param links        that there are.
     * @param windowLength of the log, in bytes.
     * @return the link, or null when none has joined.
     */
    public OutboundLink awaited(final OutboundLink[] links, final int windowLength) {
        final OutboundLink pacing = pacing(links);
        if (pacing == null) {
            return null;
        }
        OutboundLink awaited = pacing;
        long limit = pacing.consumedPosition() + usableWindow(links, windowLength);
        for (final OutboundLink link : links) {
            if (link.joinPosition() != OutboundLink.UNSET && !link.gates()
                && link.consumedPosition() + windowLength < limit) {
                limit = link.consumedPosition() + windowLength;
                awaited = link;
            }
        }
        return awaited;
    }

    /** {@return the one that {@link #paceLimit} comes from, null when none has joined} */
    private static OutboundLink pacing(final OutboundLink[] links) {
        OutboundLink slowest = null;
        OutboundLink fastest = null;
        for (final OutboundLink link : links) {
            if (link.joinPosition() == OutboundLink.UNSET) {
                continue;
            }
            final long consumed = link.consumedPosition();
            if (link.gates()) {
                slowest = slowest == null || consumed < slowest.consumedPosition() ? link : slowest;
            } else {
                fastest = fastest == null || consumed > fastest.consumedPosition() ? link : fastest;
            }
        }
        return slowest == null ? fastest : slowest;
    }

    /** The limit that is left when all links that do not gate and are too slow have been closed. */
    private long paceLimit(final OutboundLink[] links, final long tail, final int windowLength) {
        if (!isConnected(links)) {
            return LogPoster.NOT_CONNECTED;
        }
        long slowest = Long.MAX_VALUE;
        long fastest = Long.MIN_VALUE;
        boolean allGate = true;
        for (final OutboundLink link : links) {
            final long consumed = consumed(link, tail);
            if (link.gates()) {
                slowest = Math.min(slowest, consumed);
            } else {
                allGate = false;
                fastest = Math.max(fastest, consumed);
            }
        }
        return allGate
            ? slowest + windowLength : (slowest == Long.MAX_VALUE ? fastest : slowest) + windowLength / PACE_PER_WINDOW;
    }

    /**
     * The bytes by which a publication may run ahead of those that set its pace.
     *
     * @param links        that there are.
     * @param windowLength of the log, in bytes.
     * @return bytes.
     */
    public int usableWindow(final OutboundLink[] links, final int windowLength) {
        for (final OutboundLink link : links) {
            if (!link.gates()) {
                return windowLength / PACE_PER_WINDOW;
            }
        }
        return windowLength;
    }

    private static long consumed(final OutboundLink link, final long tail) {
        return link.joinPosition() == OutboundLink.UNSET ? tail : link.consumedPosition();
    }

    /**
     * Marks, when a claim was refused, the links to be closed that do not gate and stand in its way. Links that set the
     * pace and refuse it too are waited for, and then so are all others.
     *
     * @param links        that there are.
     * @param tail         of the log.
     * @param windowLength of the log, in bytes.
     * @param claimEnd     where the claim would have ended.
     * @return whether a link was marked that was not before.
     */
    boolean leaveBehind(
        final OutboundLink[] links, final long tail, final int windowLength, final long claimEnd) {
        if (strategy == Strategy.MIN || claimEnd > paceLimit(links, tail, windowLength)) {
            return false;
        }
        boolean marked = false;
        for (final OutboundLink link : links) {
            if (!link.gates() && consumed(link, tail) + windowLength < claimEnd) {
                marked |= link.leaveBehind();
            }
        }
        return marked;
    }
}
