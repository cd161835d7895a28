package io.sluice.verbs;

/**
 * A queue pair. The {@code post} methods are the data path: one thread at a time per direction, allocation-free,
 * non-blocking, and their results are {@link Errno} values. The rest is set-up and may block.
 * <p>
 * A {@link QueuePairType#RELIABLE_CONNECTED} one is connected to a peer. An {@link QueuePairType#UNRELIABLE_DATAGRAM}
 * one is not: it posts by {@link #postSendTo} and {@link #postSendToWithImmediate}, each time to whom it likes, and
 * receives from everybody who knows its number, its queue key and an {@link AddressHandle} of its port. What the other
 * type has answers EINVAL.
 * <p>
 * {@link #close()} may be called while other threads post or poll: what they post then returns EINVAL, and memory is
 * released only when nobody can be touching it any more.
 */
public abstract class QueuePair implements AutoCloseable {
    /**
     * Bytes before the payload in each receive of a datagram queue pair, where the global routing header is, if the
     * packet had one: {@link WorkFlags#GLOBAL_ROUTE} (ibv_post_recv(3)). {@link CompletionQueue#byteLength()} counts
     * them. Where the header is that of IPv4 (RoCE v2), its 20 bytes are the last ones.
     */
    public static final int GLOBAL_ROUTE_HEADER_LENGTH = 40;

    /** Make a queue pair; for providers. */
    protected QueuePair() {
    }

    /**
     * The queue pair number.
     *
     * @return 24 bits, unique in its device among living queue pairs.
     */
    public abstract int number();

    /**
     * The state of this queue pair; any thread.
     *
     * @return the current state.
     */
    public abstract QueuePairState state();

    /**
     * Whether the connected queue pair receives, as far as this provider can tell without asking the peer. Where
     * devices share memory the answer is exact: what was read from the peer's memory before this call returned true was
     * written there before the peer's queue pair failed or was closed. A peer that died goes on to receive by this
     * measure. Elsewhere it is whether this queue pair is connected. The thread that posts.
     *
     * @return false also when this queue pair is closed, was never connected, or is one of datagrams.
     */
    public abstract boolean isPeerReceiving();

    /**
     * The attributes that were granted at creation.
     *
     * @return sizes, never smaller than asked.
     */
    public abstract QueuePairAttributes attributes();

    /**
     * The address that the peer needs to connect to this queue pair by out-of-band exchange. A datagram queue pair is
     * not connected to: peers need {@link RdmaDevice#portAddress()}, {@link #number()} and the queue key.
     *
     * @return an opaque address, at most 256 bytes.
     * @throws VerbsException EINVAL for a datagram queue pair.
     */
    public abstract byte[] localAddress();

    /**
     * Move the queue pair from RESET to INIT.
     *
     * @param access {@link AccessFlags} bits that peers may use through this queue pair.
     * @throws VerbsException EINVAL in any other state.
     */
    public abstract void initialise(int access);

    /**
     * Move the queue pair from INIT to READY_TO_RECEIVE, connected to a peer. Post receives before.
     *
     * @param remoteAddress the peer's {@link #localAddress()}; comes from outside and is not trusted.
     * @throws VerbsException EINVAL in any other state, or when the address is malformed or its queue pair gone.
     */
    public abstract void readyToReceive(byte[] remoteAddress);

    /**
     * Move the queue pair from READY_TO_RECEIVE to READY_TO_SEND.
     *
     * @throws VerbsException EINVAL in any other state.
     */
    public abstract void readyToSend();

    /**
     * Move a datagram queue pair from RESET to INIT.
     *
     * @param queueKey that peers must know ({@code IBV_QP_QKEY}); those with the highest bit set are kept for
     *                 privileged users.
     * @throws VerbsException EINVAL in any other state, and when this is no datagram queue pair.
     */
    public void initialiseDatagrams(final int queueKey) {
        throw notOfDatagrams("initialise(access)");
    }

    /**
     * Move a datagram queue pair from INIT to READY_TO_RECEIVE. Post receives before; {@link #readyToSend()} follows.
     *
     * @throws VerbsException EINVAL in any other state, and when this is no datagram queue pair.
     */
    public void readyToReceiveDatagrams() {
        throw notOfDatagrams("readyToReceive(remoteAddress)");
    }

    private static VerbsException notOfDatagrams(final String instead) {
        return new VerbsException(
            "ibv_modify_qp", Errno.EINVAL, "this queue pair is a connected one: use " + instead);
    }

