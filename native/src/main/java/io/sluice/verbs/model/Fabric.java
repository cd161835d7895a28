package io.sluice.verbs.model;

import io.sluice.environment.Environment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;

/**
 * A device of a card, and the wire that joins its queue pairs: work is carried out as it is posted, by the thread that
 * posts, and what must wait as anything is called. The monitor guards all objects of the model. Any thread.
 */
final class Fabric {
    /** Bytes before those of a datagram, for its global route. */
    static final int ROUTE_LENGTH = 40;
    private static final int RECEIVED = 128;
    private static final int RECEIVED_WITH_IMMEDIATE = 129;
    private static final int FOR_EVER = 7;
    private static final long SLOWEST_RNR_NS = 655_360_000;
    private static final long RNR_UNIT_NS = 10_000;
    /** A peer that is being connected is asked so often. */
    private static final long PEER_WAIT_NS = 10_000_000;
    /** A lock of a set-up call that is not free for so long never is. */
    private static final long LOCK_WAIT_NS = 2_000_000_000;
    private static final int NOT_YET = -1;

    final ModelCard card;
    final Environment environment;
    final DataPath path;
    final Violations violations = new Violations();
    final Stubs stubs = new Stubs(violations);
    final Handles handles = new Handles();
    final Batches batches = new Batches(violations);
    /** Regions by their keys. */
    final Map<Integer, ModelRegion> regions = new ConcurrentHashMap<>();
    private final Map<Integer, ModelQueuePair> queuePairs = new ConcurrentHashMap<>();
    /** Queue pairs with sends that are not carried out. */
    private final Set<ModelQueuePair> waiting = new LinkedHashSet<>();
    private int lastNumber;

    Fabric(final ModelCard card, final Environment environment, final DataPath path) {
        this.card = card;
        this.environment = environment;
        this.path = path;
    }

    /** Address of a function that stands for a method, and tells where that is a command within a batch. */
    long stubOf(final Object target, final String method, final String call) {
        return Batches.isCommand(method) ? stubs.of(target, method, () -> onCommand(call)) : stubs.of(target, method);
    }

    private synchronized void onCommand(final String call) {
        batches.checkCommand(call);
    }

    int nextNumber() {
        return ++lastNumber;
    }

    void add(final ModelQueuePair queuePair) {
        queuePairs.put(queuePair.number, queuePair);
    }

    void remove(final ModelQueuePair queuePair) {
        queuePairs.remove(queuePair.number);
        waiting.remove(queuePair);
    }

    /**
     * Takes a lock for the data path: it would spin for ever where this thread has it. Where another one has it, which
     * may be stopped or in the kernel, a plain call may wait; for a critical one safepoints would.
     */
    void spin(final ModelLock lock, final String call) {
        if (lock.isHeld() && DataPathLinker.isInCritical()) {
            violations.add(lock.conflict(call));
        } else {
            await(lock, call);
        }
    }

    /** Notes that the data path calls the kernel. */
    void enterKernel(final String call) {
        if (DataPathLinker.isInCritical()) {
            violations.add(call + " is a system call, and critical");
        }
    }

    /** Takes a lock for a set-up call, and waits for other threads. */
    void take(final ModelLock lock, final String call) {
        await(lock, call);
        lock.hold(call);
    }

    private void await(final ModelLock lock, final String call) {
        final long startNs = environment.nanoTime();
        while (lock.isHeld()) {
            final long leftNs = LOCK_WAIT_NS - (environment.nanoTime() - startNs);
            if (lock.isOwn() || leftNs <= 0) {
                violations.add(lock.conflict(call));
                break;
            }
            try {
                wait(Math.max(1, leftNs / 1_000_000));
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                violations.add(call + " was interrupted");
                break;
            }
        }
    }

    void drop(final ModelLock lock) {
        lock.drop();
        notifyAll();
    }

    /** Carry out what could not be when it was posted. */
    void progress() {
        if (!waiting.isEmpty()) {
            List.copyOf(waiting).forEach(this::run);
        }
    }

