package io.sluice.transport.peer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Bounds how many of a medium's connections may be those of peers that connected and have not proved who they are: so
 * few that strangers leave places, and turns on the set-up thread, for everybody else. Bounds also how many one host
 * has. Conductor only.
 */
final class UnprovedPeers {
    /** A connection as a session sees it. */
    interface Guest {
        /** {@return whether the peer connected, and not this side} */
        boolean isAcceptor();

        /** {@return whether the peer has proved who it is} */
        boolean isReady();

        /** {@return whether the peer had proved who it is, now that the session is over} */
        boolean wasReady();

        /** {@return the address of the peer's host} */
        String host();
    }

    /** The most peers without a proof: a quarter of all places. */
    static final int MAX_UNPROVED = 256;

    /**
     * The most unproved peers of one host, which may have many transports that start at once; over shared memory, of
     * one process.
     */
    static final int MAX_PER_HOST = 64;

    /**
     * The most connections for which the set-up thread is making what they need: whatever comes after them there waits
     * for these.
     */
    static final int MAX_ACCEPTING = 4;

    private final List<? extends Guest> sessions;
    private final List<String> accepting = new ArrayList<>();
    private final List<String> leaving = new ArrayList<>();
    /** Hosts whose sessions are over that were ready, and whose connections are still to be closed. */
    private final List<String> leavingProved = new ArrayList<>();

    /** Creates bounds with nobody let in yet; sessions come and go with their owner. */
    UnprovedPeers(final List<? extends Guest> sessions) {
        this.sessions = sessions;
    }

    /** {@return whether one more peer of a host may be let in} */
    boolean hasRoom(final String host) {
        int unproved = accepting.size() + leaving.size();
        int ofHost = Collections.frequency(accepting, host) + Collections.frequency(leaving, host);
        for (int i = 0; i < sessions.size(); i++) {
            final Guest session = sessions.get(i);
            if (session.isAcceptor() && !session.isReady()) {
                unproved++;
                ofHost += session.host().equals(host) ? 1 : 0;
            }
        }
        return unproved < MAX_UNPROVED && ofHost < MAX_PER_HOST;
    }

    /** {@return connections that a host has opened, with a proof or without, until they are closed} */
    int ofHost(final String host) {
        int count = Collections.frequency(accepting, host) + Collections.frequency(leaving, host)
            + Collections.frequency(leavingProved, host);
        for (int i = 0; i < sessions.size(); i++) {
            final Guest session = sessions.get(i);
            if (session.isAcceptor() && session.host().equals(host)) {
                count++;
            }
        }
        return count;
    }

    /** Notes that the set-up thread makes what a peer of a host needs. */
    void onAccepting(final String host) {
        accepting.add(host);
    }

    /** Notes that what a peer of a host needs is made, and from now on a session, or that it could not be. */
    void onAccepted(final String host) {
        accepting.remove(host);
    }

    /** {@return whether one more connection may be made now} */
    boolean mayAccept() {
        return accepting.size() < MAX_ACCEPTING;
    }

    /**
     * Notes that a session is over. It keeps its place until its connection is closed, among those without a proof if
     * its peer has never proved who it is.
     *
     * @return to be told when that is.
     */
    Runnable onLeaving(final Guest session) {
        if (!session.isAcceptor()) {
            return () -> { };
        }
        final String host = session.host();
        final List<String> places = session.wasReady() ? leavingProved : leaving;
        places.add(host);
        return () -> places.remove(host);
    }

    /** {@return connections that are being made} */
    int accepting() {
        return accepting.size();
    }
}
