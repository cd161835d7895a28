package io.sluice.samples.rpma;

import org.agrona.DirectBuffer;

/** Takes the messages of a {@link RpmaLink}, on the thread that polls it. */
@FunctionalInterface
public interface MessageTaker {
    /**
     * Takes a message that has come.
     *
     * @param buffer that it lies in until this returns true.
     * @param offset of it, in bytes.
     * @param length of it, in bytes.
     * @return false to have it again at the next poll.
     */
    boolean onMessage(DirectBuffer buffer, int offset, int length);
}
