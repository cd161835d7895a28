package io.sluice.transport.send;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.CommitResult;
import org.agrona.DirectBuffer;

/**
 * Offers by one handle on a publication that any number of threads write to. Any thread may call everything.
 */
public final class ConcurrentOffers extends LogOffers {
    private final ConcurrentPoster poster;
    private final ConcurrentClaims claims;
    private final FrameWriter writer;

    ConcurrentOffers(final ConcurrentPoster poster) {
        super(poster.log());
        this.poster = poster;
        claims = poster.claims();
        writer = poster.log().writer();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final int frameLength = FrameDescriptor.frameLength(length);
            final long position = claimFrame(frameLength, false);
            if (position < 0) {
                return position;
            }
            int type = FrameDescriptor.PADDING_TYPE;
            try {
                writer.putMessage(position, 0, buffer, offset, length);
                type = FrameDescriptor.DATA_TYPE;
            } finally {
                end(position, frameLength, type, reservedValue);
            }
            return position + FrameDescriptor.alignedLength(frameLength);
        } finally {
            poster.leave(slot);
        }
    }

    @Override
    public long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength) {
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final int frameLength = FrameDescriptor.frameLength(firstLength + secondLength);
            final long position = claimFrame(frameLength, false);
            if (position < 0) {
                return position;
            }
            int type = FrameDescriptor.PADDING_TYPE;
            try {
                writer.putMessage(position, 0, first, firstOffset, firstLength);
                writer.putMessage(position, firstLength, second, secondOffset, secondLength);
                type = FrameDescriptor.DATA_TYPE;
            } finally {
                end(position, frameLength, type, 0L);
            }
            return position + FrameDescriptor.alignedLength(frameLength);
        } finally {
            poster.leave(slot);
        }
    }

    /** Ends the claim of an offer, as padding when its message could not be copied: no other thread can end it. */
    private void end(final long position, final int frameLength, final int type, final long reservedValue) {
        claims.end(position, frameLength, type, reservedValue);
        poster.post();
    }

    @Override
    public long claim(final int length) {
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final long position = claimFrame(FrameDescriptor.frameLength(length), true);
            if (position < 0) {
                return position;
            }
            poster.holdMemory();
            return position + SendLog.alignedLength(length);
        } finally {
            poster.leave(slot);
        }
    }

    private int enter() {
        return isShut() ? ConcurrentPoster.CLOSED : poster.enter();
    }

    private static long refusal(final int slot) {
        return slot == ConcurrentPoster.BUSY ? ADMIN_ACTION : CLOSED;
    }

    /** Position where a frame of this length begins, or a negative result. */
    private long claimFrame(final int frameLength, final boolean staysOpen) {
        if (!poster.isConnected()) {
            return NOT_CONNECTED;
        }
        final long position = claimFrame(frameLength, staysOpen, poster.limit());
        if (position >= 0) {
            return position;
        }
        final long limit = poster.refreshLimit();
        final long retried = claimFrame(frameLength, staysOpen, limit);
        if (retried >= 0) {
            return retried;
        }
        poster.post();
        if (limit == NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        if (retried == SendLog.OVER_MAX_POSITION) {
            return MAX_POSITION_EXCEEDED;
        }
        poster.onBackPressured(frameLength);
        return BACK_PRESSURED;
    }

    private long claimFrame(final int frameLength, final boolean staysOpen, final long limit) {
        return staysOpen ? claims.claim(frameLength, limit) : claims.offer(frameLength, limit);
    }

    @Override
    public CommitResult commit(final long position, final int length, final long reservedValue) {
        final int slot = poster.enter();
        try {
            if (slot == ConcurrentPoster.CLOSED) {
                return CommitResult.CLOSED;
            }
            if (!claims.commit(position, FrameDescriptor.frameLength(length), reservedValue)) {
                return CommitResult.GIVEN_UP;
            }
            post(slot);
            return CommitResult.SENT;
        } finally {
            leave(slot);
        }
    }

    @Override
    public void abort(final long position, final int length) {
        final int slot = poster.enter();
        try {
            if (slot != ConcurrentPoster.CLOSED && claims.abort(position, FrameDescriptor.frameLength(length))) {
                post(slot);
            }
        } finally {
            leave(slot);
        }
    }

    private void post(final int slot) {
        if (slot >= 0) {
            poster.post();
        } else {
            poster.requestFlush();
        }
    }

    private void leave(final int slot) {
        if (slot >= 0) {
            poster.leave(slot);
        }
        poster.releaseMemory();
    }

    @Override
    public boolean isClaimOpen() {
        // any number may be, each in a BufferClaim of its own, which knows
        return false;
    }

    @Override
    public boolean isClosed() {
        return isShut() || poster.isClosed();
    }

    @Override
    public long position() {
        return isClosed() ? CLOSED : claims.end();
    }

    @Override
    LogPoster poster() {
        return poster;
    }
}
