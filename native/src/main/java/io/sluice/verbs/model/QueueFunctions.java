package io.sluice.verbs.model;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_qp;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_cap;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;

/** The functions of libibverbs for completion queues and queue pairs, but for those of the data path. Any thread. */
final class QueueFunctions {
    private static final int KNOWN_FLAGS = CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN;
    /** Events that nobody acknowledges keep a queue so long. */
    private static final int ACKNOWLEDGEMENT_WAIT_MS = 2000;

    private final Fabric fabric;
    private final ContextTables tables;
    /** The task that is run while a resize holds the queue's lock, as if that was the system call. */
    private volatile Runnable resizing = () -> { };
    /** The task that is run while a queue pair is changed to the ERROR state. */
    private volatile Runnable failing = () -> { };
    /** The task that is run while a queue pair is destroyed. */
    private volatile Runnable destroying = () -> { };
    /** The task that is run while a queue pair's completions are removed. */
    private volatile Runnable cleaning = () -> { };
    /** The task that is run when a query has told the library that a queue pair has failed. */
    private volatile Runnable finding = () -> { };

    QueueFunctions(final Fabric fabric, final ContextTables tables) {
        this.fabric = fabric;
        this.tables = tables;
    }

    void onResize(final Runnable systemCall) {
        resizing = systemCall;
    }

    void onFail(final Runnable systemCall) {
        failing = systemCall;
    }

    void onDestroy(final Runnable systemCall) {
        destroying = systemCall;
    }

    void onClean(final Runnable removal) {
        cleaning = removal;
    }

    long createCq(
        final long context, final int entries, final long queueContext, final long channel, final int vector) {
        return create(context, entries, channel, CompletionQueueFlags.NONE);
    }

    void onFind(final Runnable then) {
        finding = then;
    }

    private long create(final long context, final int entries, final long channel, final int flags) {
        synchronized (fabric) {
            final ModelCompletionQueue queue = new ModelCompletionQueue(
                fabric.handles.get(ModelContext.class, context), fabric.nextNumber(), entries, flags,
                channel == 0 ? null : fabric.handles.get(ObjectFunctions.Channel.class, channel).events());
            fabric.path.onQueue(queue.address(), flags);
            return fabric.handles.add(queue.address(), queue).address();
        }
    }

    /** Answers {@code ibv_create_cq_ex} of a context. */
    long createExtendedQueue(final long context, final long attributes) {
        final MemorySegment asked = Stubs.struct(attributes, ibv_cq_init_attr_ex.layout());
        final boolean hasFlags =
            (ibv_cq_init_attr_ex.comp_mask(asked) & rdma_constants.IBV_CQ_INIT_ATTR_MASK_FLAGS()) != 0;
        final int flags = hasFlags ? ibv_cq_init_attr_ex.flags(asked) : CompletionQueueFlags.NONE;
        final int fields = (int) ibv_cq_init_attr_ex.wc_flags(asked);
        final int granted = fabric.card.flags()
            | (fabric.card.has(Trait.IGNORES_SINGLE_THREADED) ? CompletionQueueFlags.SINGLE_THREADED : 0);
        if ((flags & ~granted & KNOWN_FLAGS) != 0 || ibv_cq_init_attr_ex.cqe(asked) == 0) {
            return Stubs.none(Errno.EINVAL);
        }
        if ((fields & ~fabric.card.fields()) != 0) {
            return Stubs.none(Errno.EOPNOTSUPP);
        }
        final long address = create(
            context, ibv_cq_init_attr_ex.cqe(asked), ibv_cq_init_attr_ex.channel(asked).address(),
            flags & fabric.card.flags());
        tables.fillQueue(address, fields);
        return address;
    }

    int resizeCq(final long address, final int entries) {
        final ModelCompletionQueue queue;
        synchronized (fabric) {
            queue = fabric.handles.get(ModelCompletionQueue.class, address);
            if (!fabric.card.has(Trait.RESIZES)) {
                return Errno.EOPNOTSUPP;
            }
            if (fabric.card.has(Trait.RESIZES_UNDER_LOCK)) {
                fabric.take(queue.lock, "ibv_resize_cq");
            }
        }
        resizing.run();
        fabric.path.resize(address);
        synchronized (fabric) {
            if (fabric.card.has(Trait.RESIZES_UNDER_LOCK)) {
                fabric.drop(queue.lock);
            }
            if (entries < queue.entries.size()) {
                return Errno.EINVAL;
            }
            queue.resize(entries);
            return Errno.OK;
        }
    }

