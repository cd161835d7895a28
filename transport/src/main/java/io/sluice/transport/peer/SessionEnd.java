package io.sluice.transport.peer;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.status.TransportCounter;

/**
 * Ends one session for a reason, and says it: to the peer in a Goodbye, to the application once for each peer, and in
 * counters. Each way to end it is one method here; what an end means for links is the session's. Conductor only, from
 * anywhere within the session's duty cycle; owns nothing that is to be freed.
 */
final class SessionEnd {
    /** A session, as far as whoever ends it needs it. */
    interface Session {
        /** {@return the state of the session} */
        SessionState state();

        /** Ends the session without a word; idempotent. */
        void close();
    }

    private final SessionContext context;
    /** The peers of the medium that were refused, by which each is told of once. */
    private final RefusedPeers refusedPeers;
    private final ControlConnection connection;
    private final PeerIdentity peer;
    private final Session session;
    /** Whether one end has hung up on the other for who it is: neither is likely to change soon. */
    private boolean isRefused;

    /**
     * Creates the ways to end a session that lasts.
     *
     * @param context      with the encoder and the counters.
     * @param refusedPeers of the session's medium.
     * @param connection   that a Goodbye is sent over.
     * @param peer         that is told of.
     * @param session      that is to end.
     */
    SessionEnd(
        final SessionContext context,
        final RefusedPeers refusedPeers,
        final ControlConnection connection,
        final PeerIdentity peer,
        final Session session) {
        this.context = context;
        this.refusedPeers = refusedPeers;
        this.connection = connection;
        this.peer = peer;
        this.session = session;
    }

    /** Hangs up on a peer for who it is, whatever it says, and tells the application once for each such peer. */
    void refuse(final GoodbyeReason reason, final String text) {
        refuse(peer.distinctPeer(), reason, text);
    }

    /**
     * Hangs up on a peer, named by what it cannot choose. The peer hears the reason in a Goodbye, unless this end has
     * not even said Hello: then the end of the connection has to do.
     */
    void refuse(final String name, final GoodbyeReason reason, final String text) {
        isRefused = true;
        refusedPeers.onRefused(name, reason, text);
        sendGoodbye(reason, text);
        session.close();
    }

    /** Hangs up on a peer that has broken the protocol: it is told so, and so is the application. */
    void protocolError(final String text) {
        context.services().counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        goodbye(GoodbyeReason.PROTOCOL_ERROR, text);
    }

    /**
     * Ends the session on purpose. The Goodbye is the last message, and has 100 ms to leave before the connection is
     * released ({@link ClosingConnections}); nobody waits for it here. With CLOSED the peer's publications end their
     * links at once; after any other end links wait to be resumed. For the application of this side CLOSED is no news.
     */
    void goodbye(final GoodbyeReason reason, final String text) {
        if (session.state() == SessionState.CLOSED) {
            return;
        }
        sendGoodbye(reason, text);
        if (reason != GoodbyeReason.CLOSED) {
            tell("closed: " + reason, text);
        }
        session.close();
    }

    private void sendGoodbye(final GoodbyeReason reason, final String text) {
        if (session.state() != SessionState.CONNECTING) {
            final ControlEncoder encoder = context.encoder();
            connection.send(encoder.buffer(), encoder.goodbye(reason, text));
        }
    }

    /**
     * Closes for a reason that the application must hear of. The peer gets no Goodbye: it is silent, or the connection
     * cannot carry one any more.
     */
    void fail(final String reason) {
        if (session.state() != SessionState.CLOSED) {
            tell("lost", reason);
            session.close();
        }
    }

    /** Closes when the connection has ended by itself, which is told if links could be made over it. */
    void lost(final boolean isPeerGone) {
        if (session.state() == SessionState.READY) {
            refusedPeers.tellLost(peer, isPeerGone);
        }
        session.close();
    }

    /**
     * Closes when the peer has said Goodbye. A peer that hangs up on this transport for who it is, is told of like one
     * that is refused; one that just closes is no news.
     */
    void onGoodbye(final GoodbyeReason reason, final String text) {
        if (reason == GoodbyeReason.AUTHENTICATION_FAILED || reason == GoodbyeReason.NOT_ALLOWED) {
            isRefused = true;
            refusedPeers.onRefusedBy(peer.distinctPeer(), reason, text);
        } else if (reason != GoodbyeReason.CLOSED) {
            tell("closed by the peer: " + reason, ControlText.printable(text));
        }
        session.close();
    }

    /** Tells the application why the connection ends: of a peer once for each reason, however often it comes back. */
    private void tell(final String what, final String text) {
        refusedPeers.tellEnd(peer, session.state() == SessionState.READY, what, text);
    }

    /** {@return whether one end has refused the other for who it is: the peer is left alone for a while then} */
    boolean isRefused() {
        return isRefused;
    }
}