    /** Notes that receives were posted: who waits for them need not wait longer. */
    void onReceives(final ModelReceives receives) {
        for (final ModelQueuePair sender : List.copyOf(waiting)) {
            final ModelQueuePair peer = queuePairs.get(sender.peer);
            if (peer != null && peer.receives == receives) {
                sender.nextTryNs = 0;
                run(sender);
            }
        }
    }

    /** Posts a send, which has its place in the queue. */
    void post(final ModelQueuePair queuePair, final Work work) {
        work.slot = queuePair.head++;
        queuePair.sends.add(work);
        if (queuePair.hasFailed()) {
            if (flushesPosts(queuePair)) {
                flushSends(queuePair);
            }
            return;
        }
        if (work.isInline() && work.inline == null) {
            // Its bytes are read later, as those of every request may be.
            waiting.add(queuePair);
        } else {
            run(queuePair);
        }
    }

    private void run(final ModelQueuePair queuePair) {
        if (queuePair.nextTryNs != 0 && environment.nanoTime() - queuePair.nextTryNs < 0) {
            return;
        }
        while (!queuePair.sends.isEmpty() && queuePair.state == rdma_constants.IBV_QPS_RTS()) {
            final Work work = queuePair.sends.peek();
            final int status = queuePair.isDatagram() ? sendDatagram(queuePair, work) : carryOut(queuePair, work);
            if (status == NOT_YET) {
                waiting.add(queuePair);
                return;
            }
            queuePair.sends.poll();
            queuePair.tries = 0;
            queuePair.nextTryNs = 0;
            if (status != WorkStatus.SUCCESS) {
                fail(queuePair, work, status);
            } else if ((work.flags & WorkFlags.SIGNALED) != 0) {
                complete(queuePair, work, status);
            } else if (card.has(Trait.FREES_PLACES_WHEN_DONE)) {
                queuePair.tail = work.slot + 1;
            }
        }
        waiting.remove(queuePair);
    }

    /** The status of its completion. */
    private int carryOut(final ModelQueuePair sender, final Work work) {
        final ModelQueuePair peer = queuePairs.get(sender.peer);
        if (!sender.isReachable || peer == null || peer.hasFailed()
            || peer.canReceive() && peer.peer != sender.number) {
            return WorkStatus.RETRY_EXC_ERR;
        }
        if (!peer.canReceive()) {
            return waitFor(
                sender, PEER_WAIT_NS, (int) (sender.patienceNs() / PEER_WAIT_NS) + 1, WorkStatus.RETRY_EXC_ERR);
        }
        if (!isLocal(sender.domain, work)) {
            return WorkStatus.LOC_PROT_ERR;
        }
        final int refusal = work.isSend() ? WorkStatus.SUCCESS : checkRemote(peer, work);
        if (refusal != WorkStatus.SUCCESS) {
            fail(peer, null, refusal);
            raise(peer, refusal == WorkStatus.REM_ACCESS_ERR
                ? rdma_constants.IBV_EVENT_QP_ACCESS_ERR() : rdma_constants.IBV_EVENT_QP_REQ_ERR());
            return refusal;
        }
        if (work.needsReceive() && peer.receives.posted.isEmpty()) {
            return waitFor(sender, rnrNs(peer.rnrTimerCode), sender.rnrRetries, WorkStatus.RNR_RETRY_EXC_ERR);
        }
        transfer(peer, work);
        return work.needsReceive() ? receive(peer, sender, work, 0) : WorkStatus.SUCCESS;
    }

    /** Have a send tried again after a delay, or answer a failure when its tries are used up. */
    private int waitFor(final ModelQueuePair sender, final long delayNs, final int retries, final int failure) {
        if (retries != FOR_EVER && sender.tries >= retries) {
            return failure;
        }
        sender.tries++;
        sender.nextTryNs = environment.nanoTime() + delayNs;
        return NOT_YET;
    }

    /** Time of a code of ibv_modify_qp(3): in turn twice and one and a half times the last but one. */
    static long rnrNs(final int code) {
        if (code == 0) {
            return SLOWEST_RNR_NS;
        }
        return code % 2 == 0 ? RNR_UNIT_NS << code / 2 : code == 1 ? RNR_UNIT_NS : 3 * RNR_UNIT_NS << (code - 3) / 2;
    }

