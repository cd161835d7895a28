package io.sluice.verbs;

/**
 * A peer that wants to connect. The thread that polls the listener accepts or rejects it, once.
 */
public interface ConnectionRequest {
    /**
     * The private data of the peer's request, padded by the device, so that it must carry a length of its own.
     *
     * @return the private data, at most {@link Connection#MAX_CONNECT_PRIVATE_DATA} bytes; not trusted.
     */
    byte[] privateData();

    /**
     * The address or the process of the peer that asks, for people to read.
     *
     * @return for example {@code "10.0.0.2:40123"} or {@code "pid 4711"}.
     */
    String peer();

    /**
     * The network address that the peer says to have: it is told in the request (rdma_get_peer_addr(3)), and nothing
     * below compares it with where packets come from. See {@link #contradictingAddress()}.
     *
     * @return 4 or 16 bytes; none on a device without addresses.
     */
    byte[] peerAddress();

    /**
     * The address that packets of the connection would go to and be taken from, where that is not
     * {@link #peerAddress()}: a peer that says one address and has another. On RoCE the GID of a path is the IP address
     * that it leads to. On InfiniBand a GID is no IP address, so nothing can be compared.
     *
     * @return for people to read; empty when both are the same, and where nothing can be compared.
     */
    default String contradictingAddress() {
        return "";
    }

    /**
     * Accept (rdma_accept(3)). The queue pair must be in the INIT state with its receives posted.
     *
     * @param queuePair   to connect, owned by the caller.
     * @param privateData for the peer, at most {@link Connection#MAX_ACCEPT_PRIVATE_DATA} bytes.
     * @return the connection, owned by the caller.
     * @throws VerbsException ETIMEDOUT when the peer has given up waiting; others when it is gone, and the queue pair
     *                        may be in the ERROR state then.
     */
    Connection accept(QueuePair queuePair, byte[] privateData);

    /**
     * Reject (rdma_reject(3)).
     *
     * @param privateData the reason, at most {@link Connection#MAX_REJECT_PRIVATE_DATA} bytes.
     */
    void reject(byte[] privateData);
}
