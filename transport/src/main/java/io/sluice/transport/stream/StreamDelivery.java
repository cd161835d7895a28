package io.sluice.transport.stream;

import io.sluice.transport.send.OutboundLink;

/**
 * The end of a publication's stream on its way to one subscriber, after the publication was closed:
 * <pre>
 *   owed ──all is posted, and the link ACTIVE──→ announced ──the peer has everything──→ received
 *     ↑                                              │ the epoch breaks
 *     └──────────────────────────────────────────────┘
 *   any → received, when the peer wants nothing more
 * </pre>
 * Conductor only; the link owns it.
 */
public final class StreamDelivery {
    private final PublicationLinkNotices notices;
    private final LogMemory memory;
    /** Whether the end of the stream was announced in this epoch: the announcement may be lost with the epoch. */
    private boolean endSent;
    /** Whether nothing is owed to the peer any more: it has everything, or wants nothing more. Never taken back. */
    private boolean endReceived;

    /**
     * Creates the delivery of a stream whose end was not announced.
     *
     * @param notices to the subscriber.
     * @param memory  of the log, by whose tail it is known what everything is.
     */
    StreamDelivery(final PublicationLinkNotices notices, final LogMemory memory) {
        this.notices = notices;
        this.memory = memory;
    }

    /** Notes that another epoch begins, in which the end is to be announced again. */
    void onConnected() {
        endSent = false;
    }

    /**
     * {@return whether the peer has received everything, or wants nothing more} Announces the end as soon as all is
     * posted, once in each epoch.
     *
     * @param outbound    of a link that is ACTIVE; null of any other one, whose peer cannot be told.
     * @param endPosition of the log, in bytes; nothing is offered any more.
     */
    boolean deliver(final OutboundLink outbound, final long endPosition) {
        if (outbound != null && !endSent && outbound.postedPosition() >= endPosition) {
            endSent = true;
            notices.endOfStream(endPosition);
        }
        return endReceived;
    }

    /**
     * Notes that the peer has received everything up to the end of the stream. It need not have consumed it.
     *
     * @param receivedPosition up to where; one before the end of the log is of no use and is ignored.
     */
    public void onReceived(final long receivedPosition) {
        endReceived |= receivedPosition >= memory.log().tail();
    }

    /** Notes that the peer wants nothing more, so that its end is no loss. */
    void onUnwanted() {
        endReceived = true;
    }

    /** {@return whether nothing is owed to the peer any more, so that its end is no loss} */
    boolean isReceived() {
        return endReceived;
    }
}
