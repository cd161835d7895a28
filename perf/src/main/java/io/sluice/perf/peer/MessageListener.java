package io.sluice.perf.peer;

import org.agrona.DirectBuffer;

/**
 * A listener that is told of messages, on the thread that polls.
 */
@FunctionalInterface
public interface MessageListener {
    /**
     * Takes a message, valid until this method returns.
     *
     * @param buffer that holds it.
     * @param offset where it begins.
     * @param length in bytes.
     */
    void onMessage(DirectBuffer buffer, int offset, int length);
}
