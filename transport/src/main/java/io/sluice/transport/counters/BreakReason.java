package io.sluice.transport.counters;

/** The reason why a link broke. The code travels in control messages. */
public enum BreakReason {
    /** The link's queue pair is in the error state. */
    QUEUE_PAIR_ERROR,
    /** A work request of the link failed. */
    COMPLETION_ERROR,
    /** The completion queue overran. */
    COMPLETION_QUEUE_OVERRUN,
    /** A frame in the receive ring is malformed. */
    BAD_FRAME,
    /** An immediate does not fit the stream. */
    BAD_POSITION,
    /** A feedback cell does not add up. */
    BAD_FEEDBACK,
    /** The control connection was lost or its peer was silent. */
    PEER_SILENT,
    /** The device failed. */
    DEVICE,
    /** Somebody asked for the break. */
    ADMINISTRATIVE;

    /**
     * Whether an overrun of the completion queue looks like this reason, too, as long as the device has not told of it.
     *
     * @return true when an overrun would be the better reason.
     */
    public boolean mayComeOfOverrun() {
        return this == QUEUE_PAIR_ERROR || this == COMPLETION_ERROR;
    }

    /**
     * Whether going on could only repeat this failure, so that the link is given up at once.
     *
     * @return true when the peer's bytes themselves were wrong.
     */
    public boolean isFatal() {
        return this == BAD_FRAME || this == BAD_POSITION || this == BAD_FEEDBACK;
    }
}
