package io.sluice.transport.receive;

/** Where a link's run ends, once that is known, and who has been told. Polling thread. */
final class RunEnd {
    private long position = InboundLink.NO_END;
    private boolean receivedTold;
    private boolean consumedTold;

    boolean isKnown() {
        return position != InboundLink.NO_END;
    }

    long position() {
        return position;
    }

    void position(final long endPosition) {
        position = endPosition;
    }

    void tellReceived(final InboundLink link, final ReceiverListener listener) {
        if (!receivedTold) {
            receivedTold = true;
            listener.onEndReceived(link);
        }
    }

    void tellConsumed(final InboundLink link, final ReceiverListener listener) {
        if (!consumedTold) {
            consumedTold = true;
            listener.onEndConsumed(link);
        }
    }
}
