package io.sluice.verbs;

/**
 * Receives that several queue pairs draw on, each message taking the next one (ibv_create_srq(3)). The {@code post}
 * methods are the data path: one thread at a time, allocation-free, non-blocking, and their results are {@link Errno}
 * values. The rest is set-up. The completion of a receive arrives at the receive queue of the queue pair that took it.
 * <p>
 * A queue pair that fails leaves the receives to the others and flushes none of them;
 * {@link AsyncEventType#QP_LAST_WQE_REACHED} tells that it takes no more. Whoever created the queue closes it, after
 * its queue pairs.
 */
public abstract class SharedReceiveQueue implements AutoCloseable {
    /** A queue of a provider. */
    protected SharedReceiveQueue() {
    }

    /**
     * The number of receives that fit into the queue.
     *
     * @return work requests, never fewer than asked.
     */
    public abstract int capacity();

    /**
     * Post a receive (ibv_post_srq_recv(3)).
     *
     * @param workRequestId returned by its completion.
     * @param address       of the buffer, within the region of {@code localKey}; 0 for a receive without a buffer.
     * @param localKey      lkey, ignored when the length is 0.
     * @param length        bytes that fit; 0 suits WRITE WITH IMMEDIATE, which brings no bytes to the buffer.
     * @return OK; ENOMEM when the queue is full; EINVAL when closed or the range is bad.
     */
    public abstract int postReceive(long workRequestId, long address, int localKey, int length);

    /**
     * Post a chain of receives without buffers, all with one work request id (ibv_post_srq_recv(3) with a list).
     *
     * @param workRequestId returned by each of their completions.
     * @param count         how many, at least 1.
     * @return OK when all were posted; ENOMEM when they do not all fit; EINVAL when closed or the count is bad. Of
     * those that do not all fit a device may take the first ones: they keep this id, and the next call posts as many
     * fewer.
     */
    public abstract int postReceives(long workRequestId, int count);

    /**
     * Ask for one {@link AsyncEventType#SRQ_LIMIT_REACHED} when fewer receives than this are left (ibv_modify_srq(3));
     * {@link AsyncEventHandler#onSharedReceiveQueueEvent} gets it. To be armed anew after each event.
     *
     * @param limit receives, 0 to {@link #capacity()}; 0 asks for no event.
     * @throws VerbsException EINVAL when the limit is out of range or the queue closed.
     */
    public abstract void armLimit(int limit);

    /**
     * Destroy (ibv_destroy_srq(3)); idempotent. Its queue pairs must be closed before. Receives that nobody took
     * vanish.
     *
     * @throws VerbsException EBUSY while a queue pair uses it.
     */
    @Override
    public abstract void close();
}
