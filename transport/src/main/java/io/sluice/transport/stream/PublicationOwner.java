package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.PeerOrigin;

/** The owner of publications, as one of them sees it. Conductor only, but for what says otherwise. */
interface PublicationOwner {
    /** {@return the services of the transport} Any thread. */
    Services services();

    /** {@return the encoder of messages about links} */
    LinkEncoder encoder();

    /** Notes that a tail waits for credit, or does not any more. */
    void flushSoon(boolean isWaiting);

    /**
     * Notes that a link of a peer is gone for good.
     *
     * @param peer      that it led to.
     * @param logLength bytes that had been registered for it.
     */
    void onLinkGone(PeerOrigin peer, long logLength);
}
