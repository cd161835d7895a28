package io.sluice.verbs;

/**
 * Sends of one queue pair that are prepared one by one and posted together: by one call of ibv_post_send(3) with a
 * list, or between ibv_wr_start(3) and ibv_wr_complete(3). They are carried out and complete as if posted one after the
 * other. Data path: the one thread that posts the queue pair's sends; allocation-free, non-blocking, results are
 * {@link Errno} values. Inline bytes, too, are read when they are posted, not before. Nothing has to be closed: once
 * its queue pair is, a chain posts nothing more.
 */
public abstract class SendChain {
    /** Opcode for providers: {@code IBV_WR_RDMA_WRITE}. */
    protected static final int WRITE = 0;
    /** Opcode for providers: {@code IBV_WR_RDMA_WRITE_WITH_IMM}. */
    protected static final int WRITE_WITH_IMMEDIATE = 1;
    /** Opcode for providers: {@code IBV_WR_SEND}. */
    protected static final int SEND = 2;
    /** Opcode for providers: {@code IBV_WR_SEND_WITH_IMM}. */
    protected static final int SEND_WITH_IMMEDIATE = 3;

    private final int capacity;
    private final int maxInlineData;
    private int first;
    private int end;

    /**
     * Create a chain; for providers.
     *
     * @param capacity   of {@link QueuePair#newSendChain(int)}.
     * @param attributes of the queue pair, as granted.
     * @throws VerbsException EINVAL when the capacity is not in 1 to {@link QueuePairAttributes#maxSendWork()}.
     */
    protected SendChain(final int capacity, final QueuePairAttributes attributes) {
        if (capacity < 1 || capacity > attributes.maxSendWork()) {
            throw new VerbsException("ibv_post_send", Errno.EINVAL,
                "capacity=" + capacity + " is not in 1.." + attributes.maxSendWork());
        }
        this.capacity = capacity;
        maxInlineData = attributes.maxInlineData();
    }

    /**
     * The number of sends that fit into the chain.
     *
     * @return as asked for.
     */
    public final int capacity() {
        return capacity;
    }

    /**
     * The number of sends that are prepared and not posted yet.
     *
     * @return 0 to {@link #capacity()}.
     */
    public final int length() {
        return end - first;
    }

    /** Forget what is prepared and not posted. */
    public final void clear() {
        first = 0;
        end = 0;
    }

    /**
     * Prepare an RDMA WRITE, as {@link QueuePair#postWrite} posts it.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param remoteAddress where they go.
     * @param remoteKey     rkey of the peer's region.
     * @return OK; ENOMEM when the chain is full, of which a part that was posted is free when all is; EINVAL when the
     * length is bad.
     */
    public final int addWrite(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        return add(WRITE, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, 0);
    }

    /**
     * Prepare an RDMA WRITE WITH IMMEDIATE, as {@link QueuePair#postWriteWithImmediate} posts it.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param remoteAddress where they go.
     * @param remoteKey     rkey of the peer's region.
     * @param immediate     32 bits for the peer's completion, in this host's byte order.
     * @return as {@link #addWrite}.
     */
    public final int addWriteWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        return add(WRITE_WITH_IMMEDIATE, workRequestId, flags, localAddress, localKey, length, remoteAddress,
            remoteKey, immediate);
    }

    /**
     * Prepare a SEND, as {@link QueuePair#postSend} posts it.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @return as {@link #addWrite}.
     */
    public final int addSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        return add(SEND, workRequestId, flags, localAddress, localKey, length, 0, 0, 0);
    }

    /**
     * Prepare a SEND WITH IMMEDIATE, as {@link QueuePair#postSendWithImmediate} posts it.
     *
     * @param workRequestId returned by its completion.
     * @param flags         {@link WorkFlags} bits.
     * @param localAddress  of the bytes, within the region of {@code localKey}.
     * @param localKey      lkey, ignored when inline.
     * @param length        bytes, 0 or more.
     * @param immediate     32 bits for the peer's completion, in this host's byte order.
     * @return as {@link #addWrite}.
     */
    public final int addSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        return add(SEND_WITH_IMMEDIATE, workRequestId, flags, localAddress, localKey, length, 0, 0, immediate);
    }

    private int add(
        final int operation,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        if (length < 0 || (flags & WorkFlags.INLINE) != 0 && length > maxInlineData) {
            return Errno.EINVAL;
        }
        if (end == capacity) {
            return Errno.ENOMEM;
        }
        prepare(end++, operation, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey,
            immediate);
        return Errno.OK;
    }

    /**
     * Post what is prepared.
     *
     * @return OK when all were posted, or none is prepared; ENOMEM when they do not all fit in the send queue; EINVAL
     * when closed or not ready to send. Of those that do not all fit a provider may have posted the first ones:
     * {@link #length()} tells how many are left, which the next call posts.
     */
    public final int post() {
        if (first == end) {
            return Errno.OK;
        }
        final int result = post(first, end - first);
        if (result == Errno.OK) {
            clear();
        } else {
            first += posted();
        }
        return result;
    }

    /**
     * Keep a send; for providers. One after the other, from index 0 on after a {@link #clear()}.
     *
     * @param index         in 0 to {@link #capacity()}, exclusive.
     * @param operation     {@link #WRITE} and so on.
     * @param workRequestId of it.
     * @param flags         of it.
     * @param localAddress  of it.
     * @param localKey      of it.
     * @param length        of it, checked.
     * @param remoteAddress of it, or 0.
     * @param remoteKey     of it, or 0.
     * @param immediate     of it, or 0.
     */
    protected abstract void prepare(
        int index,
        int operation,
        long workRequestId,
        int flags,
        long localAddress,
        int localKey,
        int length,
        long remoteAddress,
        int remoteKey,
        int immediate);

    /**
     * Post some of what is kept, up to the last that was prepared; for providers.
     *
     * @param index of the first.
     * @param count how many, at least 1.
     * @return as {@link #post()}.
     */
    protected abstract int post(int index, int count);

    /**
     * Tell how far the last post came; for providers.
     *
     * @return how many the last {@link #post(int, int)} has posted although it failed, from the first on.
     */
    protected abstract int posted();
}
