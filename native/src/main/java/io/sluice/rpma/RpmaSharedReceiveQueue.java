package io.sluice.rpma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Guard;

/**
 * A receive queue that several connections draw on, rpma_srq_new(3). One thread at a time posts. Whoever made it closes
 * it, after the connections.
 */
public final class RpmaSharedReceiveQueue implements AutoCloseable {
    private final NativePeer peer;
    private final long handle;
    private final Guard guard = new Guard();
    /** The completion queue of the receives; null when completions come to the queues of the connections. */
    private final RpmaCompletionQueue receiveCompletionQueue;
    private volatile boolean isShut;
    private int users;
    private boolean isDeleted;

    private RpmaSharedReceiveQueue(
        final NativePeer peer, final long handle, final RpmaSharedReceiveQueueConfiguration configuration) {
        this.peer = peer;
        this.handle = handle;
        final RpmaLibrary library = peer.library();
        final long queue = library.word(library.srqGetRcq, handle);
        receiveCompletionQueue = queue == 0 ? null
            : new RpmaCompletionQueue(peer, queue, configuration.receiveCompletionQueueSize(), false);
        peer.objects().add(guard);
    }

    static RpmaSharedReceiveQueue create(
        final NativePeer peer, final RpmaSharedReceiveQueueConfiguration configuration) {
        final RpmaLibrary library = peer.library();
        peer.objects().attach(library.srqNew.name());
        long handle = 0;
        try (NativeConfiguration values = configuration.toNative(library)) {
            synchronized (library.lock) {
                handle = library.create(library.srqNew, "no shared receive queue", peer.handle(), values.handle());
            }
            return new RpmaSharedReceiveQueue(peer, handle, configuration);
        } catch (final RuntimeException e) {
            if (handle != 0) {
                library.discard(library.srqDelete, handle, e);
            }
            peer.objects().detach();
            throw e;
        }
    }

    long handle() {
        return handle;
    }

    /** Notes that a connection begins to draw on the queue. */
    synchronized void attach(final NativePeer asked, final String call) {
        if (isShut || asked != peer) {
            throw new RpmaException(call, RpmaError.E_INVAL, Errno.OK,
                isShut ? "the shared receive queue is closed" : "the shared receive queue is another peer's");
        }
        users++;
    }

    synchronized void detach() {
        users--;
    }

    /**
     * Have a message received, rpma_srq_recv(3).
     *
     * @param destination   of the same peer, with {@link RpmaUsage#RECEIVE}; null for a message without bytes.
     * @param offset        in it, in bytes.
     * @param length        longest message, in bytes.
     * @param workRequestId that its completion has.
     * @return 0 or one of {@link RpmaError}: E_INVAL for a bad argument or a closed queue, E_PROVIDER when the queue is
     * full.
     */
    public int receive(
        final RpmaMemoryRegion destination, final long offset, final int length, final long workRequestId) {
        guard.enter();
        try {
            return isShut || length < 0 || destination != null && !destination.isOf(peer) ? RpmaError.E_INVAL
                : peer.library().calls().srqRecv(
                    handle, destination == null ? 0 : destination.handle(), offset, length, workRequestId);
        } finally {
            guard.leave();
        }
    }

    /**
     * The queue where the receives complete, rpma_srq_get_rcq(3).
     *
     * @return the queue, which lives as long as this; null when they complete in the queues of the connections.
     */
    public RpmaCompletionQueue receiveCompletionQueue() {
        return receiveCompletionQueue;
    }

    /**
     * Delete, rpma_srq_delete(3); idempotent.
     *
     * @throws RpmaException                  E_PROVIDER with EBUSY while a connection draws on it, and nothing has
     *                                        changed then; another error when the device refuses, and the queue is gone
     *                                        all the same.
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside: to be closed again when it has left.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        final RpmaLibrary library = peer.library();
        if (users > 0) {
            throw new RpmaException(library.srqDelete.name(), RpmaError.E_PROVIDER, Errno.EBUSY,
                users + " connection(s) still draw on it: close them first");
        }
        isShut = true;
        if (receiveCompletionQueue != null) {
            receiveCompletionQueue.shut(library.srqDelete.name());
        }
        Guard.awaitClear(
            peer.objects().environment(), library.srqDelete.name(), "a shared receive queue", guard);
        peer.objects().remove(guard);
        isDeleted = true;
        try {
            synchronized (library.lock) {
                library.delete(library.srqDelete, "a shared receive queue stays", handle);
            }
        } finally {
            if (receiveCompletionQueue != null) {
                receiveCompletionQueue.release();
            }
            peer.objects().detach();
        }
    }
}