    private boolean isLocal(final ModelDomain domain, final Work work) {
        if (work.inline != null || work.length == 0) {
            return true;
        }
        return region(domain, work.key, work.address, work.length, work.isAnswered() ? AccessFlags.LOCAL_WRITE : 0)
            != null;
    }

    private ModelRegion region(
        final ModelDomain domain, final int key, final long address, final long length, final int access) {
        final ModelRegion region = regions.get(key);
        return region != null && region.domain().root() == domain.root() && region.has(address, length)
            && region.grants(access) ? region : null;
    }

    private int checkRemote(final ModelQueuePair peer, final Work work) {
        final int access = work.opcode == Work.READ ? AccessFlags.REMOTE_READ
            : work.isAtomic() ? AccessFlags.REMOTE_ATOMIC : AccessFlags.REMOTE_WRITE;
        if (work.isAnswered() && peer.maxReadsAnswered == 0
            || work.isAtomic() && (work.remoteAddress & Long.BYTES - 1) != 0) {
            return WorkStatus.REM_INV_REQ_ERR;
        }
        if ((peer.access & access) == 0) {
            return WorkStatus.REM_INV_REQ_ERR;
        }
        final int length = work.isAtomic() ? Long.BYTES : work.length;
        return length == 0 || region(peer.domain, work.remoteKey, work.remoteAddress, length, access) != null
            ? WorkStatus.SUCCESS : WorkStatus.REM_ACCESS_ERR;
    }

    private void transfer(final ModelQueuePair peer, final Work work) {
        switch (work.opcode) {
            case Work.WRITE, Work.WRITE_WITH_IMMEDIATE ->
                UnsafeApi.copyMemory(source(work), work.remoteAddress, work.length);
            case Work.READ -> UnsafeApi.copyMemory(work.remoteAddress, work.address, work.length);
            case Work.COMPARE_SWAP -> UnsafeApi.putLong(work.address,
                UnsafeApi.compareAndExchangeLong(null, work.remoteAddress, work.operand, work.replacement));
            case Work.FETCH_ADD -> UnsafeApi.putLong(
                work.address, UnsafeApi.getAndAddLong(null, work.remoteAddress, work.operand));
            default -> {
                // a send, whose bytes go where a receive says
            }
        }
    }

    private static long source(final Work work) {
        return work.inline == null ? work.address : work.inline.address();
    }

    /** Consume a receive, and return the status that the sender's completion has. */
    private int receive(final ModelQueuePair peer, final ModelQueuePair sender, final Work work, final int skipped) {
        final Receive receive = takeReceive(peer);
        final int bytes = work.isSend() ? work.length + skipped : 0;
        int status = WorkStatus.SUCCESS;
        if (bytes > receive.length()) {
            status = WorkStatus.LOC_LEN_ERR;
        } else if (bytes > 0 && region(
            peer.receives.domain, receive.key(), receive.address(), bytes, AccessFlags.LOCAL_WRITE) == null) {
            status = WorkStatus.LOC_PROT_ERR;
        } else if (bytes > 0) {
            UnsafeApi.copyMemory(source(work), receive.address() + skipped, work.length);
        }
        final int flags = (work.hasImmediate() ? WorkFlags.WITH_IMMEDIATE : 0)
            | (skipped > 0 ? WorkFlags.GLOBAL_ROUTE : 0);
        push(peer.receiveQueue, new Entry(peer, receive.id(), status,
            work.opcode == Work.WRITE_WITH_IMMEDIATE ? RECEIVED_WITH_IMMEDIATE : RECEIVED,
            work.isSend() ? bytes : work.length, work.immediate, flags, skipped > 0 ? sender.number : 0,
            Entry.NO_SLOT, (work.flags & WorkFlags.SOLICITED) != 0 || status != WorkStatus.SUCCESS,
            environment.nanoTime()));
        if (status != WorkStatus.SUCCESS && !peer.isDatagram()) {
            fail(peer, null, status);
            return status == WorkStatus.LOC_LEN_ERR ? WorkStatus.REM_INV_REQ_ERR : WorkStatus.REM_OP_ERR;
        }
        return WorkStatus.SUCCESS;
    }

