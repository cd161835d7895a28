package io.sluice.verbs;

/**
 * A connection of two queue pairs made by the connection manager (rdma_cm(7)). One thread at a time polls it; owned by
 * whoever connected or accepted. The queue pair stays the caller's.
 */
public interface Connection extends AutoCloseable {
    /** Bytes of private data that a connect request carries. */
    int MAX_CONNECT_PRIVATE_DATA = 56;
    /** Bytes of private data that an accept carries. */
    int MAX_ACCEPT_PRIVATE_DATA = 196;
    /** Bytes of private data that a reject carries. */
    int MAX_REJECT_PRIVATE_DATA = 148;

    /**
     * The state of a connection.
     */
    enum State {
        /** This end waits for the peer's answer. */
        CONNECTING,
        /** The queue pairs of this end and of the peer are ready to send. */
        ESTABLISHED,
        /**
         * The peer, or its kernel, said no; {@link #privateData()} or {@link #problem()} may say why. The queue pair is
         * in the INIT state still.
         */
        REJECTED,
        /**
         * No listener is at the address, or no answer came in time: the queue pair is in the INIT state still. Or an
         * answer came, and the queue pair could not be connected by it: it may be in the ERROR state then.
         */
        UNREACHABLE,
        /** The peer disconnected or died, or this end disconnected; the queue pair is in the ERROR state. */
        DISCONNECTED
    }

    /**
     * Process what has happened and tell the state; never blocks. What fails in an end that came by itself is told by
     * {@link #problem()}.
     *
     * @return the state now.
     */
    State poll();

    /**
     * The private data of the peer's accept or reject, padded by the device.
     *
     * @return the private data, empty before the answer; not trusted.
     */
    byte[] privateData();

    /**
     * The cause that keeps the peer from being reached, beyond what the state says: for example no way to its address
     * from this device, or the reason of a rejection. Or, after an end that came by itself, what the device has refused
     * then.
     *
     * @return for people to read; empty when nobody listens there, and when nothing more is known.
     */
    String problem();

    /**
     * The address or the process of the peer, for people to read.
     *
     * @return for example {@code "10.0.0.2:40123"} or {@code "pid 4711"}.
     */
    String peer();

    /**
     * The network address of the peer: the one that was connected to or, at an accepting end, the one that the peer
     * says to have. See {@link #contradictingAddress()}.
     *
     * @return 4 or 16 bytes; none on a device without addresses.
     */
    byte[] peerAddress();

    /**
     * The address that packets of this connection go to and are taken from, where that is not {@link #peerAddress()},
     * as {@link ConnectionRequest#contradictingAddress()} says it.
     *
     * @return for people to read; empty when both are the same, where nothing can be compared, and before there is an
     * answer.
     */
    default String contradictingAddress() {
        return "";
    }

    /**
     * The address of another queue pair that the peer has told, where that is not the one of this connection's peer.
     *
     * @param queuePairAddress a {@link QueuePair#localAddress()} of the peer; not trusted.
     * @return for people to read; empty when both are the same, where nothing can be compared, and when it is
     * malformed, which {@link QueuePair#readyToReceive} says.
     */
    default String contradictingAddress(final byte[] queuePairAddress) {
        return "";
    }

    /**
     * The parts of this connection: the addresses and numbers of its two queue pairs, the connecting end's first.
     * No two connections of an end have the same at a time, so a proof over these bytes is worth nothing on another
     * connection. Over rdma an accepting end knows its peer's address from what the peer has said
     * ({@link #contradictingAddress()}); its own end, and both ends of a connecting one, are those that packets go by.
     *
     * @return the same bytes at both ends; empty before there is an answer.
     */
    byte[] binding();

    /**
     * The port and address of this end, which queue pairs to the same peer are best created with
     * ({@link QueuePairAttributes#withSourceAddress}): they reach it as this connection does.
     *
     * @return {@link SourceAddress#ANY} where the device decides, and before there is an answer.
     */
    default SourceAddress sourceAddress() {
        return SourceAddress.ANY;
    }

    /**
     * Whether the peer process certainly no longer exists. False means only that nobody knows.
     *
     * @return true when it is gone for good.
     */
    boolean isPeerGone();

    /**
     * Disconnect (rdma_disconnect(3)): both queue pairs move to the ERROR state. One that is CONNECTING gives up, and
     * its queue pair moves to the ERROR state, too. Idempotent.
     *
     * @throws VerbsException when the queue pair cannot be moved; the connection is DISCONNECTED nevertheless.
     */
    void disconnect();

    /**
     * Disconnect if needed and release the connection; idempotent.
     *
     * @throws VerbsException when the device refuses a part of it; the rest of it is done.
     */
    @Override
    void close();
}
