package io.sluice.transport.connection;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.status.TransportCounter;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Peers that were refused because of who they are or what they said before that was proved, or that refused this
 * transport for that: all are counted, and the application is told of each one once, however often it comes back.
 * Conductor only.
 */
final class RefusedPeers {
    /** Peers that are remembered, the oldest forgotten first: a bound on what strangers can make us keep. */
    private static final int MAX_REMEMBERED = 1024;

    private final Conductor conductor;
    private final Set<String> told = new LinkedHashSet<>();

    RefusedPeers(final Conductor conductor) {
        this.conductor = conductor;
    }

    /**
     * A peer was refused.
     *
     * @param peer   by what it is told from others; not what it says itself.
     * @param reason why.
     * @param text   for people.
     */
    void onRefused(final String peer, final GoodbyeReason reason, final String text) {
        conductor.counters().increment(TransportCounter.PEERS_REFUSED);
        tellOnce("peer refused: " + ControlText.printable(peer) + " " + reason, text);
    }

    /** A peer has refused this transport, as before. */
    void onRefusedBy(final String peer, final GoodbyeReason reason, final String text) {
        tellOnce("refused by peer: " + ControlText.printable(peer) + " " + reason, ControlText.printable(text));
    }

    /** A peer's address without its port. */
    static String hostOf(final String peer) {
        final int port = peer.lastIndexOf(':');
        return port < 0 ? peer : peer.substring(0, port);
    }

    /** Tell why a control connection ends: of a peer that has not proved itself, once for each reason. */
    void tellEnd(final ControlSession session, final String what, final String text) {
        if (session.isReady()) {
            conductor.reportError("control connection to " + session.connection().peer() + " " + what + ", " + text);
        } else {
            tellOnce("control connection to " + ControlText.printable(session.distinctPeer()) + " " + what, text);
        }
    }

    /** Tell that a control connection has ended by itself, if links could be made over it. */
    void tellLost(final ControlSession session) {
        if (session.isReady()) {
            final String why = session.connection().isPeerGone() ? "the peer has ended" : "it has ended";
            tellEnd(session, "lost", why + " without a goodbye: client=" + session.clientName());
        }
    }

    /**
     * Tell of something that a stranger can cause as often as it likes.
     *
     * @param what happened, the same each time.
     * @param text of this time, for people.
     */
    void tellOnce(final String what, final String text) {
        if (told.add(what)) {
            if (told.size() > MAX_REMEMBERED) {
                final Iterator<String> oldest = told.iterator();
                oldest.next();
                oldest.remove();
            }
            conductor.reportError(what + ", " + text + " (told once)");
        }
    }
}
