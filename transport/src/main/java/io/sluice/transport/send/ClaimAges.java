package io.sluice.transport.send;

/**
 * Tells which claims have been open for too long without a look at the claims themselves: those that begin before
 * where claims ended a timeout ago. Conductor only.
 */
final class ClaimAges {
    /** Looks kept of a timeout: a claim is given up so much later at most, as a part of the timeout. */
    static final int LOOKS_PER_TIMEOUT = 16;

    private final long timeoutNs;
    private final long intervalNs;
    /**
     * The positions where claims ended, and the times when, the youngest first; after those that are too old are gone,
     * one more fits.
     */
    private final long[] ends = new long[LOOKS_PER_TIMEOUT + 1];
    private final long[] seenNs = new long[LOOKS_PER_TIMEOUT + 1];
    private int count;

    /**
     * Makes ages of claims at which nobody has looked yet.
     *
     * @param timeoutNs how long a claim may stay open.
     */
    ClaimAges(final long timeoutNs) {
        this.timeoutNs = timeoutNs;
        intervalNs = Math.ceilDiv(timeoutNs, LOOKS_PER_TIMEOUT);
    }

    /**
     * Look where claims end. Looks are kept as long as anything is claimed, also when claims end where they did: so a
     * claim that cannot be given up now, as its thread has yet to mark it, is tried again.
     *
     * @param tail  of the log: claims before it are over.
     * @param end   of claims, read after the tail.
     * @param nowNs time of the look.
     * @return the position before which claims have been open for longer than the timeout; the tail when none has.
     */
    long look(final long tail, final long end, final long nowNs) {
        long oldEnd = tail;
        for (int i = 0; i < count; i++) {
            if (nowNs - seenNs[i] > timeoutNs) {
                count = i;
                oldEnd = Math.max(tail, ends[i]);
            }
        }
        // while nothing is claimed no look is kept, so that the first one that sees a claim is
        if (tail != end && (count == 0 || nowNs - seenNs[0] >= intervalNs)) {
            System.arraycopy(ends, 0, ends, 1, count);
            System.arraycopy(seenNs, 0, seenNs, 1, count);
            ends[0] = end;
            seenNs[0] = nowNs;
            count++;
        }
        return oldEnd;
    }
}
