package io.sluice.transport.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;

/** An event of one end of a link. The thread that commits it. */
abstract class LinkEvent extends StreamEvent {
    @Label("Side")
    @Description("PUBLICATION or SUBSCRIPTION: the end of the link that tells")
    String side;

    @Label("Session")
    @Description("Session id of the publication")
    int sessionId;

    @Label("Peer")
    @Description("Transport at the other end of the link")
    String peer;

    @Label("Link")
    @Description("Number of the link, by which the publishing transport knows it")
    long linkId;

    /** Fills in what all events of a link say. */
    final void of(final LinkName link) {
        channel = link.channel();
        streamId = link.streamId();
        side = link.side().name();
        sessionId = link.sessionId();
        peer = link.peer();
        linkId = link.linkId();
    }
}
