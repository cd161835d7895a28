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

    /**
     * Hand on what was taken, where that is the sending thread's own duty, and let it go on with what is still under
     * way. To be called after offers, and again and again while an offer is refused.
     */
    default void flush() {
        // most systems hand a message on when they take it
    }
}
