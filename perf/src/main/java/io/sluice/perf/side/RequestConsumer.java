package io.sluice.perf.side;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.Receiver;
import org.agrona.DirectBuffer;

/**
 * Counts what one receiver of the stream of requests has had: every message must be the next one, and whole. One
 * thread.
 */
final class RequestConsumer implements MessageListener {
    Receiver receiver;
    long messages;
    long wrongMessages;
    boolean hasEnded;

    private final int messageLength;

    /** Creates a consumer of messages of this length. */
    RequestConsumer(final int messageLength) {
        this.messageLength = messageLength;
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (RoundTripMessage.isEnd(buffer, offset)) {
            hasEnded = true;
            return;
        }
        messages++;
        if (length != messageLength || !RoundTripMessage.isWhole(buffer, offset, length, messages)) {
            wrongMessages++;
        }
    }
}
