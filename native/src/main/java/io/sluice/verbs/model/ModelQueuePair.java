package io.sluice.verbs.model;

import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A queue pair. Guarded by the fabric's monitor. */
final class ModelQueuePair {
    private static final long TIMEOUT_UNIT_NS = 4096;

    /** An {@code ibv_qp_ex}, which begins with the {@code ibv_qp}. */
    final MemorySegment memory = Arena.ofAuto().allocate(ibv_qp_ex.layout());
    final ModelDomain domain;
    final int number;
    final int type;
    final ModelCompletionQueue sendQueue;
    final ModelCompletionQueue receiveQueue;
    final ModelReceives receives;
    final boolean isShared;
    final int maxSends;
    /** Lock held from {@code wr_start} to {@code wr_complete}. */
    final ModelLock sendLock;
    /** Lock held in a post of receives. */
    final ModelLock receiveLock;
    /** Sends that were posted and are not carried out yet. */
    final Deque<Work> sends = new ArrayDeque<>();
    /** Sends of a post by {@code ibv_qp_ex} that is under way. */
    final List<Work> built = new ArrayList<>();
    boolean isFull;
    /** Places of READs whose completion, or a later one, was not polled. */
    final Deque<Integer> reads = new ArrayDeque<>();
    /**
     * Whether the queue pair is in the ERROR state for the library, too: changed by a call, or found by a query
     * (libibverbs/verbs.c:919).
     */
    boolean isToldFailed;
    boolean isDestroyed;
    int state = rdma_constants.IBV_QPS_RESET();
    int access;
    int peer;
    /** Whether the peer can be reached by the path of the connection. */
    boolean isReachable;
    int maxReadsAnswered;
    int queueKey;
    int rnrRetries;
    int rnrTimerCode;
    int retries;
    int timeoutCode;
    /** Places of the send queue, given out and free again. */
    int head;
    int tail;
    int tries;
    /** Time of the next try of what waits at the head of the sends; 0 when nothing does. */
    long nextTryNs;

    ModelQueuePair(
        final ModelDomain domain,
        final int number,
        final int type,
        final ModelCompletionQueue sendQueue,
        final ModelCompletionQueue receiveQueue,
        final ModelReceives receives,
        final boolean isShared,
        final int maxSends) {
        this.domain = domain;
        this.number = number;
        this.type = type;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.receives = receives;
        this.isShared = isShared;
        this.maxSends = maxSends;
        sendLock = new ModelLock("the send queue of queue pair " + number);
        receiveLock = new ModelLock("the receive queue of queue pair " + number);
    }

    long address() {
        return memory.address();
    }

    boolean isDatagram() {
        return type == rdma_constants.IBV_QPT_UD();
    }

    boolean canReceive() {
        return state == rdma_constants.IBV_QPS_RTR() || state == rdma_constants.IBV_QPS_RTS();
    }

    boolean hasFailed() {
        return state == rdma_constants.IBV_QPS_ERR();
    }

    /** Time that a peer has to answer: of each try a device may take four times what it was told, and does. */
    long patienceNs() {
        return 4 * (retries + 1) * (TIMEOUT_UNIT_NS << timeoutCode);
    }

    /** Takes the queue pair back to what it was created as. */
    void reset() {
        sends.clear();
        reads.clear();
        if (!isShared) {
            receives.posted.clear();
            receives.held = 0;
        }
        isToldFailed = false;
        head = 0;
        tail = 0;
        tries = 0;
        nextTryNs = 0;
    }
}