    int destroyCq(final long address) throws InterruptedException {
        synchronized (fabric) {
            final ModelCompletionQueue queue = fabric.handles.get(ModelCompletionQueue.class, address);
            if (queue.users > 0) {
                return Errno.EBUSY;
            }
            if (queue.channel != null) {
                queue.channel.removeIf(announced -> announced == queue);
            }
            if (queue.unacknowledged != 0) {
                fabric.wait(ACKNOWLEDGEMENT_WAIT_MS);
            }
            if (queue.unacknowledged != 0) {
                fabric.violations.add("ibv_destroy_cq waits for " + queue.unacknowledged + " acknowledgements");
            }
            queue.context.events.removeIf(event -> event.element() == address);
            fabric.batches.end(queue);
            fabric.handles.remove(address);
            return Errno.OK;
        }
    }

    long createQp(final long domain, final long attributes) {
        synchronized (fabric) {
            final MemorySegment asked = Stubs.struct(attributes, ibv_qp_init_attr.layout());
            final MemorySegment sizes = ibv_qp_init_attr.cap(asked);
            final int type = ibv_qp_init_attr.qp_type(asked);
            final ModelCard card = fabric.card;
            if (card.has(type == rdma_constants.IBV_QPT_UD() ? Trait.LACKS_DATAGRAMS : Trait.LACKS_CONNECTIONS)) {
                return Stubs.none(Errno.EOPNOTSUPP);
            }
            if (card.has(Trait.GRANTS_LESS_INLINE)) {
                ibv_qp_cap.max_inline_data(
                    sizes, Math.min(ibv_qp_cap.max_inline_data(sizes), card.maxInlineBytes()));
            }
            if (ibv_qp_cap.max_inline_data(sizes) > card.maxInlineBytes()
                || ibv_qp_cap.max_send_sge(sizes) > card.maxScatterEntries()
                || ibv_qp_cap.max_recv_sge(sizes) > card.maxScatterEntries()) {
                return Stubs.none(Errno.EINVAL);
            }
            final long shared = ibv_qp_init_attr.srq(asked).address();
            final ModelDomain own = fabric.handles.get(ModelDomain.class, domain);
            final ModelQueuePair queuePair = new ModelQueuePair(own, fabric.nextNumber(), type,
                queue(ibv_qp_init_attr.send_cq(asked)), queue(ibv_qp_init_attr.recv_cq(asked)),
                shared == 0 ? new ModelReceives(own, ibv_qp_cap.max_recv_wr(sizes))
                    : fabric.handles.get(ModelReceives.class, shared),
                shared != 0, ibv_qp_cap.max_send_wr(sizes));
            ibv_qp.qp_num(queuePair.memory.asSlice(0, ibv_qp.sizeof()), queuePair.number);
            users(queuePair, 1);
            fabric.path.onQueuePair(queuePair.address(), queuePair.sendQueue.address(),
                queuePair.receiveQueue.address(), queuePair.maxSends, queuePair.receives.capacity,
                queuePair.isDatagram());
            fabric.add(queuePair);
            return fabric.handles.add(queuePair.address(), queuePair).address();
        }
    }

    private ModelCompletionQueue queue(final MemorySegment pointer) {
        return fabric.handles.get(ModelCompletionQueue.class, pointer.address());
    }

    private static void users(final ModelQueuePair queuePair, final int change) {
        queuePair.domain.users += change;
        queuePair.sendQueue.users += change;
        queuePair.receiveQueue.users += change;
        queuePair.receives.users += change;
    }

    private static void leave(final ModelQueuePair queuePair, final int change) {
        queuePair.sendQueue.leaving += change;
        queuePair.receiveQueue.leaving += change;
    }

    /** Answers {@code ibv_create_qp_ex} of a context. */
    long createExtendedPair(final long context, final long attributes) {
        final MemorySegment asked = Stubs.struct(attributes, ibv_qp_init_attr_ex.layout());
        final long address = createQp(ibv_qp_init_attr_ex.pd(asked).address(), attributes);
        if (address != 0) {
            tables.fillPair(address);
        }
        return address;
    }

    long qpToQpEx(final long address) {
        return fabric.handles.get(ModelQueuePair.class, address).address();
    }

    int modifyQp(final long address, final long attributes, final int mask) {
        final MemorySegment attr = Stubs.struct(attributes, ibv_qp_attr.layout());
        final int to = ibv_qp_attr.qp_state(attr);
        if (to == rdma_constants.IBV_QPS_ERR()) {
            return failQp(address);
        }
        synchronized (fabric) {
            final ModelQueuePair queuePair = fabric.handles.get(ModelQueuePair.class, address);
            final int from = queuePair.state;
            if (to == rdma_constants.IBV_QPS_RESET()) {
                queuePair.reset();
            } else if (to != from + 1 && (to != from || to != rdma_constants.IBV_QPS_INIT())) {
                return Errno.EINVAL;
            }
            return take(queuePair, attr, mask, to);
        }
    }

