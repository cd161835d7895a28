package io.sluice.transport.connection;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The media of a transport, and the sessions with its peers over all of them. Conductor only. */
final class Peers {
    private final Services services;
    private final Links links;
    private final ControlEncoder encoder = new ControlEncoder();
    private final List<Medium> media = new ArrayList<>();

    Peers(final Services services, final Links links) {
        this.services = services;
        this.links = links;
    }

    void add(final Medium medium) {
        media.add(medium);
    }

    int doWork(final long nowNs) {
        int work = 0;
        for (int i = 0; i < media.size(); i++) {
            work += media.get(i).doWork(nowNs);
        }
        return work;
    }

    /** Let subscriptions in that peers have announced and that there was no room for. */
    void admitAnnounced() {
        media.forEach(medium -> medium.sessions().announced().admit());
    }

    /** The sessions that links can be made over, a copy. */
    Collection<ControlSession> ready() {
        final List<ControlSession> ready = new ArrayList<>();
        for (final Medium medium : media) {
            ready.addAll(medium.sessions().ready());
        }
        return ready;
    }

    /** Whether this transport is at the other end, too: a connection to itself has two sessions, maybe of two media. */
    boolean hasOtherEnd(final ControlSession session) {
        for (final Medium medium : media) {
            if (medium.sessions().haveOtherEnd(session)) {
                return true;
            }
        }
        return false;
    }

    void onReady(final ControlSession session) {
        services.counters().increment(TransportCounter.CONNECTIONS_ESTABLISHED);
        session.medium().sessions().onReady(session);
        links.onReady(session);
    }

    void onLost(final ControlSession session) {
        services.counters().increment(TransportCounter.CONNECTIONS_LOST);
        final boolean isPeerGone = session.connection().isPeerGone();
        session.medium().sessions().onLost(session);
        links.onLost(session, isPeerGone);
    }

    /** Say goodbye to all peers and stop listening. */
    void close(final GoodbyeReason reason) {
        media.forEach(medium -> medium.close(reason));
    }

    /** {@return whether every connection is closed, after all of them were told to be} */
    boolean areClosed() {
        return media.stream().allMatch(medium -> medium.sessions().isClosed());
    }

    Services services() {
        return services;
    }

    Links links() {
        return links;
    }

    /** For what sessions say for themselves. */
    ControlEncoder encoder() {
        return encoder;
    }
}
