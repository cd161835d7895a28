package io.sluice.verbs.rdma;

import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.lang.foreign.Arena;
import java.util.Arrays;

/** An identifier that a peer's request has made, until it is answered. */
final class ManagedRequest implements ConnectionRequest, ConnectionManager.Endpoint {
    private final ConnectionManager manager;
    private final ManagedListener listener;
    private final long id;
    private final byte[] host;
    private final long sinceNs;
    private final byte[] privateData;
    private final int initiatorDepth;
    private final int queuePairNumber;
    private boolean isAnswered;
    private boolean isGivenUp;
    private boolean isDestroyed;

    /**
     * A request that has just come.
     *
     * @param host that it has come from ({@link #origin}).
     */
    ManagedRequest(
        final ConnectionManager manager,
        final ManagedListener listener,
        final ConnectionEvent event,
        final byte[] host) {
        this.manager = manager;
        this.listener = listener;
        this.host = host;
        id = event.id();
        sinceNs = manager.device().environment().nanoTime();
        initiatorDepth = event.initiatorDepth();
        queuePairNumber = event.queuePairNumber();
        // Some transports say how much was sent; padded everywhere, so that nobody relies on it.
        privateData = Arrays.copyOf(event.privateData(), Connection.MAX_CONNECT_PRIVATE_DATA);
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String peer() {
        synchronized (manager) {
            return isAnswered || isDestroyed ? "nobody" : IdentifierFields.peer(id);
        }
    }

    @Override
    public byte[] peerAddress() {
        synchronized (manager) {
            return isAnswered || isDestroyed ? new byte[0] : IdentifierFields.peerAddress(id);
        }
    }

    @Override
    public String contradictingAddress() {
        synchronized (manager) {
            return isAnswered || isDestroyed || !manager.device().ports().isEthernet(IdentifierFields.port(id)) ? ""
                : GidText.contradiction(
                    QueuePairTransitions.destination(manager.library(), id), IdentifierFields.peerAddress(id));
        }
    }

    /**
     * Where the other end of an identifier is, for the share that one host has of the places: on Ethernet the GID that
     * its path leads to, else, and when it has given up, the address that it says. A port that cannot be asked is told
     * by whoever answers the request ({@link #contradictingAddress}): here nothing may keep an event from its end.
     */
    static byte[] origin(final ConnectionManager manager, final long id) {
        byte[] gid = new byte[0];
        try {
            if (manager.device().ports().isEthernet(IdentifierFields.port(id))) {
                gid = QueuePairTransitions.destination(manager.library(), id);
            }
        } catch (final VerbsException e) {
            return IdentifierFields.peerAddress(id);
        }
        return gid.length == 0 ? IdentifierFields.peerAddress(id) : gid;
    }

    /** The only thing that happens to a request: its peer gives up before it is answered. */
    @Override
    public void onEvent(final ConnectionEvent event) {
        isGivenUp = true;
        listener.onGivenUp(this);
    }

    /** Where it came from. */
    byte[] host() {
        return host;
    }

    /** When its event was read. */
    long sinceNs() {
        return sinceNs;
    }

    /** The owner of a dropped request that answers it is told the same as when the peer has given up. */
    @Override
    public void release() {
        isGivenUp = true;
        isDestroyed = true;
        manager.destroyId(id);
    }

    private void answer() {
        if (isAnswered) {
            throw new IllegalStateException("the request is answered already, or its listener closed");
        }
        isAnswered = true;
    }

    @Override
    public Connection accept(final QueuePair queuePair, final byte[] data) {
        Handshake.checkLength("rdma_accept", data, Connection.MAX_ACCEPT_PRIVATE_DATA);
        manager.device().presence().checkThere("rdma_accept");
        final ReliableQueuePair own = ReliableQueuePair.of("rdma_accept", queuePair, manager.device().deviceContext());
        own.requireInit("rdma_accept");
        synchronized (manager) {
            answer();
            manager.poll();
            final byte[] peerGid;
            try (Arena arena = Arena.ofConfined()) {
                if (isDestroyed) {
                    throw manager.device().presence().gone("rdma_accept");
                }
                if (isGivenUp) {
                    throw Handshake.givenUp(manager.library().accept);
                }
                final ConnectionManager.Contradiction contradiction = manager.contradiction(id);
                if (contradiction != null) {
                    throw new VerbsException("rdma_accept", Remedies.ENODEV, "the request came in through "
                        + contradiction.found() + ", and not through " + contradiction.asked());
                }
                peerGid = own.connect(id, () -> Handshake.step(manager.library().accept,
                    "the request is not accepted", id,
                    ManagedConnection.parameters(arena, own, initiatorDepth, data)));
            } catch (final VerbsException e) {
                throw isDestroyed ? e : manager.destroyAfter(e, id);
            }
            return ManagedConnection.accepted(manager, id, own, queuePairNumber, peerGid);
        }
    }

    @Override
    public void reject(final byte[] data) {
        Handshake.checkLength("rdma_reject", data, Connection.MAX_REJECT_PRIVATE_DATA);
        synchronized (manager) {
            answer();
            if (isDestroyed) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                // A peer that is gone needs no answer.
                manager.library().reject.invoke(
                    id, ManagedConnection.bytes(arena, data), (byte) data.length);
            }
            manager.destroyId(id);
        }
    }

    /** Drop what was not taken, as its peer waits no more; the monitor is held. */
    void forget() {
        isAnswered = true;
        manager.destroyUnknown(id);
    }

    /** The listener is closed; the monitor is held. */
    void drop() {
        isAnswered = true;
        manager.destroyId(id);
    }
}
