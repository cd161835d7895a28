package io.sluice.transport;

import org.agrona.DirectBuffer;

/**
 * Handles the messages of a subscription, on the thread that polls it.
 */
@FunctionalInterface
public interface FragmentHandler {
    /**
     * Handles a message. Buffer and header are valid until this method returns and must not be kept or written to; the
     * buffer's capacity is bounded to the message. What this method throws goes to the error handler, and the message
     * counts as consumed. It must not poll its own subscription; offering to publications is what it is for.
     *
     * @param buffer that holds the message.
     * @param offset where it begins.
     * @param length of the message in bytes, 0 or more.
     * @param header of the message.
     */
    void onFragment(DirectBuffer buffer, int offset, int length, Header header);
}
