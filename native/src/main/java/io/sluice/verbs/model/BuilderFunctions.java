package io.sluice.verbs.model;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import org.agrona.UnsafeApi;

/** The functions of {@code ibv_qp_ex}, which post sends field by field. Any thread. */
final class BuilderFunctions {
    private static final String START = "ibv_wr_start";

    private final Fabric fabric;
    private final PostFunctions posts;

    BuilderFunctions(final Fabric fabric, final PostFunctions posts) {
        this.fabric = fabric;
        this.posts = posts;
    }

    private ModelQueuePair queuePair(final long address) {
        return fabric.handles.get(ModelQueuePair.class, address);
    }

    void start(final long address) {
        synchronized (fabric) {
            final ModelQueuePair queuePair = queuePair(address);
            fabric.progress();
            if (fabric.card.has(Trait.HOLDS_QUEUE_WHILE_BUILDING)) {
                fabric.spin(queuePair.sendQueue.lock, START);
                queuePair.sendQueue.lock.hold(START);
            }
            fabric.spin(queuePair.sendLock, START);
            queuePair.sendLock.hold(START);
            queuePair.built.clear();
            queuePair.isFull = false;
        }
    }

    int complete(final long address) {
        synchronized (fabric) {
            final ModelQueuePair queuePair = queuePair(address);
            fabric.drop(queuePair.sendLock);
            if (fabric.card.has(Trait.HOLDS_QUEUE_WHILE_BUILDING)) {
                fabric.drop(queuePair.sendQueue.lock);
            }
            if (queuePair.isFull) {
                return Errno.ENOMEM;
            }
            for (final Work work : queuePair.built) {
                final int error = posts.check(queuePair, work);
                if (error != Errno.OK) {
                    return error;
                }
            }
            queuePair.built.forEach(work -> fabric.post(queuePair, work));
            return Errno.OK;
        }
    }

    private Work begin(final long address, final int opcode) {
        final ModelQueuePair queuePair = queuePair(address);
        if (posts.isFull(queuePair, queuePair.built.size(), "an operation of ibv_qp_ex")) {
            queuePair.isFull = true;
        }
        final Work work = new Work();
        work.id = UnsafeApi.getLong(address + ibv_qp_ex.wr_id$offset());
        work.flags = UnsafeApi.getInt(address + ibv_qp_ex.wr_flags$offset());
        work.opcode = opcode;
        queuePair.built.add(work);
        return work;
    }

    /** The request that a setter is about: behind a full queue some providers have another one than the caller. */
    private Work last(final long address) {
        final ModelQueuePair queuePair = queuePair(address);
        if (queuePair.isFull && fabric.card.has(Trait.OVERWRITES_WHEN_FULL)) {
            fabric.violations.add("a setter of ibv_qp_ex writes into the request that queue pair " + queuePair.number
                + " was given last, since its send queue is full");
        }
        return queuePair.built.getLast();
    }

    void write(final long address, final int key, final long remote) {
        synchronized (fabric) {
            begin(address, Work.WRITE).at(remote, key);
        }
    }

    void writeWithImmediate(final long address, final int key, final long remote, final int immediate) {
        synchronized (fabric) {
            final Work work = begin(address, Work.WRITE_WITH_IMMEDIATE);
            work.at(remote, key);
            work.immediate = immediate;
        }
    }

    void read(final long address, final int key, final long remote) {
        synchronized (fabric) {
            begin(address, Work.READ).at(remote, key);
        }
    }

    void compareSwap(
        final long address, final int key, final long remote, final long expected, final long replacement) {
        synchronized (fabric) {
            final Work work = begin(address, Work.COMPARE_SWAP);
            work.at(remote, key);
            work.operand = expected;
            work.replacement = replacement;
        }
    }

    void fetchAdd(final long address, final int key, final long remote, final long addend) {
        synchronized (fabric) {
            final Work work = begin(address, Work.FETCH_ADD);
            work.at(remote, key);
            work.operand = addend;
        }
    }

    void send(final long address) {
        synchronized (fabric) {
            begin(address, Work.SEND);
        }
    }

    void sendWithImmediate(final long address, final int immediate) {
        synchronized (fabric) {
            begin(address, Work.SEND_WITH_IMMEDIATE).immediate = immediate;
        }
    }

    void setAddress(final long address, final long handle, final int number, final int queueKey) {
        synchronized (fabric) {
            last(address).to(handle, number, queueKey);
        }
    }

    void setRange(final long address, final int key, final long local, final int length) {
        synchronized (fabric) {
            final Work work = last(address);
            work.scatterEntries = 1;
            work.range(local, length, key);
        }
    }

    void setInline(final long address, final long local, final long length) {
        synchronized (fabric) {
            final Work work = last(address);
            work.range(local, (int) length, 0);
            work.copy();
        }
    }
}
