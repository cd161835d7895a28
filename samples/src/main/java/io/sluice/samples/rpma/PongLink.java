package io.sluice.samples.rpma;

import org.agrona.DirectBuffer;

/**
 * A link as pong needs it: it carries messages, and tells of its end. One thread, which closes it. Any method may throw
 * {@link RpmaLinkFailure}.
 */
interface PongLink extends AutoCloseable {
    /** Send a message; false when too many are under way. */
    boolean offer(DirectBuffer source, int offset, int length);

    /** Hand over messages that have come; 0 when there was nothing. */
    int poll(MessageTaker taker);

    /** Wait a little. */
    void idle();

    /** Whether the other end is there. */
    boolean isConnected();

    @Override
    void close();
}
