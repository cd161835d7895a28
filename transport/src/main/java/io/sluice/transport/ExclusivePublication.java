package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stream.PublicationState;
import org.agrona.DirectBuffer;

/**
 * A publication with one writing thread, which makes it the fastest kind. {@code offer}, {@code tryClaim}, commit and
 * abort belong to one thread at a time; everything else may be called from any thread.
 */
public final class ExclusivePublication extends Publication {
    private final ExclusivePoster poster;
    private final SendLog log;
    private OutboundLink[] knownLinks;
    private long limit = LogPoster.NOT_CONNECTED;
    private boolean claimOpen;

    ExclusivePublication(final PublicationState state) {
        super(state);
        poster = (ExclusivePoster) state.poster();
        log = state.log();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        checkLength(length);
        checkNoClaim();
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            if (poster.links() == knownLinks) {
                final long end = log.append(limit, buffer, offset, length, reservedValue);
                if (end > 0) {
                    poster.post();
                    return end;
                }
            }
            return offerInSteps(buffer, offset, length, reservedValue);
        } finally {
            poster.leave();
        }
    }

    /** Where links have changed, the limit known is reached, or the log must be padded or marked. */
    private long offerInSteps(
        final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        final long position = claim(length);
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
        checkLength(firstLength);
        checkLength(secondLength);
        final int length = firstLength + secondLength;
        checkLength(length);
        checkNoClaim();
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            final long position = claim(length);
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
    public long tryClaim(final int length, final BufferClaim claim) {
        checkLength(length);
        checkNoClaim();
        claim.checkNotOpen();
        if (!poster.enter()) {
            return CLOSED;
        }
        try {
            final long position = claim(length);
            if (position < 0) {
                return position;
            }
            log.markAll(position, FrameDescriptor.frameLength(length));
            claimOpen = true;
            poster.holdMemory(true);
            claim.wrap(this, position, log.buffer(), log.messageOffset(position), length);
            return position + SendLog.alignedLength(length);
        } finally {
            poster.leave();
        }
    }

    @Override
    void commit(final long position, final int length, final long reservedValue) {
        endClaim(position, length, FrameDescriptor.DATA_TYPE, reservedValue);
    }

    @Override
    void abort(final long position, final int length) {
        endClaim(position, length, FrameDescriptor.PADDING_TYPE, 0L);
    }

    private void endClaim(final long position, final int length, final int type, final long reservedValue) {
        claimOpen = false;
        try {
            if (poster.enter()) {
                try {
                    commitFrame(position, length, type, reservedValue);
                } finally {
                    poster.leave();
                }
            } else if (type == FrameDescriptor.DATA_TYPE) {
                throw closedBeforeCommit(position, length);
            }
        } finally {
            poster.holdMemory(false);
        }
    }

    /** Position where a frame for a message of this length begins, or a negative result. */
    private long claim(final int length) {
        final OutboundLink[] links = poster.links();
        if (links != knownLinks) {
            knownLinks = links;
            limit = poster.limit();
        }
        if (limit == LogPoster.NOT_CONNECTED) {
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
        if (limit == LogPoster.NOT_CONNECTED) {
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

    private void checkNoClaim() {
        if (claimOpen) {
            throw new IllegalStateException(
                "a claim is open: commit or abort it first: streamId=" + streamId() + " sessionId=" + sessionId());
        }
    }

    @Override
    public boolean isConnected() {
        return !poster.isClosed() && poster.isConnected();
    }

    @Override
    public long position() {
        return poster.isClosed() ? CLOSED : log.tail();
    }

    @Override
    public long positionLimit() {
        return poster.isClosed() ? CLOSED : poster.observedLimit();
    }

    @Override
    public long availableWindow() {
        if (poster.isClosed()) {
            return CLOSED;
        }
        final long observedLimit = poster.observedLimit();
        return observedLimit == LogPoster.NOT_CONNECTED ? 0 : Math.max(0, observedLimit - log.tail());
    }

    @Override
    public boolean isClosed() {
        return poster.isClosed();
    }

    @Override
    public void close() {
        state().close();
    }
}
