package io.sluice.transport;

import org.agrona.DirectBuffer;

/**
 * Handles the messages of a subscription and decides after each one how to go on.
 */
@FunctionalInterface
public interface ControlledFragmentHandler {
    /** The way to go on after a message. */
    enum Action {
        /** Stop, and do not consume this message: the next poll begins with it. */
        ABORT,
        /** Consume this message and stop. */
        BREAK,
        /** Consume this message, publish the position now, and go on. */
        COMMIT,
        /** Go on; the position is published when the poll ends. */
        CONTINUE
    }

    /**
     * A message; see {@link FragmentHandler#onFragment} for what holds for buffer, header and exceptions.
     *
     * @param buffer that holds the message.
     * @param offset where it begins.
     * @param length of the message in bytes, 0 or more.
     * @param header of the message.
     * @return how to go on; null is {@link Action#CONTINUE}.
     */
    Action onFragment(DirectBuffer buffer, int offset, int length, Header header);
}
