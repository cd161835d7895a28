package io.sluice.verbs;

/**
 * A reliable connected queue pair. The {@code post} methods are the data path: one thread at a time per direction,
 * allocation-free, non-blocking, and their results are {@link Errno} values. The rest is set-up and may block.
 * <p>
 * {@link #close()} may be called while other threads post or poll: what they post then returns EINVAL, and memory is
 * released only when nobody can be touching it any more.
 */
public abstract class QueuePair implements AutoCloseable {
    /** For providers. */
    protected QueuePair() {
    }

    /**
     * The queue pair number.
     *
     * @return 24 bits, unique in its device among living queue pairs.
     */
    public abstract int number();

    /**
     * The state; any thread.
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
     * @return false also when this queue pair is closed or was never connected.
     */
    public abstract boolean isPeerReceiving();

    /**
     * What was granted at creation.
     *
     * @return sizes, never smaller than asked.
     */
    public abstract QueuePairAttributes attributes();

    /**
     * What the peer needs to connect to this queue pair by out-of-band exchange.
     *
     * @return an opaque address, at most 256 bytes.
     */
    public abstract byte[] localAddress();

    /**
     * RESET to INIT.
     *
     * @param access {@link AccessFlags} bits that peers may use through this queue pair.
     * @throws VerbsException EINVAL in any other state.
     */
    public abstract void initialise(int access);

    /**
     * INIT to READY_TO_RECEIVE, connected to a peer. Post receives before.
     *
     * @param remoteAddress the peer's {@link #localAddress()}; comes from outside and is not trusted.
     * @throws VerbsException EINVAL in any other state, or when the address is malformed or its queue pair gone.
     */
    public abstract void readyToReceive(byte[] remoteAddress);

    /**
     * READY_TO_RECEIVE to READY_TO_SEND.
     *
     * @throws VerbsException EINVAL in any other state.
     */
    public abstract void readyToSend();

    /**
     * To the ERROR state, from any: outstanding work is flushed. Idempotent; any thread.
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
     * Post a receive (ibv_post_recv(3)). Allowed from INIT on.
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
     * @return OK when all were posted; ENOMEM when they do not all fit, and none is posted; EINVAL when closed, in
     * RESET, or with a {@link SharedReceiveQueue}.
     */
    public abstract int postReceives(long workRequestId, int count);

    /**
     * Destroy (ibv_destroy_qp(3)); idempotent. Completions that were not polled may vanish.
     */
    @Override
    public abstract void close();
}