    private int failQp(final long address) {
        final boolean isLocked = fabric.card.has(Trait.LOCKS_POSTS_WHILE_FAILING);
        final ModelQueuePair queuePair;
        synchronized (fabric) {
            queuePair = fabric.handles.get(ModelQueuePair.class, address);
            if (isLocked) {
                fabric.take(queuePair.sendLock, "ibv_modify_qp");
                fabric.take(queuePair.receiveLock, "ibv_modify_qp");
            }
        }
        failing.run();
        fabric.path.fail(address);
        synchronized (fabric) {
            if (isLocked) {
                fabric.drop(queuePair.receiveLock);
                fabric.drop(queuePair.sendLock);
            }
            if (queuePair.state == rdma_constants.IBV_QPS_RESET()) {
                return Errno.EINVAL;
            }
            if (queuePair.hasFailed()) {
                fabric.flush(queuePair);
            } else {
                fabric.fail(queuePair, null, WorkStatus.WR_FLUSH_ERR);
            }
            queuePair.isToldFailed = true;
            return Errno.OK;
        }
    }

    private int take(final ModelQueuePair queuePair, final MemorySegment attr, final int mask, final int state) {
        if ((mask & rdma_constants.IBV_QP_AV()) != 0) {
            final MemorySegment path = ibv_qp_attr.ah_attr(attr);
            if (!Paths.isValid(fabric.card, path)) {
                return Errno.EINVAL;
            }
            queuePair.isReachable = Paths.isReachable(fabric.card, path);
        }
        if ((mask & rdma_constants.IBV_QP_ACCESS_FLAGS()) != 0) {
            queuePair.access = ibv_qp_attr.qp_access_flags(attr);
        }
        if ((mask & rdma_constants.IBV_QP_DEST_QPN()) != 0) {
            queuePair.peer = ibv_qp_attr.dest_qp_num(attr);
        }
        if ((mask & rdma_constants.IBV_QP_MAX_DEST_RD_ATOMIC()) != 0) {
            queuePair.maxReadsAnswered = Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(attr));
        }
        if ((mask & rdma_constants.IBV_QP_MIN_RNR_TIMER()) != 0) {
            queuePair.rnrTimerCode = ibv_qp_attr.min_rnr_timer(attr);
        }
        if ((mask & rdma_constants.IBV_QP_RNR_RETRY()) != 0) {
            queuePair.rnrRetries = ibv_qp_attr.rnr_retry(attr);
        }
        if ((mask & rdma_constants.IBV_QP_TIMEOUT()) != 0) {
            queuePair.timeoutCode = ibv_qp_attr.timeout(attr);
            queuePair.retries = ibv_qp_attr.retry_cnt(attr);
        }
        if ((mask & rdma_constants.IBV_QP_QKEY()) != 0) {
            queuePair.queueKey = ibv_qp_attr.qkey(attr);
        }
        queuePair.state = state;
        return Errno.OK;
    }

    int queryQp(final long address, final long attributes, final int mask, final long initial) {
        synchronized (fabric) {
            fabric.progress();
            if (fabric.card.has(Trait.LACKS_STATE_QUERY)) {
                return Errno.EOPNOTSUPP;
            }
            final ModelQueuePair queuePair = fabric.handles.get(ModelQueuePair.class, address);
            if (fabric.path.hasFailed(address)) {
                queuePair.state = rdma_constants.IBV_QPS_ERR();
            }
            ibv_qp_attr.qp_state(Stubs.struct(attributes, ibv_qp_attr.layout()), queuePair.state);
            queuePair.isToldFailed |= queuePair.hasFailed() && (mask & rdma_constants.IBV_QP_STATE()) != 0;
            if (!queuePair.isToldFailed) {
                return Errno.OK;
            }
        }
        finding.run();
        return Errno.OK;
    }

    int destroyQp(final long address) {
        fabric.path.destroy(address);
        final ModelQueuePair queuePair;
        synchronized (fabric) {
            queuePair = fabric.handles.get(ModelQueuePair.class, address);
            leave(queuePair, 1);
        }
        destroying.run();
        final boolean isKnownToQueues =
            fabric.card.has(Trait.CLEANS_QUEUES) || fabric.card.has(Trait.FORGETS_QUEUE_PAIRS);
        synchronized (fabric) {
            leave(queuePair, -1);
            fabric.remove(queuePair);
            fabric.handles.remove(address);
            queuePair.isDestroyed = true;
            if (isKnownToQueues) {
                fabric.takeQueues(queuePair, "ibv_destroy_qp");
            }
        }
        cleaning.run();
        synchronized (fabric) {
            if (isKnownToQueues) {
                fabric.clean(queuePair, "ibv_destroy_qp");
            }
            users(queuePair, -1);
            queuePair.domain.context.events.removeIf(event -> event.element() == address);
            return Errno.OK;
        }
    }
}
