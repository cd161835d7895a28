package io.sluice.transport.connection;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.status.TransportCounter;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Peers that were refused because of who they are, or that refused this transport for that: all are counted, and the
 * application is told of each one once, however often it comes back. Conductor only.
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

    private void tellOnce(final String what, final String text) {
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
