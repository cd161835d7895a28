package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.ConcurrentClaims;
import io.sluice.transport.send.ConcurrentPoster;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stream.PublicationState;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * A handle on a stream that any number of threads write to. Any thread may call everything. The stream is the
 * transport's, and ends when its last handle is closed.
 */
final class ConcurrentPublication extends Publication {
    private final ConcurrentPoster poster;
    private final ConcurrentClaims claims;
    private final SendLog log;
    private final Consumer<ConcurrentPublication> closeAction;
    private volatile boolean closed;

    /** Creates a handle; the action is called for each {@link #close()}. */
    ConcurrentPublication(final PublicationState state, final Consumer<ConcurrentPublication> closeAction) {
        super(state);
        poster = (ConcurrentPoster) state.poster();
        claims = poster.claims();
        log = state.log();
        this.closeAction = closeAction;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
        checkLength(length);
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final int frameLength = FrameDescriptor.frameLength(length);
            final long position = claim(frameLength, false);
            if (position < 0) {
                return position;
            }
            int type = FrameDescriptor.PADDING_TYPE;
            try {
                log.putBytes(position, 0, buffer, offset, length);
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
        checkLength(firstLength);
        checkLength(secondLength);
        checkLength(firstLength + secondLength);
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final int frameLength = FrameDescriptor.frameLength(firstLength + secondLength);
            final long position = claim(frameLength, false);
            if (position < 0) {
                return position;
            }
            int type = FrameDescriptor.PADDING_TYPE;
            try {
                log.putBytes(position, 0, first, firstOffset, firstLength);
                log.putBytes(position, firstLength, second, secondOffset, secondLength);
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
    public long tryClaim(final int length, final BufferClaim claim) {
        checkLength(length);
        claim.checkNotOpen();
        final int slot = enter();
        if (slot < 0) {
            return refusal(slot);
        }
        try {
            final long position = claim(FrameDescriptor.frameLength(length), true);
            if (position < 0) {
                return position;
            }
            poster.holdMemory();
            claim.wrap(this, position, log.buffer(), log.messageOffset(position), length);
            return position + SendLog.alignedLength(length);
        } finally {
            poster.leave(slot);
        }
    }

    private int enter() {
        return closed ? ConcurrentPoster.CLOSED : poster.enter();
    }

    private static long refusal(final int slot) {
        return slot == ConcurrentPoster.BUSY ? ADMIN_ACTION : CLOSED;
    }

    /** Position where a frame of this length begins, or a negative result. */
    private long claim(final int frameLength, final boolean staysOpen) {
        if (!poster.isConnected()) {
            return NOT_CONNECTED;
        }
        final long position = claim(frameLength, staysOpen, poster.limit());
        if (position >= 0) {
            return position;
        }
        final long limit = poster.refreshLimit();
        final long retried = claim(frameLength, staysOpen, limit);
        if (retried >= 0) {
            return retried;
        }
        poster.post();
        if (limit == LogPoster.NOT_CONNECTED) {
            return NOT_CONNECTED;
        }
        if (retried == SendLog.OVER_MAX_POSITION) {
            return MAX_POSITION_EXCEEDED;
        }
        poster.onBackPressured(frameLength);
        return BACK_PRESSURED;
    }

    private long claim(final int frameLength, final boolean staysOpen, final long limit) {
        return staysOpen ? claims.claim(frameLength, limit) : claims.offer(frameLength, limit);
    }

    @Override
    void commit(final long position, final int length, final long reservedValue) {
        final int slot = poster.enter();
        try {
            if (slot == ConcurrentPoster.CLOSED) {
                throw closedBeforeCommit(position, length);
            }
            if (!claims.commit(position, FrameDescriptor.frameLength(length), reservedValue)) {
                throw new IllegalStateException("the claim was given up, and its message is not sent: it was open for"
                    + " longer than unblockTimeoutNs=" + poster.unblockTimeoutNs() + ", or the publication was closed:"
                    + " position=" + position + " length=" + length);
            }
            post(slot);
        } finally {
            leave(slot);
        }
    }

    @Override
    void abort(final long position, final int length) {
        final int slot = poster.enter();
        try {
            // when it was closed, or the claim was given up, there is padding already, or soon
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
    public boolean isConnected() {
        return !isClosed() && poster.isConnected();
    }

    @Override
    public long position() {
        return isClosed() ? CLOSED : claims.end();
    }

    @Override
    public long positionLimit() {
        return isClosed() ? CLOSED : poster.observedLimit();
    }

    @Override
    public long availableWindow() {
        if (isClosed()) {
            return CLOSED;
        }
        final long observedLimit = poster.observedLimit();
        return observedLimit == LogPoster.NOT_CONNECTED ? 0 : Math.max(0, observedLimit - claims.end());
    }

    @Override
    public boolean isClosed() {
        return closed || poster.isClosed();
    }

    @Override
    public void close() {
        closeAction.accept(this);
    }

    /** Lets nobody in by this handle any more; true when that is new. Under the lock of whoever counts the handles. */
    boolean markClosed() {
        final boolean isNew = !closed;
        closed = true;
        return isNew;
    }
}
