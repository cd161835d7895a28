package io.sluice.verbs.rdma;

import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.Consumer;

/** An identifier that a peer's request has made, until it is answered. */
final class ManagedRequest implements ConnectionRequest, ConnectionChannel.Endpoint {
    private final ConnectionChannel channel;
    /** Listener for when the peer has given up before the request was answered. */
    private final Consumer<ManagedRequest> givenUp;
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
     * @param givenUp told when the peer has given up before the request is answered; the monitor is held.
     * @param host    that it has come from ({@link #origin}).
     */
    ManagedRequest(
        final ConnectionChannel channel,
        final Consumer<ManagedRequest> givenUp,
        final ConnectionEvent event,
        final byte[] host) {
        this.channel = channel;
        this.givenUp = givenUp;
        this.host = host;
        id = event.id();
        sinceNs = channel.device().environment().nanoTime();
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
        synchronized (channel) {
            return isAnswered || isDestroyed ? "nobody" : IdentifierFields.peer(id);
        }
    }

    @Override
    public byte[] peerAddress() {
        synchronized (channel) {
            return isAnswered || isDestroyed ? new byte[0] : IdentifierFields.peerAddress(id);
        }
    }

    @Override
    public String contradictingAddress() {
        synchronized (channel) {
            return isAnswered || isDestroyed || !channel.device().ports().isEthernet(IdentifierFields.port(id)) ? ""
                : GidText.contradiction(
                    QueuePairTransitions.destination(channel.library(), id), IdentifierFields.peerAddress(id));
        }
    }

    /**
     * The place where the other end of an identifier is, for the share that one host has of the places: on Ethernet the
     * GID that its path leads to, else, and when it has given up, the address that it says. A port that cannot be asked
     * is told by whoever answers the request ({@link #contradictingAddress}): here nothing may keep an event from its
     * end.
     */
    static byte[] origin(final ConnectionChannel channel, final long id) {
        byte[] gid = new byte[0];
        try {
            if (channel.device().ports().isEthernet(IdentifierFields.port(id))) {
                gid = QueuePairTransitions.destination(channel.library(), id);
            }
        } catch (final VerbsException e) {
            return IdentifierFields.peerAddress(id);
        }
        return gid.length == 0 ? IdentifierFields.peerAddress(id) : gid;
    }

    /** Learns of the only thing that happens to a request: its peer gives up before it is answered. */
    @Override
    public void onEvent(final ConnectionEvent event) {
        isGivenUp = true;
        givenUp.accept(this);
    }

    /** The host that the request came from. */
    byte[] host() {
        return host;
    }

    /** Time when its event was read. */
    long sinceNs() {
        return sinceNs;
    }

    /**
     * Drops the request, as the device goes. The owner of a dropped request that answers it is told the same as when
     * the peer has given up.
     */
    @Override
    public void release() {
        isGivenUp = true;
        isDestroyed = true;
        channel.destroyId(id);
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
        channel.device().presence().checkThere("rdma_accept");
        final ReliableQueuePair own = ReliableQueuePair.of("rdma_accept", queuePair, channel.device());
        own.requireInit("rdma_accept");
        synchronized (channel) {
            answer();
            channel.poll();
            final byte[] peerGid;
            try (Arena arena = Arena.ofConfined()) {
                if (isDestroyed) {
                    throw channel.device().presence().gone("rdma_accept");
                }
                if (isGivenUp) {
                    throw Handshake.givenUp(channel.library().accept);
                }
                final ConnectionChannel.Contradiction contradiction = channel.contradiction(id);
                if (contradiction != null) {
                    throw new VerbsException("rdma_accept", Remedies.ENODEV, "the request came in through "
                        + contradiction.found() + ", and not through " + contradiction.asked());
                }
                peerGid = own.connect(id, () -> Handshake.step(channel.library().accept,
                    "the request is not accepted", id,
                    ManagedConnection.parameters(arena, own, initiatorDepth, data)));
            } catch (final VerbsException e) {
                throw isDestroyed ? e : channel.destroyAfter(e, id);
            }
            return ManagedConnection.accepted(channel, id, own, queuePairNumber, peerGid);
        }
    }

    @Override
    public void reject(final byte[] data) {
        Handshake.checkLength("rdma_reject", data, Connection.MAX_REJECT_PRIVATE_DATA);
        synchronized (channel) {
            answer();
            if (isDestroyed) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                // A peer that is gone needs no answer.
                channel.library().reject.invoke(
                    id, ManagedConnection.bytes(arena, data), (byte) data.length);
            }
            channel.destroyId(id);
        }
    }

    /** Drop what was not taken, as its peer waits no more; the monitor is held. */
    void forget() {
        isAnswered = true;
        channel.destroyUnknown(id);
    }

    /** Drops the request, as the listener is closed; the monitor is held. */
    void drop() {
        isAnswered = true;
        channel.destroyId(id);
    }
}
