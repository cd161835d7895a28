package io.sluice.transport.send;

import io.sluice.transport.carrier.Offers;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Offers and claims in a send log: each step of them, from the limit to the post. The log is the publication's, and so
 * is its poster. The threads are those of {@link Offers}.
 */
public abstract class LogOffers extends Offers {
    private final SendLog log;

    LogOffers(final SendLog log) {
        this.log = log;
    }

    @Override
    public final long claimed(final long end, final int length) {
        return end - SendLog.alignedLength(length);
    }

    @Override
    public final long claimEnd(final long position, final int length) {
        return position + SendLog.alignedLength(length);
    }

    @Override
    public final void putBytes(
        final long position, final int messageOffset, final DirectBuffer source, final int offset, final int length) {
        log.putBytes(position, messageOffset, source, offset, length);
    }

    @Override
    public final long pad(final int length) {
        final long end = claim(length);
        if (end > 0) {
            abort(claimed(end, length), length);
        }
        return end;
    }

    @Override
    public final UnsafeBuffer buffer(final long position) {
        return log.buffer();
    }

    @Override
    public final int frameOffset(final long position) {
        return log.offset(position);
    }

    @Override
    public final int messageOffset(final long position) {
        return log.messageOffset(position);
    }

    abstract LogPoster poster();

    @Override
    public final boolean isConnected() {
        return !isClosed() && poster().isConnected();
    }

    @Override
    public final long positionLimit() {
        return isClosed() ? CLOSED : poster().observedLimit();
    }

    @Override
    public final long availableWindow() {
        final long position = position();
        if (position == CLOSED) {
            return CLOSED;
        }
        final long limit = poster().observedLimit();
        return limit == NOT_CONNECTED ? 0 : Math.max(0, limit - position);
    }
}
