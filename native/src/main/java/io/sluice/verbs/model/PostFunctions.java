package io.sluice.verbs.model;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** The functions of a provider that post lists of work requests. Any thread. */
final class PostFunctions {
    private static final int READ_PLACES = 128;

    private final Fabric fabric;

    PostFunctions(final Fabric fabric) {
        this.fabric = fabric;
    }

    /** Answers {@code ibv_post_send}. */
    int postSend(final long address, final long first, final long refused) {
        synchronized (fabric) {
            final ModelQueuePair queuePair = fabric.handles.get(ModelQueuePair.class, address);
            fabric.progress();
            final int refusal = refusal(queuePair);
            if (refusal != Errno.OK) {
                UnsafeApi.putLong(refused, first);
                return answer(refusal);
            }
            fabric.spin(queuePair.sendLock, "ibv_post_send");
            if (fabric.card.has(Trait.POSTS_UNDER_QUEUE_LOCK)) {
                fabric.spin(queuePair.sendQueue.lock, "ibv_post_send");
            }
            for (long request = first; request != 0; request = next(request)) {
                final Work work =
                    Work.of(request, queuePair.isDatagram(), fabric.card.has(Trait.IGNORES_INLINE));
                int error = check(queuePair, work);
                if (error == Errno.OK && isFull(queuePair, 0, "ibv_post_send")) {
                    error = Errno.ENOMEM;
                }
                if (error == Errno.OK && work.opcode == Work.READ && !takesRead(queuePair)) {
                    error = Errno.EINVAL;
                }
                if (error != Errno.OK) {
                    UnsafeApi.putLong(refused, request);
                    return answer(error);
                }
                fabric.post(queuePair, work);
            }
            return Errno.OK;
        }
    }

    private int refusal(final ModelQueuePair queuePair) {
        if (!queuePair.isToldFailed) {
            return Errno.OK;
        }
        return fabric.card.has(Trait.REFUSES_POSTS_IN_ERROR) ? Stubs.EIO
            : fabric.card.has(Trait.CALLS_POSTS_IN_ERROR_INVALID) ? Errno.EINVAL : Errno.OK;
    }

    private int answer(final int error) {
        return fabric.card.has(Trait.ANSWERS_NEGATIVE_ERRORS) ? -error : error;
    }

    private static long next(final long request) {
        return UnsafeApi.getLong(request + ibv_send_wr.next$offset());
    }

    int check(final ModelQueuePair queuePair, final Work work) {
        if (queuePair.isToldFailed && fabric.card.has(Trait.ENTERS_KERNEL_IN_ERROR)) {
            fabric.enterKernel("a post to queue pair " + queuePair.number + ", which has failed,");
        }
        if (fabric.card.has(Trait.SENDS_ENTER_KERNEL)) {
            fabric.enterKernel("a post of a send");
        }
        if (queuePair.isDatagram() && fabric.card.has(Trait.DATAGRAMS_ENTER_KERNEL)) {
            fabric.enterKernel("a post of a datagram");
        }
        if (fabric.card.has(Trait.TAKES_SIGNALLED_SENDS_ONLY)
            && (work.flags & (WorkFlags.SIGNALED | WorkFlags.SOLICITED)) != WorkFlags.SIGNALED) {
            return Errno.EINVAL;
        }
        final boolean canSend = queuePair.state == rdma_constants.IBV_QPS_RTS() || queuePair.hasFailed();
        return canSend && (work.inline == null || work.length <= fabric.card.maxInlineBytes())
            && work.scatterEntries <= fabric.card.maxScatterEntries()
            && (!work.isAtomic() || fabric.card.has(Trait.ATOMICS)) ? Errno.OK : Errno.EINVAL;
    }

    /** Whether there is no place for one more behind some that are about to have theirs. */
    boolean isFull(final ModelQueuePair queuePair, final int pending, final String call) {
        if (queuePair.head - queuePair.tail + pending < queuePair.maxSends) {
            return false;
        }
        if (fabric.card.has(Trait.LOCKS_QUEUE_WHEN_FULL)) {
            fabric.spin(queuePair.sendQueue.lock, call);
        }
        return true;
    }

    private boolean takesRead(final ModelQueuePair queuePair) {
        queuePair.reads.removeIf(place -> place < queuePair.tail);
        if (fabric.card.has(Trait.READS_IN_A_RING) && queuePair.reads.size() >= READ_PLACES) {
            return false;
        }
        queuePair.reads.add(queuePair.head);
        return true;
    }

    /** Answers {@code ibv_post_recv}. */
    int postReceive(final long address, final long first, final long refused) {
        synchronized (fabric) {
            final ModelQueuePair queuePair = fabric.handles.get(ModelQueuePair.class, address);
            if (queuePair.state == rdma_constants.IBV_QPS_RESET() || queuePair.isShared) {
                UnsafeApi.putLong(refused, first);
                return answer(Errno.EINVAL);
            }
            final int refusal = refusal(queuePair);
            if (refusal != Errno.OK) {
                UnsafeApi.putLong(refused, first);
                return answer(refusal);
            }
            fabric.spin(queuePair.receiveLock, "ibv_post_recv");
            if (fabric.card.has(Trait.POSTS_UNDER_QUEUE_LOCK)) {
                fabric.spin(queuePair.receiveQueue.lock, "ibv_post_recv");
            }
            if (queuePair.isToldFailed && fabric.card.has(Trait.ENTERS_KERNEL_IN_ERROR)) {
                fabric.enterKernel("a receive for queue pair " + queuePair.number + ", which has failed,");
            }
            final int result = post(queuePair.receives, first, refused);
            if (result == Errno.ENOMEM && fabric.card.has(Trait.LOCKS_QUEUE_WHEN_FULL)) {
                fabric.spin(queuePair.receiveQueue.lock, "ibv_post_recv");
            }
            if (fabric.flushesPosts(queuePair)) {
                fabric.flushReceives(queuePair);
            }
            return result;
        }
    }

    /** Answers {@code ibv_post_srq_recv}. */
    int postSharedReceive(final long address, final long first, final long refused) {
        synchronized (fabric) {
            return post(fabric.handles.get(ModelReceives.class, address), first, refused);
        }
    }

    private int post(final ModelReceives receives, final long first, final long refused) {
        int result = Errno.OK;
        for (long request = first; request != 0 && result == Errno.OK;) {
            final MemorySegment wr = Stubs.struct(request, ibv_recv_wr.layout());
            final int entries = ibv_recv_wr.num_sge(wr);
            if (receives.held >= receives.capacity || entries > fabric.card.maxScatterEntries()) {
                UnsafeApi.putLong(refused, request);
                result = receives.held >= receives.capacity ? Errno.ENOMEM : Errno.EINVAL;
            } else {
                receives.held++;
                receives.posted.add(receive(wr, entries));
                request = ibv_recv_wr.next(wr).address();
            }
        }
        fabric.onReceives(receives);
        return answer(result);
    }

    private static Receive receive(final MemorySegment wr, final int entries) {
        if (entries == 0) {
            return new Receive(ibv_recv_wr.wr_id(wr), 0, 0, 0);
        }
        final MemorySegment range = Stubs.struct(ibv_recv_wr.sg_list(wr).address(), ibv_sge.layout());
        return new Receive(
            ibv_recv_wr.wr_id(wr), ibv_sge.addr(range), ibv_sge.length(range), ibv_sge.lkey(range));
    }
}
