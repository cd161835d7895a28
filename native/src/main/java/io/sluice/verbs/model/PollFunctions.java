package io.sluice.verbs.model;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** The functions of a provider that poll completion queues. Any thread. */
final class PollFunctions {
    private final Fabric fabric;

    PollFunctions(final Fabric fabric) {
        this.fabric = fabric;
    }

    private ModelCompletionQueue queue(final long address) {
        return fabric.handles.get(ModelCompletionQueue.class, address);
    }

    /** Answers {@code ibv_poll_cq}. */
    int pollQueue(final long address, final int count, final long completions) {
        synchronized (fabric) {
            final ModelCompletionQueue queue = queue(address);
            fabric.batches.checkPoll(queue, "ibv_poll_cq");
            fabric.spin(queue.lock, "ibv_poll_cq");
            int taken = 0;
            while (taken < count) {
                final Entry entry = fabric.next(queue, "ibv_poll_cq");
                if (entry == null) {
                    break;
                }
                if (isForgotten(entry)) {
                    return taken == 0 ? -Errno.EINVAL : taken;
                }
                write(entry, Stubs.struct(completions + taken * ibv_wc.sizeof(), ibv_wc.layout()));
                queue.armings = 0;
                taken++;
            }
            return taken;
        }
    }

    private void write(final Entry entry, final MemorySegment completion) {
        ibv_wc.wr_id(completion, entry.id());
        ibv_wc.status(completion, entry.status());
        ibv_wc.opcode(completion, entry.opcode());
        ibv_wc.vendor_err(completion, 0);
        ibv_wc.byte_len(completion, entry.byteLength());
        ibv_wc.imm_data(completion, entry.immediate());
        ibv_wc.qp_num(completion, entry.queuePair().number);
        ibv_wc.src_qp(completion, entry.source());
        ibv_wc.wc_flags(completion, entry.flags());
        ibv_wc.pkey_index(completion, (short) 0);
        ibv_wc.slid(completion, (short) sourceLid(entry));
        ibv_wc.sl(completion, (byte) 0);
        ibv_wc.dlid_path_bits(completion, (byte) 0);
    }

    private int sourceLid(final Entry entry) {
        return entry.source() != 0 && fabric.card.linkLayer() == LinkLayer.INFINIBAND ? DeviceFunctions.LID : 0;
    }

    /** Answers {@code ibv_start_poll}. */
    int startPoll(final long address, final long attributes) {
        synchronized (fabric) {
            final ModelCompletionQueue queue = queue(address);
            fabric.batches.checkPoll(queue, "ibv_start_poll");
            final boolean isLocked = fabric.card.has(Trait.LOCKS_BATCHES) && !queue.isSingleThreaded();
            if (isLocked || fabric.card.has(Trait.HOLDS_QUEUE_WHILE_BUILDING)) {
                fabric.spin(queue.lock, "ibv_start_poll");
            }
            if (queue.isInBatch) {
                fabric.violations.add("ibv_start_poll of completion queue " + queue.number
                    + ", which a single thread polls in this moment");
            }
            final int result = take(queue, "ibv_start_poll");
            if (result == Errno.OK && isLocked) {
                queue.lock.hold("ibv_start_poll");
            } else if (result == Errno.OK && queue.isSingleThreaded()) {
                queue.isInBatch = true;
            }
            if (result == Errno.OK) {
                fabric.batches.start(queue);
            }
            return result;
        }
    }

    private int take(final ModelCompletionQueue queue, final String call) {
        final Entry entry = fabric.next(queue, call);
        if (entry == null) {
            return Errno.ENOENT;
        }
        if (isForgotten(entry)) {
            return Errno.EINVAL;
        }
        queue.current = entry;
        queue.armings = 0;
        queue.taken++;
        UnsafeApi.putLong(queue.address() + ibv_cq_ex.wr_id$offset(), entry.id());
        UnsafeApi.putInt(queue.address() + ibv_cq_ex.status$offset(), entry.status());
        return Errno.OK;
    }

    /** Answers {@code ibv_next_poll}. */
    int nextPoll(final long address) {
        synchronized (fabric) {
            return take(queue(address), "ibv_next_poll");
        }
    }

    /** Answers {@code ibv_end_poll}. */
    void endPoll(final long address) {
        synchronized (fabric) {
            final ModelCompletionQueue queue = queue(address);
            queue.taken = 0;
            queue.current = null;
            queue.isInBatch = false;
            fabric.batches.end(queue);
            fabric.drop(queue.lock);
        }
    }

    /** Answers {@code ibv_req_notify_cq}. */
    int requestNotify(final long address, final int solicitedOnly) {
        synchronized (fabric) {
            final ModelCompletionQueue queue = queue(address);
            if (queue.channel == null && fabric.card.has(Trait.ARMS_WITH_CHANNEL_ONLY)) {
                fabric.violations.add(
                    "ibv_req_notify_cq of completion queue " + queue.number + ", which has no channel");
                return refusal(Errno.ENOENT);
            }
            if (solicitedOnly != 0 && fabric.card.has(Trait.LACKS_SOLICITED_EVENTS)) {
                return refusal(Errno.EOPNOTSUPP);
            }
            arm(queue, solicitedOnly == 0 ? ModelCompletionQueue.ARMED : ModelCompletionQueue.ARMED_FOR_SOLICITED);
            return Errno.OK;
        }
    }

    private int refusal(final int error) {
        return fabric.card.has(Trait.ARMS_WITH_NEGATIVE_ERRORS) ? -error : error;
    }

    private void arm(final ModelCompletionQueue queue, final int how) {
        if (fabric.card.has(Trait.LOSES_REPEATED_ARMING) && queue.armings++ > queue.entries.size()) {
            queue.armed = ModelCompletionQueue.NOT_ARMED;
        } else if (queue.armed != ModelCompletionQueue.ARMED) {
            queue.armed = how;
        }
    }

    /** Whether the card does not know whose completion it is: that one is gone, and nobody is given it. */
    private boolean isForgotten(final Entry entry) {
        return fabric.card.has(Trait.FORGETS_QUEUE_PAIRS) && entry.queuePair().isDestroyed;
    }

    private Entry current(final long address) {
        final ModelCompletionQueue queue = queue(address);
        if (queue.current == null) {
            throw new IllegalStateException(
                "a field is read of completion queue " + queue.number + " outside a batch");
        }
        return queue.current;
    }

    int readOpcode(final long address) {
        return current(address).opcode();
    }

    int readFlags(final long address) {
        return current(address).flags();
    }

    int readByteLength(final long address) {
        return current(address).byteLength();
    }

    int readImmediate(final long address) {
        return current(address).immediate();
    }

    int readQueuePair(final long address) {
        return current(address).queuePair().number;
    }

    int readSource(final long address) {
        return current(address).source();
    }

    int readSourceLid(final long address) {
        return sourceLid(current(address));
    }

    long readTime(final long address) {
        return current(address).timeNs();
    }

    /** Reads what is always 0 here. */
    int readNothing(final long address) {
        current(address);
        return 0;
    }
}
