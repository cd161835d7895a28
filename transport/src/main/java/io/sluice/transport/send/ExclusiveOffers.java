package io.sluice.transport.send;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.CommitResult;
import org.agrona.DirectBuffer;

/**
 * Offers of one writing thread. The thread may change, not be two at a time.
 */
public final class ExclusiveOffers extends LogOffers {
    private final ExclusivePoster poster;
    private final SendLog log;
    private OutboundLink[] knownLinks;
    /** The link of {@link #knownLinks} when there is one, and its peer looks at the frames itself; else null. */
    private OutboundLink soleLink;
    private long limit = NOT_CONNECTED;
    private boolean claimOpen;

    ExclusiveOffers(final ExclusivePoster poster) {
        super(poster.log());
        this.poster = poster;
        log = poster.log();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            if (poster.links() == knownLinks) {
                final long end = log.append(limit, buffer, offset, length, reservedValue);
                if (end > 0) {
                    poster.post(soleLink, end);
                    return end;
                }
            }
            return offerInSteps(buffer, offset, length, reservedValue);
        } finally {
            poster.leave();
        }
    }

    /**
     * Offers step by step, where links have changed, the limit known is reached, or the log must be padded or marked.
     */
    private long offerInSteps(
        final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        final long position = claimFrame(length);
        if (position < 0) {
            return position;
        }
        log.putBytes(position, 0, buffer, offset, length);
        return commitFrame(position, length, FrameDescriptor.DATA_TYPE, reservedValue);
    }

    @Override
    public long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength) {
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            final int length = firstLength + secondLength;
            final long position = claimFrame(length);
            if (position < 0) {
                return position;
            }
            log.putBytes(position, 0, first, firstOffset, firstLength);
            log.putBytes(position, firstLength, second, secondOffset, secondLength);
            return commitFrame(position, length, FrameDescriptor.DATA_TYPE, 0L);
        } finally {
            poster.leave();
        }
    }

    @Override
    public long claim(final int length) {
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            final long position = claimFrame(length);
            if (position < 0) {
                return position;
            }
            log.markAll(position, FrameDescriptor.frameLength(length));
            claimOpen = true;
            poster.holdMemory(true);
            return position + SendLog.alignedLength(length);
        } finally {
            poster.leave();
        }
    }

    @Override
    public CommitResult commit(final long position, final int length, final long reservedValue) {
        return endClaim(position, length, FrameDescriptor.DATA_TYPE, reservedValue)
            ? CommitResult.SENT : CommitResult.CLOSED;
    }

    @Override
    public void abort(final long position, final int length) {
        endClaim(position, length, FrameDescriptor.PADDING_TYPE, 0L);
    }

    /** {@return false when the publication was closed, and nothing was written} */
    private boolean endClaim(final long position, final int length, final int type, final long reservedValue) {
        claimOpen = false;
        try {
            if (!poster.enter()) {
                return false;
            }
            try {
                commitFrame(position, length, type, reservedValue);
            } finally {
                poster.leave();
            }
            return true;
        } finally {
            poster.holdMemory(false);
        }
    }

    /** Position where a frame for a message of this length begins, or a negative result. */
    private long claimFrame(final int length) {
        final OutboundLink[] links = poster.links();
        if (links != knownLinks) {
            knownLinks = links;
            limit = poster.limit();
            soleLink = links.length == 1 && links[0].isMemoryCompletion() ? links[0] : null;
        }
        if (limit == NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        final int alignedLength = SendLog.alignedLength(length);
        long position = log.claim(alignedLength, limit);
        if (position < 0) {
            limit = poster.limit();
            position = log.claim(alignedLength, limit);
            if (position < 0) {
                poster.post();
                return refusal(position, alignedLength);
            }
        }
        return position;
    }

    private long refusal(final long claimed, final int alignedLength) {
        if (limit == NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        if (claimed == SendLog.OVER_MAX_POSITION) {
            return MAX_POSITION_EXCEEDED;
        }
        poster.onBackPressured(log.claimEnd(alignedLength));
        return BACK_PRESSURED;
    }

    private long commitFrame(final long position, final int length, final int type, final long reservedValue) {
        final long end = log.commit(position, FrameDescriptor.frameLength(length), type, reservedValue);
        poster.post();
        return end;
    }

    @Override
    public boolean isClaimOpen() {
        return claimOpen;
    }

    @Override
    public boolean isClosed() {
        return poster.isClosed();
    }

    @Override
    public long position() {
        return poster.isClosed() ? CLOSED : log.tail();
    }

    @Override
    LogPoster poster() {
        return poster;
    }
}