    private Receive takeReceive(final ModelQueuePair peer) {
        final ModelReceives receives = peer.receives;
        final Receive receive = receives.posted.poll();
        if (peer.isShared && receives.posted.size() < receives.limit) {
            receives.limit = 0;
            raise(receives.domain.context, rdma_constants.IBV_EVENT_SRQ_LIMIT_REACHED(), receives.address());
        }
        if (peer.isShared || card.has(Trait.FREES_PLACES_WHEN_DONE)) {
            receives.held--;
        }
        return receive;
    }

    /** Sends a datagram: one that nobody can take is lost, and the sender none the wiser. */
    private int sendDatagram(final ModelQueuePair sender, final Work work) {
        if (!isLocal(sender.domain, work)) {
            return WorkStatus.LOC_PROT_ERR;
        }
        final ModelQueuePair peer = queuePairs.get(work.remoteNumber);
        if (handles.get(ModelAddress.class, work.addressHandle).isReachable() && peer != null && peer.isDatagram()
            && peer.canReceive() && peer.queueKey == work.remoteQueueKey && !peer.receives.posted.isEmpty()
            && peer.receives.posted.peek().length() >= work.length + ROUTE_LENGTH) {
            receive(peer, sender, work, ROUTE_LENGTH);
        }
        return WorkStatus.SUCCESS;
    }

    /**
     * Moves the queue pair to the ERROR state, where all its work is flushed.
     *
     * @param work that has failed, or null when nothing of it has.
     */
    void fail(final ModelQueuePair queuePair, final Work work, final int status) {
        if (work != null && queuePair.hasFailed()) {
            complete(queuePair, work, status);
            return;
        }
        queuePair.state = rdma_constants.IBV_QPS_ERR();
        if (card.has(Trait.FLUSHES_RECEIVES_FIRST)) {
            flushReceives(queuePair);
        }
        if (work != null) {
            complete(queuePair, work, status);
        }
        flush(queuePair);
        waiting.remove(queuePair);
        if (queuePair.isShared) {
            raise(queuePair, rdma_constants.IBV_EVENT_QP_LAST_WQE_REACHED());
        }
    }

    /** Whether the queue pair has failed, and what is posted to it now is flushed. */
    boolean flushesPosts(final ModelQueuePair queuePair) {
        return queuePair.hasFailed() && (queuePair.isToldFailed || !card.has(Trait.ENTERS_KERNEL_IN_ERROR));
    }

    /** Flushes all work of a queue pair that has failed. */
    void flush(final ModelQueuePair queuePair) {
        flushSends(queuePair);
        flushReceives(queuePair);
    }

    private void flushSends(final ModelQueuePair queuePair) {
        for (Work next = queuePair.sends.poll(); next != null; next = queuePair.sends.poll()) {
            complete(queuePair, next, WorkStatus.WR_FLUSH_ERR);
        }
    }

    /** Flushes the receives of a queue pair that has failed. */
    void flushReceives(final ModelQueuePair queuePair) {
        while (!queuePair.isShared && !queuePair.receives.posted.isEmpty()) {
            push(queuePair.receiveQueue, new Entry(queuePair, takeReceive(queuePair).id(), WorkStatus.WR_FLUSH_ERR,
                RECEIVED, 0, 0, 0, 0, Entry.NO_SLOT, true, environment.nanoTime()));
        }
    }

    private void complete(final ModelQueuePair queuePair, final Work work, final int status) {
        if (card.has(Trait.FREES_PLACES_WHEN_DONE)) {
            queuePair.tail = work.slot + 1;
        }
        final int length = work.isAtomic() ? Long.BYTES : work.length;
        push(queuePair.sendQueue, new Entry(queuePair, work.id, status, work.completionOpcode(), length, 0, 0, 0,
            work.slot, status != WorkStatus.SUCCESS, environment.nanoTime()));
    }

