package io.sluice.transport.peer;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.FailureKind;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;

/**
 * Peers that were refused because of who they are or what they said before that was proved, or that refused this
 * transport for that: all are counted, and the application is told of each one once, however often it comes back, and
 * again when it was accepted in between or stayed away for a while. Conductor only.
 */
final class RefusedPeers {
    /** The subject of peers, before by what they are told from others. */
    private static final String STRANGER = "peer ";

    private final Services services;
    private final Failures failures;

    RefusedPeers(final Services services) {
        this.services = services;
        failures = services.failures();
    }

    /**
     * Tells that a peer was refused.
     *
     * @param peer   by what it is told from others; not what it says itself.
     * @param reason why.
     * @param text   for people.
     */
    void onRefused(final String peer, final GoodbyeReason reason, final String text) {
        services.counters().increment(TransportCounter.PEERS_REFUSED);
        services.flight().peerRefused(ControlText.printable(peer), reason, text);
        tell(ErrorKind.PEER_REFUSED, peer, "peer refused: " + ControlText.printable(peer) + " " + reason, text);
    }

    /** Tells that a peer has refused this transport; with the parameters of {@link #onRefused}. */
    void onRefusedBy(final String peer, final GoodbyeReason reason, final String text) {
        tell(ErrorKind.PEER_REFUSED, peer, "refused by peer: " + ControlText.printable(peer) + " " + reason,
            ControlText.printable(text));
    }

    /** The reason for refusing a peer whose packets come from another address than its own, or its connection's. */
    static String contradiction(final String own, final String other) {
        return "the peer's address is " + ControlText.printable(own) + " by what it says, and " + other
            + " by where its packets come from";
    }

    /** A peer's address without its port. */
    static String hostOf(final String peer) {
        final int port = peer.lastIndexOf(':');
        return port < 0 ? peer : peer.substring(0, port);
    }

    /**
     * Tell why a control connection ends, of a peer once for each reason.
     *
     * @param isReady whether links could be made over it; else the peer is a stranger.
     */
    void tellEnd(final PeerIdentity peer, final boolean isReady, final String what, final String text) {
        if (isReady) {
            tellEnd(peer, what, text, text);
        } else {
            final String name = peer.distinctPeer();
            tell(ErrorKind.CONNECTION_FAILED, name,
                "control connection to " + ControlText.printable(name) + " " + what, text);
        }
    }

    private void tellEnd(final PeerIdentity peer, final String what, final String kind, final String text) {
        final String connection = "control connection to " + peer.distinctPeer() + " ";
        failures.reportOfPeer(ErrorKind.CONNECTION_FAILED, "control connection to " + peer.id(),
            what + " " + FailureKind.of(kind), connection + what + ", " + text);
    }

    /** Tell that a control connection that links could be made over has ended by itself. */
    void tellLost(final PeerIdentity peer, final boolean isPeerGone) {
        final String why = isPeerGone ? "the peer has ended" : "it has ended";
        tellEnd(peer, "lost", why, why + " without a goodbye" + peer.client(": "));
    }

    /**
     * Tell of something that a stranger can cause as often as it likes.
     *
     * @param kind of error.
     * @param peer by what it is told from others; not what it says itself.
     * @param what happened, the same each time.
     * @param text of this time, for people.
     */
    void tell(final ErrorKind kind, final String peer, final String what, final String text) {
        failures.reportOfPeer(kind, STRANGER + peer, what, what + ", " + text);
    }

    /**
     * Tells that a peer has as much as it may have, and asks for more. That another connection of it is accepted makes
     * no news of it: it would be told each time.
     *
     * @param peer  by what it is told from others.
     * @param what  is refused, the same each time.
     * @param quota that is reached.
     */
    void tellQuota(final String peer, final String what, final String quota) {
        services.counters().increment(TransportCounter.QUOTAS_REACHED);
        final String text = what + ", " + quota;
        failures.reportOfPeer(ErrorKind.QUOTA_REACHED, "quota of " + peer, text, text);
    }

    /** Notes that a peer has proved itself: what it is refused for from now on is news. */
    void onAccepted(final PeerIdentity peer) {
        failures.recovered(STRANGER + peer.distinctPeer());
    }
}
