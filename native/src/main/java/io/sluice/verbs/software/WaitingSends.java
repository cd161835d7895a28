package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * Sends of one queue pair that must wait: for a receive of the peer, for the peer to become ready, or for a fault hook,
 * and all that were posted behind them. They are tried again by later posts, polls of the send completion queue and
 * {@code RdmaDevice.poll}; while there are any, the lock decides who carries them out. Nothing here runs on a link
 * whose receives are credit-counted, so it may allocate and lock. A send that has waited leaves as any other does, by
 * the send queue, which is why the two know each other: together they are one state machine, parted by what may lock.
 */
final class WaitingSends {
    private static final int RNR_RETRY_FOR_EVER = 7;
    private static final int NOT_WAITING = 0;

    private final ReentrantLock lock = new ReentrantLock();
    private final QueueOwner owner;
    private final SendQueue queue;
    private final QueuePairAttributes attributes;
    private final Environment environment;
    private final int capacity;
    private final int maxInlineData;
    private WaitingSend[] ring;
    private ByteBuffer inlineData;
    private int head;
    private int size;
    private int headReason = NOT_WAITING;
    private long headSinceNs;

    WaitingSends(
        final QueueOwner owner,
        final SendQueue queue,
        final QueuePairAttributes attributes,
        final Environment environment) {
        this.owner = owner;
        this.queue = queue;
        this.attributes = attributes;
        this.environment = environment;
        capacity = attributes.maxSendWork();
        maxInlineData = attributes.maxInlineData();
    }

    /** Poster: posts later, as the gate of the send queue is not open. */
    int postLater(final int operation, final SendRequest request) {
        lock.lock();
        try {
            carryOut();
            final int gate = queue.gate();
            if (gate != SendQueue.OPEN) {
                return enqueue(gate, operation, request);
            }
            return operation >= Wire.READ ? queue.fetchNow(operation, request) : queue.postNow(operation, request);
        } finally {
            lock.unlock();
        }
    }

    private int enqueue(final int gate, final int operation, final SendRequest request) {
        if ((gate & SendQueue.SHUT) != 0 || !queue.isLengthGood(request)) {
            return Errno.EINVAL;
        }
        if (!queue.hasSlot()) {
            return Errno.ENOMEM;
        }
        makeRoom(request);
        final long covered = queue.takeSlot();
        if ((gate & SendQueue.FAILED) != 0) {
            queue.flush(WorkStatus.WR_FLUSH_ERR, request.workRequestId(), covered);
        } else {
            append(operation, request, covered);
        }
        return Errno.OK;
    }

    /** Poster: adds a request, the first one, which could not be carried out at once and which there is room for. */
    void add(final int operation, final SendRequest request, final long covered, final int reason) {
        lock.lock();
        try {
            headReason = NOT_WAITING;
            if (isExpired(reason)) {
                queue.fail(expiry(reason), request.workRequestId(), covered);
                return;
            }
            append(operation, request, covered);
            queue.raiseGate(SendQueue.WAITING);
            owner.onWaiting(true);
        } finally {
            lock.unlock();
        }
    }

    /** Poster: makes what keeping a request takes, before its slot is taken: there may be no memory for it. */
    void makeRoom(final SendRequest request) {
        lock.lock();
        try {
            if (ring == null) {
                ring = new WaitingSend[capacity];
            }
            final int index = end();
            if (ring[index] == null) {
                ring[index] = new WaitingSend();
            }
            if (inlineData == null && hasInlineBytes(request)) {
                inlineData = ByteBuffer.allocateDirect(capacity * maxInlineData);
            }
        } finally {
            lock.unlock();
        }
    }

    private int end() {
        return (head + size) % capacity;
    }

    private static boolean hasInlineBytes(final SendRequest request) {
        return (request.flags() & WorkFlags.INLINE) != 0 && request.length() != 0;
    }

    private void append(final int operation, final SendRequest request, final long covered) {
        final int index = end();
        ring[index].set(operation, request, takeInline(request, index), covered);
        size++;
    }

    /** Takes inline bytes, which are the caller's again when the post returns, so they are kept here. */
    private long takeInline(final SendRequest request, final int index) {
        if (!hasInlineBytes(request)) {
            return request.localAddress();
        }
        final long kept = BufferUtil.address(inlineData) + (long) index * maxInlineData;
        UnsafeApi.copyMemory(request.localAddress(), kept, request.length());
        return kept;
    }

    /** Any thread: try again, unless another thread is at it. */
    void retry() {
        if ((queue.gate() & SendQueue.WAITING) != 0 && lock.tryLock()) {
            try {
                carryOut();
            } finally {
                lock.unlock();
            }
        }
    }

    private void carryOut() {
        while (size > 0) {
            final int gate = queue.gate();
            if ((gate & SendQueue.SHUT) != 0) {
                size = 0;
            } else if ((gate & SendQueue.FAILED) != 0) {
                final WaitingSend send = pop();
                queue.flush(WorkStatus.WR_FLUSH_ERR, send.workRequestId(), send.covered());
            } else if (!carryOutHead()) {
                return;
            }
        }
        if ((queue.gate() & SendQueue.WAITING) != 0) {
            queue.lowerGate(SendQueue.WAITING);
            owner.onWaiting(false);
        }
    }

    private boolean carryOutHead() {
        final WaitingSend send = ring[head];
        final int status = send.transmit(queue.transmitter());
        if (status == WorkStatus.SUCCESS) {
            pop();
            succeed(send);
        } else if (status > 0) {
            pop();
            queue.fail(status, send.workRequestId(), send.covered());
        } else if (isExpired(status)) {
            pop();
            queue.fail(expiry(status), send.workRequestId(), send.covered());
        } else {
            return false;
        }
        return true;
    }

    private void succeed(final WaitingSend send) {
        if (send.operation() >= Wire.READ) {
            queue.succeedFetch(send.operation(), send.request(), send.covered());
        } else {
            queue.succeed(send.operation(), send.request(), send.covered());
        }
    }

    private WaitingSend pop() {
        final WaitingSend send = ring[head];
        head = (head + 1) % capacity;
        size--;
        headReason = NOT_WAITING;
        return send;
    }

    private boolean isExpired(final int reason) {
        final long nowNs = environment.nanoTime();
        if (reason != headReason) {
            headReason = reason;
            headSinceNs = nowNs;
        }
        final long waitedNs = nowNs - headSinceNs;
        return switch (reason) {
            case Transmitter.WAIT_FOR_RECEIVE -> {
                final int retries = attributes.rnrRetryCount();
                yield retries != RNR_RETRY_FOR_EVER
                    && waitedNs >= retries * RetryTimers.rnrTimerNs(queue.transmitter().peer().minRnrTimerCode());
            }
            case Transmitter.WAIT_FOR_PEER -> waitedNs >= RetryTimers.retriesNs(
                attributes.retryCount(), attributes.ackTimeoutCode());
            default -> false;
        };
    }

    private static int expiry(final int reason) {
        return reason == Transmitter.WAIT_FOR_RECEIVE ? WorkStatus.RNR_RETRY_EXC_ERR : WorkStatus.RETRY_EXC_ERR;
    }

    /** Whether a thread is carrying out waiting sends. */
    boolean isBusy() {
        return lock.isLocked();
    }
}