    /**
     * Move the queue pair to the ERROR state, from any state: outstanding work is flushed. Idempotent; any thread. A
     * thread that is inside a post or makes a transition is waited for during two milliseconds at most. Where a
     * transition takes longer, as it does while the peer's address is looked for, its end brings the queue pair to the
     * ERROR state: {@link #state()} tells when. After this call no other transition begins.
     */
    public abstract void fail();

    /**
     * Post an RDMA WRITE ({@code IBV_WR_RDMA_WRITE}).
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param remoteAddress where they go.
     * @param remoteKey     rkey of the peer's region.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, or the length is bad.
     */
    public abstract int postWrite(
        long workRequestId, int flags, long localAddress, int localKey, int length, long remoteAddress, int remoteKey);

    /**
     * Post an RDMA WRITE WITH IMMEDIATE ({@code IBV_WR_RDMA_WRITE_WITH_IMM}), which consumes a receive of the peer and
     * makes a completion there when the bytes are visible.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param remoteAddress where they go.
     * @param remoteKey     rkey of the peer's region.
     * @param immediate     32 bits for the peer's completion, in this host's byte order (the provider converts).
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, or the length is bad.
     */
    public abstract int postWriteWithImmediate(
        long workRequestId,
        int flags,
        long localAddress,
        int localKey,
        int length,
        long remoteAddress,
        int remoteKey,
        int immediate);

