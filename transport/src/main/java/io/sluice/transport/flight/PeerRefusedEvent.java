package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** A peer was refused, of which strangers can cause any number. Committed by the conductor. */
@Name("io.sluice.PeerRefused")
@Label("Peer Refused")
@Category({"Sluice", "Peers"})
@Description("A peer was refused for who it is, or for what it said before that was proved")
@Throttle("100/s")
final class PeerRefusedEvent extends TransportEvent {
    @Label("Peer")
    @Description("The peer, by what it is told from others")
    String peer;

    @Label("Reason")
    @Description("Name of the reason that it is told")
    String reason;

    @Label("Text")
    @Description("Details, for people")
    String text;
}
