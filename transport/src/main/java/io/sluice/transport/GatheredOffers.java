package io.sluice.transport;

import io.sluice.transport.carrier.CommitResult;
import io.sluice.transport.carrier.Offers;
import org.agrona.DirectBuffer;

/**
 * Offers whose messages are gathered from parts, or that have a value beside them which is computed from the message:
 * each claims, copies the parts, asks for the value, and ends its claim whatever happens in between. The threads that
 * may offer; nothing is kept between calls.
 */
final class GatheredOffers {
    private final Commits commits;
    private final Offers offers;

    /** The publication, when a claim of its own has ended. The thread that offers. */
    interface Commits {
        /** Throws when the claim was given up, and says why. */
        void check(CommitResult result, long position, int length);
    }

    /**
     * Makes gathered offers of a publication.
     *
     * @param commits told how claims ended.
     * @param offers  of the same publication.
     */
    GatheredOffers(final Commits commits, final Offers offers) {
        this.commits = commits;
        this.offers = offers;
    }

    /** Offers what lies in two buffers, which have the bytes, with a value. The arguments are checked. */
    public long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength,
        final ReservedValueSupplier supplier) {
        final int length = firstLength + secondLength;
        final long end = offers.claim(length);
        if (end < 0) {
            return end;
        }
        final long position = offers.claimed(end, length);
        boolean isCopied = false;
        try {
            offers.putBytes(position, 0, first, firstOffset, firstLength);
            offers.putBytes(position, firstLength, second, secondOffset, secondLength);
            isCopied = true;
        } finally {
            abortUnless(isCopied, position, length);
        }
        return send(position, length, supplier);
    }

    /** Offers what lies in vectors, of a length that was computed and checked; the supplier may be null. */
    public long offer(final DirectBufferVector[] vectors, final int length, final ReservedValueSupplier supplier) {
        final long end = offers.claim(length);
        if (end < 0) {
            return end;
        }
        final long position = offers.claimed(end, length);
        boolean isCopied = false;
        try {
            copy(vectors, position, length);
            isCopied = true;
        } finally {
            abortUnless(isCopied, position, length);
        }
        return send(position, length, supplier);
    }

    /** Copies parts into a claim, and nothing beyond it, whatever another thread makes of them meanwhile. */
    private void copy(final DirectBufferVector[] vectors, final long position, final int length) {
        int copied = 0;
        for (final DirectBufferVector vector : vectors) {
            final DirectBuffer buffer = vector.buffer();
            final int offset = vector.offset();
            final int part = vector.length();
            checkUnchanged(part >= 0 && part <= length - copied);
            buffer.boundsCheck(offset, part);
            offers.putBytes(position, copied, buffer, offset, part);
            copied += part;
        }
        checkUnchanged(copied == length);
    }

    private static void checkUnchanged(final boolean isUnchanged) {
        if (!isUnchanged) {
            throw new IllegalArgumentException("a vector was changed while it was offered");
        }
    }

    private void abortUnless(final boolean isDone, final long position, final int length) {
        if (!isDone) {
            offers.abort(position, length);
        }
    }

    /** Asks for the value of a message that is in place, and ends its claim: by padding when the supplier throws. */
    private long send(final long position, final int length, final ReservedValueSupplier supplier) {
        long reservedValue = 0L;
        boolean isSupplied = false;
        try {
            if (supplier != null) {
                reservedValue = supplier.get(
                    offers.buffer(position), offers.frameOffset(position),
                    ReservedValueSupplier.HEADER_LENGTH + length);
            }
            isSupplied = true;
        } finally {
            abortUnless(isSupplied, position, length);
        }
        final CommitResult result = offers.commit(position, length, reservedValue);
        if (result != CommitResult.SENT && offers.isClosed()) {
            return Publication.CLOSED;
        }
        commits.check(result, position, length);
        return offers.claimEnd(position, length);
    }
}
