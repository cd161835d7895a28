package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_srq_attr;
import io.sluice.verbs.rdma.generated.ibv_srq_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** A shared receive queue; posts to it as to the receive queue of a queue pair, through another function. */
final class VerbsSharedReceiveQueue extends SharedReceiveQueue {
    private final DeviceContext device;
    /** Queues of the device that are not closed, by their addresses: this is one of them until it is. */
    private final Map<Long, VerbsSharedReceiveQueue> queues;
    private final long handle;
    private final int capacity;
    private final ReceiveWork receives;
    private final Guard guard = new Guard();
    private volatile boolean isShut;
    private int users;
    private boolean isDestroyed;

    private VerbsSharedReceiveQueue(
        final DeviceContext device,
        final Map<Long, VerbsSharedReceiveQueue> queues,
        final long handle,
        final int capacity) {
        this.device = device;
        this.queues = queues;
        this.handle = handle;
        this.capacity = capacity;
        receives = new ReceiveWork(device.operation(ibv_context_ops.post_srq_recv$offset()), handle, capacity,
            device.posting().areAllPlain());
    }

    /**
     * Create one, while the domain is open.
     *
     * @param queues of the device, by their addresses, among which it is from then on.
     * @param domain its {@code ibv_pd}.
     */
    static VerbsSharedReceiveQueue create(
        final DeviceContext device,
        final Map<Long, VerbsSharedReceiveQueue> queues,
        final long domain,
        final int maxWork) {
        final int max = device.attributes().maxSharedReceiveWorkRequests();
        if (max == 0) {
            throw new VerbsException("ibv_create_srq", Errno.EOPNOTSUPP,
                "device " + device.name() + " has no shared receive queues: give each queue pair its own receives");
        }
        if (maxWork < 1 || maxWork > max) {
            throw new VerbsException("ibv_create_srq", Errno.EINVAL, "maxWork=" + maxWork + " is not in 1.." + max);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment initial = ibv_srq_init_attr.allocate(arena);
            final MemorySegment sizes = ibv_srq_init_attr.attr(initial);
            ibv_srq_attr.max_wr(sizes, maxWork);
            ibv_srq_attr.max_sge(sizes, 1);
            final long handle = device.verbs().createSrq.pointer(
                "no shared receive queue with maxWork=" + maxWork, domain, initial);
            final VerbsSharedReceiveQueue queue =
                new VerbsSharedReceiveQueue(device, queues, handle, Math.max(maxWork, ibv_srq_attr.max_wr(sizes)));
            queues.put(handle, queue);
            device.objects().onCreated(DeviceObjects.Kind.SHARED_RECEIVE_QUEUE);
            return queue;
        }
    }

    long handle() {
        return handle;
    }

    DeviceContext device() {
        return device;
    }

    /** Whether its close has begun. */
    boolean isShut() {
        return isShut;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        guard.enter();
        try {
            return isShut ? Errno.EINVAL : receives.post(workRequestId, address, localKey, length);
        } finally {
            guard.leave();
        }
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        guard.enter();
        try {
            return isShut ? Errno.EINVAL : receives.postMany(workRequestId, count);
        } finally {
            guard.leave();
        }
    }

    @Override
    public synchronized void armLimit(final int limit) {
        if (isShut || limit < 0 || limit > capacity) {
            throw new VerbsException("ibv_modify_srq", Errno.EINVAL,
                isShut ? "the shared receive queue is closed" : "limit=" + limit + " is not in 0.." + capacity);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_srq_attr.allocate(arena);
            ibv_srq_attr.srq_limit(attributes, limit);
            device.verbs().modifySrq.check("limit=" + limit, handle, attributes, rdma_constants.IBV_SRQ_LIMIT());
        }
    }

    /** Notes that a queue pair begins to draw on this queue. */
    synchronized void attach() {
        if (isShut) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL, "the shared receive queue is closed");
        }
        users++;
    }

    synchronized void detach() {
        users--;
    }

    @Override
    public synchronized void close() {
        if (isDestroyed) {
            return;
        }
        if (users > 0) {
            throw new VerbsException(
                "ibv_destroy_srq", Errno.EBUSY, users + " queue pair(s) still use it: close them first");
        }
        isShut = true;
        Guard.awaitClear(device.environment(), "ibv_destroy_srq", "a shared receive queue", guard);
        device.destruction().check(device.verbs().destroySrq, "a shared receive queue stays", handle);
        isDestroyed = true;
        queues.remove(handle, this);
        device.objects().onDestroyed(DeviceObjects.Kind.SHARED_RECEIVE_QUEUE);
    }
}
