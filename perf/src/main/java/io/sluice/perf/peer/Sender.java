package io.sluice.perf.peer;

import org.agrona.DirectBuffer;

/**
 * The sending end of a stream; one thread.
 */
public interface Sender {
    /**
     * Whether a receiver is connected.
     *
     * @return true when an offer can succeed.
     */
    boolean isConnected();

    /**
     * Send a message, or do nothing.
     *
     * @param buffer that holds it.
     * @param offset where it begins.
     * @param length in bytes.
     * @return true when it was taken; false when the stream is full for the moment: try again.
     * @throws IllegalStateException when it can never be taken, for example because the receiver is gone.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);
}