    private void push(final ModelCompletionQueue queue, final Entry entry) {
        if (queue.hasOverrun) {
            return;
        }
        if (queue.entries.size() + queue.taken >= queue.capacity && !queue.ignoresOverrun()) {
            queue.hasOverrun = true;
            raise(queue.context, rdma_constants.IBV_EVENT_CQ_ERR(), queue.address());
            return;
        }
        queue.entries.add(entry);
        if (queue.armed == ModelCompletionQueue.ARMED
            || queue.armed == ModelCompletionQueue.ARMED_FOR_SOLICITED && entry.isSolicited()) {
            queue.armed = ModelCompletionQueue.NOT_ARMED;
            if (queue.channel != null) {
                queue.channel.add(queue);
            }
        }
    }

    private void raise(final ModelQueuePair queuePair, final int type) {
        raise(queuePair.domain.context, type, queuePair.address());
    }

    private void raise(final ModelContext context, final int type, final long element) {
        context.events.add(new ModelContext.AsyncEvent(type, element));
    }

    /** Take the next completion of a queue; null when there is none. */
    Entry next(final ModelCompletionQueue queue, final String call) {
        progress();
        if (card.has(Trait.FOLLOWS_QUEUE_PAIRS) && queue.leaving > 0) {
            violations.add(call + " of completion queue " + queue.number
                + " may follow a pointer to a queue pair that is being freed");
        }
        final Entry entry = queue.entries.poll();
        if (entry != null) {
            final ModelQueuePair queuePair = entry.queuePair();
            if (card.has(Trait.FOLLOWS_FREED_QUEUE_PAIRS) && queuePair.isDestroyed) {
                violations.add(call + " follows a completion to queue pair " + queuePair.number + ", which is freed");
            }
            if (card.has(Trait.POLLS_ENTER_KERNEL) && entry.status() != WorkStatus.SUCCESS
                && entry.status() != WorkStatus.WR_FLUSH_ERR) {
                enterKernel(call + " of an error");
                queuePair.isToldFailed = true;
            }
            if (card.has(Trait.POLLS_LOCK_OTHER_QUEUE) && entry.status() != WorkStatus.SUCCESS
                && entry.status() != WorkStatus.WR_FLUSH_ERR) {
                lockOther(queuePair, queue, call);
            }
            if (entry.slot() != Entry.NO_SLOT) {
                if (card.has(Trait.POLLS_UNDER_SEND_LOCK)) {
                    spin(queuePair.sendLock, call);
                }
                queuePair.tail = Math.max(queuePair.tail, entry.slot() + 1);
            } else if (!queuePair.isShared && !card.has(Trait.FREES_PLACES_WHEN_DONE)) {
                queuePair.receives.held--;
            }
        }
        return entry;
    }

    private void lockOther(final ModelQueuePair queuePair, final ModelCompletionQueue queue, final String call) {
        final ModelCompletionQueue other =
            queuePair.sendQueue == queue ? queuePair.receiveQueue : queuePair.sendQueue;
        if (other != queue) {
            spin(other.lock, call + " of an error");
        }
    }

    private static List<ModelCompletionQueue> queuesOf(final ModelQueuePair queuePair) {
        return Stream.of(queuePair.sendQueue, queuePair.receiveQueue).distinct()
            .sorted(Comparator.comparingInt(queue -> queue.number)).toList();
    }

    /** Takes the queues of a queue pair that goes: before they are cleaned nobody else may touch them any more. */
    void takeQueues(final ModelQueuePair queuePair, final String call) {
        queuesOf(queuePair).forEach(queue -> take(queue.lock, call));
    }

    /** Remove the completions of a queue pair that goes, where the card does that, and give back its queues' locks. */
    void clean(final ModelQueuePair queuePair, final String call) {
        final List<ModelCompletionQueue> queues = queuesOf(queuePair);
        for (final ModelCompletionQueue queue : queues) {
            if (queue.isInBatch) {
                violations.add(call + " takes a queue pair from completion queue " + queue.number
                    + ", which a single thread polls in this moment");
            }
            if (card.has(Trait.CLEANS_QUEUES)) {
                queue.entries.removeIf(entry -> entry.queuePair() == queuePair);
            }
        }
        queues.forEach(queue -> drop(queue.lock));
    }
}
