package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.connection.PublicationState;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import org.agrona.DirectBuffer;

/**
 * A publication with one writing thread, which makes it the fastest kind. {@code offer}, {@code tryClaim}, commit and
 * abort belong to one thread at a time; everything else may be called from any thread.
 */
public final class ExclusivePublication extends Publication {
    private final PublicationState registration;
    private final LogPoster poster;
    private final SendLog log;
    private final int maxMessageLength;
    private OutboundLink[] knownLinks;
    private long limit;
    private long claimedPosition;
    private int claimedFrameLength;

    ExclusivePublication(final PublicationState registration) {
        this.registration = registration;
        poster = registration.poster();
        log = registration.log();
        maxMessageLength = log.maxMessageLength();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
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
            log.putBytes(log.offset(position) + FrameDescriptor.HEADER_LENGTH, buffer, offset, length);
            return commitFrame(position, length, FrameDescriptor.DATA_TYPE, reservedValue);
        } finally {
            poster.leave();
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
            final int offset = log.offset(position) + FrameDescriptor.HEADER_LENGTH;
            log.putBytes(offset, first, firstOffset, firstLength);
            log.putBytes(offset + firstLength, second, secondOffset, secondLength);
            return commitFrame(position, length, FrameDescriptor.DATA_TYPE, 0L);
        } finally {
            poster.leave();
        }
    }

    @Override
    public long tryClaim(final int length, final BufferClaim claim) {
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
            claimedFrameLength = FrameDescriptor.frameLength(length);
            claimedPosition = position;
            poster.holdMemory(true);
            claim.wrap(this, log.buffer(), log.offset(position) + FrameDescriptor.HEADER_LENGTH, length);
            return position + FrameDescriptor.alignedLength(claimedFrameLength);
        } finally {
            poster.leave();
        }
    }

    void commit(final long reservedValue) {
        endClaim(FrameDescriptor.DATA_TYPE, reservedValue);
    }

    void abort() {
        endClaim(FrameDescriptor.PADDING_TYPE, 0L);
    }

    private void endClaim(final int type, final long reservedValue) {
        final int length = claimedFrameLength - FrameDescriptor.HEADER_LENGTH;
        claimedFrameLength = 0;
        try {
            if (poster.enter()) {
                try {
                    commitFrame(claimedPosition, length, type, reservedValue);
                } finally {
                    poster.leave();
                }
            } else if (type == FrameDescriptor.DATA_TYPE) {
                throw new IllegalStateException("the publication was closed before the claim was committed");
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
        if (links.length == 0) {
            return NOT_CONNECTED;
        }
        final int alignedLength = SendLog.alignedLength(length);
        long position = log.claim(alignedLength, limit);
        if (position < 0) {
            limit = poster.limit();
            position = log.claim(alignedLength, limit);
            if (position < 0) {
                poster.post();
                return refusal(position);
            }
        }
        return position;
    }

    private long refusal(final long claimed) {
        if (limit == LogPoster.NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        if (claimed == SendLog.OVER_MAX_POSITION) {
            return MAX_POSITION_EXCEEDED;
        }
        poster.onBackPressured();
        return BACK_PRESSURED;
    }

    private long commitFrame(final long position, final int length, final int type, final long reservedValue) {
        final long end = log.commit(position, FrameDescriptor.frameLength(length), type, reservedValue);
        poster.post();
        return end;
    }

    private void checkLength(final int length) {
        if (length < 0 || length > maxMessageLength) {
            throw new IllegalArgumentException(
                "message length out of range: length=" + length + " maxMessageLength=" + maxMessageLength
                    + " (an eighth of window=" + log.windowLength() + " less the frame header)");
        }
    }

    private void checkNoClaim() {
        if (claimedFrameLength != 0) {
            throw new IllegalStateException("a claim is open: commit or abort it first");
        }
    }

    @Override
    public boolean isConnected() {
        return !poster.isClosed() && poster.links().length > 0;
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
    public int maxMessageLength() {
        return maxMessageLength;
    }

    @Override
    public String channel() {
        return registration.channel();
    }

    @Override
    public int streamId() {
        return registration.streamId();
    }

    @Override
    public int sessionId() {
        return registration.sessionId();
    }

    @Override
    public boolean isClosed() {
        return poster.isClosed();
    }

    @Override
    public void close() {
        registration.close();
    }

    @Override
    public boolean isDrained() {
        return registration.isDrained();
    }
}
