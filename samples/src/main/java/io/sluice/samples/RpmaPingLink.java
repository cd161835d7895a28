package io.sluice.samples;

import io.sluice.samples.rpma.MessageTaker;
import io.sluice.samples.rpma.RpmaConnector;
import io.sluice.samples.rpma.RpmaLink;
import io.sluice.samples.rpma.RpmaLinkFailure;
import io.sluice.samples.rpma.RpmaLinkOptions;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pings over a connection of librpma, and answers over the same. It is tried until somebody listens. Closed by whoever
 * made it, when its thread has ended.
 */
final class RpmaPingLink extends PingLink implements IdleStrategy, AutoCloseable {
    /** Longest message of both ends, in bytes. */
    static final int MAX_MESSAGE_LENGTH = RpmaLink.MAX_MESSAGE_LENGTH;

    private final RpmaLinkOptions options;
    private final RpmaConnector connector;
    private final MessageTaker taker = (buffer, offset, length) -> {
        this.pongs.onFragment(buffer, offset, length, null);
        return true;
    };
    private PongHandler pongs;
    /** The link; null before it is connected. */
    private RpmaLink link;

    RpmaPingLink(final RpmaLinkOptions options, final RpmaConnector connector) {
        this.options = options;
        this.connector = connector;
    }

    @Override
    boolean isConnected() {
        if (link != null) {
            return isLinkConnected();
        }
        try {
            link = connector.connect();
        } catch (final RpmaLinkFailure e) {
            throw new RunFailure(e.getMessage(), e);
        }
        return link != null;
    }

    private boolean isLinkConnected() {
        try {
            return link.isConnected();
        } catch (final RpmaLinkFailure e) {
            throw failed(e);
        }
    }

    @Override
    boolean offer(final UnsafeBuffer message) {
        try {
            return link.offer(message, 0, message.capacity());
        } catch (final RpmaLinkFailure e) {
            throw failed(e);
        }
    }

    @Override
    int poll(final PongHandler newPongs) {
        if (link == null) {
            return 0;
        }
        pongs = newPongs;
        try {
            return link.poll(taker);
        } catch (final RpmaLinkFailure e) {
            throw failed(e);
        }
    }

    private static RunFailure failed(final RpmaLinkFailure e) {
        return new RunFailure("the connection to pong has failed: " + e.getMessage(), e);
    }

    @Override
    public void idle(final int workCount) {
        if (workCount == 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        link.idle();
    }

    @Override
    public void reset() {
        // there is nothing to forget
    }

    @Override
    int maxMessageLength() {
        return MAX_MESSAGE_LENGTH;
    }

    @Override
    String place() {
        return "address=" + options.address() + " port=" + options.port();
    }

    @Override
    public void close() {
        CloseHelper.closeAll(link, connector);
    }
}
