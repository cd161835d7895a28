package io.sluice.transport.receive;

/**
 * The end of a publication's stream for a link: where that is, once it is known, and who has been told. Polling thread.
 */
public final class StreamEnd {
    private long position = InboundLink.NO_END;
    private volatile String badFrame = "";
    private boolean receivedTold;
    private boolean consumedTold;

    StreamEnd() {
    }

    boolean isKnown() {
        return position != InboundLink.NO_END;
    }

    /** {@return the position where the stream ends, or {@link InboundLink#NO_END}} */
    long position() {
        return position;
    }

    /** Ends the stream at a position, at consumed or later. */
    void position(final long endPosition) {
        position = endPosition;
    }

    /** {@return a description of what stood where the stream was cut short, for people; empty before} Any thread. */
    public String badFrame() {
        return badFrame;
    }

    /** Notes that the stream was cut short; if it had been received as a whole before, then it ends there. */
    void truncate(final long endPosition, final String description) {
        badFrame = description;
        if (receivedTold) {
            position = Math.min(position, endPosition);
        }
    }

    /** Tell, once each, that all was received up to the end, and that it was consumed. */
    void tell(final InboundLink link, final ReceiverListener listener) {
        final ImagePositions positions = link.positions();
        if (positions.received() >= position && !receivedTold) {
            receivedTold = true;
            listener.onEndReceived(link);
        }
        if (positions.consumed() >= position && !positions.hasOutstandingEvents() && !consumedTold) {
            consumedTold = true;
            listener.onEndConsumed(link);
        }
    }
}