    /**
     * Post an RDMA READ ({@code IBV_WR_RDMA_READ}, ibv_post_send(3)). The peer's thread takes no part. What is posted
     * after it may be carried out before it is done, unless {@link WorkFlags#FENCED}.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits but {@link WorkFlags#INLINE}.
     * @param localAddress  where the bytes go, within the region of {@code localKey}, which has
     *                      {@link AccessFlags#LOCAL_WRITE}.
     * @param localKey      lkey.
     * @param length        bytes, 0 or more.
     * @param remoteAddress of the bytes.
     * @param remoteKey     rkey of the peer's region, which has {@link AccessFlags#REMOTE_READ}.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, the length is bad, the
     * flags have INLINE or this queue pair was created with {@code maxReadAtomic=0}; EOPNOTSUPP when the provider
     * cannot.
     */
    public int postRead(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Post a COMPARE AND SWAP of 8 bytes ({@code IBV_WR_ATOMIC_CMP_AND_SWP}, ibv_post_send(3)): when the peer's word
     * is what was expected it is replaced; what it was comes back in any case. Atomic among the atomics of the peer's
     * device; on the software device among processors, too.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits but {@link WorkFlags#INLINE}.
     * @param localAddress  where the 8 bytes that were there go, within the region of {@code localKey}, which has
     *                      {@link AccessFlags#LOCAL_WRITE}.
     * @param localKey      lkey.
     * @param remoteAddress of the word, a multiple of 8.
     * @param remoteKey     rkey of the peer's region, which has {@link AccessFlags#REMOTE_ATOMIC}.
     * @param expected      in this host's byte order.
     * @param replacement   in this host's byte order.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, the address is not
     * aligned, the flags have INLINE or this queue pair was created with {@code maxReadAtomic=0}; EOPNOTSUPP when the
     * device has no atomics, see {@link DeviceAttributes#atomics()}.
     */
    public int postCompareAndSwap(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long expected,
        final long replacement) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Post a FETCH AND ADD of 8 bytes ({@code IBV_WR_ATOMIC_FETCH_AND_ADD}, ibv_post_send(3)); atomic as
     * {@link #postCompareAndSwap} is.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits but {@link WorkFlags#INLINE}.
     * @param localAddress  where the 8 bytes that were there go, within the region of {@code localKey}, which has
     *                      {@link AccessFlags#LOCAL_WRITE}.
     * @param localKey      lkey.
     * @param remoteAddress of the word, a multiple of 8.
     * @param remoteKey     rkey of the peer's region, which has {@link AccessFlags#REMOTE_ATOMIC}.
     * @param addend        in this host's byte order; the sum wraps.
     * @return as {@link #postCompareAndSwap}.
     */
    public int postFetchAdd(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long addend) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Post a SEND ({@code IBV_WR_SEND}), which fills a receive of the peer.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, or the length is bad.
     */
    public abstract int postSend(long workRequestId, int flags, long localAddress, int localKey, int length);

    /**
     * Post a SEND WITH IMMEDIATE ({@code IBV_WR_SEND_WITH_IMM}).
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param immediate     32 bits for the peer's completion, in this host's byte order.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, or the length is bad.
     */
    public abstract int postSendWithImmediate(
        long workRequestId, int flags, long localAddress, int localKey, int length, int immediate);

    /**
     * A chain for sends that are prepared one by one and posted by one call. Set-up, which allocates.
     *
     * @param capacity sends that fit in it, 1 to the granted {@link QueuePairAttributes#maxSendWork()}.
     * @return the chain, empty; of this queue pair only.
     * @throws VerbsException EINVAL when the capacity is out of range; EOPNOTSUPP when the provider has none, or this
     *                        is a datagram queue pair.
     */
    public SendChain newSendChain(final int capacity) {
        throw new VerbsException("ibv_post_send", Errno.EOPNOTSUPP, "this queue pair has no chains of sends");
    }

    /**
     * Post a datagram ({@code IBV_WR_SEND} of {@code IBV_QPT_UD}, ibv_post_send(3)), which fills a receive of the peer
     * from {@link #GLOBAL_ROUTE_HEADER_LENGTH} on. It completes when it has been sent; whether it arrives nobody tells:
     * it is lost when the peer has no receive posted, a shorter one, or another queue key.
     *
     * @param workRequestId  returned by its completion.
     * @param flags          {@link WorkFlags} bits.
     * @param localAddress   of the bytes, within the region of {@code localKey}.
     * @param localKey       lkey, ignored when inline.
     * @param length         bytes, 0 to {@link DeviceAttributes#maxDatagramLength()}.
     * @param remote         the peer's port; of this queue pair's protection domain.
     * @param remoteNumber   number of the peer's queue pair.
     * @param remoteQueueKey that the peer's queue pair was initialised with.
     * @return OK; ENOMEM when the send queue is full; EINVAL when closed, not ready to send, the length is bad, the
     * handle is closed or of another protection domain, or this is no datagram queue pair.
     */
    public int postSendTo(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final AddressHandle remote,
        final int remoteNumber,
        final int remoteQueueKey) {
        return Errno.EINVAL;
    }

    /**
     * Post a datagram with immediate data ({@code IBV_WR_SEND_WITH_IMM} of {@code IBV_QPT_UD}), else as
     * {@link #postSendTo}.
     *
     * @param workRequestId  returned by its completion.
     * @param flags          {@link WorkFlags} bits.
     * @param localAddress   of the bytes, within the region of {@code localKey}.
     * @param localKey       lkey, ignored when inline.
     * @param length         bytes, 0 to {@link DeviceAttributes#maxDatagramLength()}.
     * @param remote         the peer's port; of this queue pair's protection domain.
     * @param remoteNumber   number of the peer's queue pair.
     * @param remoteQueueKey that the peer's queue pair was initialised with.
     * @param immediate      32 bits for the peer's completion, in this host's byte order.
     * @return as {@link #postSendTo}.
     */
    public int postSendToWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final AddressHandle remote,
        final int remoteNumber,
        final int remoteQueueKey,
        final int immediate) {
        return Errno.EINVAL;
    }

    /**
     * Post a receive (ibv_post_recv(3)). Allowed from INIT on. One of a datagram queue pair needs
     * {@link #GLOBAL_ROUTE_HEADER_LENGTH} bytes more than the message.
     *
     * @param workRequestId returned by its completion.
     * @param address       of the buffer, within the region of {@code localKey}; 0 for a receive without a buffer.
     * @param localKey      lkey, ignored when the length is 0.
     * @param length        bytes that fit; 0 suits WRITE WITH IMMEDIATE, which brings no bytes to the buffer.
     * @return OK; ENOMEM when the receive queue is full; EINVAL when closed, in RESET, with a
     * {@link SharedReceiveQueue}, or the range is bad.
     */
    public abstract int postReceive(long workRequestId, long address, int localKey, int length);

    /**
     * Post a chain of receives without buffers, all with one work request id (ibv_post_recv(3) with a list).
     *
     * @param workRequestId returned by each of their completions.
     * @param count         how many, at least 1.
     * @return OK when all were posted; ENOMEM when they do not all fit; EINVAL when closed, in RESET, or with a
     * {@link SharedReceiveQueue}. Of those that do not all fit a device may take the first ones: they keep this id,
     * and the next call posts as many fewer, so that it is to be called again with the same ids.
     */
    public abstract int postReceives(long workRequestId, int count);

    /**
     * Destroy the queue pair (ibv_destroy_qp(3)); idempotent. Completions that were not polled may vanish.
     *
     * @throws VerbsException        when the device refuses, or EBUSY when another thread does not leave a post, or a
     *                               batch of one of its completion queues, or the device does not end its work in
     *                               time: it can be closed again then, not used.
     * @throws IllegalStateException within a batch of this thread of one of its completion queues, for whose end a
     *                               device may wait.
     */
    @Override
    public abstract void close();
}
