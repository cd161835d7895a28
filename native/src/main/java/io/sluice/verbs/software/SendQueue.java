package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * Data path: takes posted sends and carries them out on the poster's thread, or puts them in line behind one that must
 * wait (see {@link WaitingSends}). One thread at a time posts.
 */
final class SendQueue {
    /** Ready to send and nothing waits. */
    static final int OPEN = 0;
    /** The queue pair is not ready to send, or is closed. */
    static final int SHUT = 1;
    /** State ERROR: sends are flushed. */
    static final int FAILED = 1 << 1;
    /** Sends wait; whoever holds the lock of the waiting sends carries them out. */
    static final int WAITING = 1 << 2;

    private static final VarHandle GUARD;
    private static final VarHandle GATE;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            GUARD = lookup.findVarHandle(SendQueue.class, "guard", int.class);
            GATE = lookup.findVarHandle(SendQueue.class, "gate", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final QueueOwner owner;
    private final LocalCompletions completions;
    private final Transmitter transmitter;
    private final WaitingSends waiting;
    private final SendRequest request = new SendRequest();
    private final int maxWork;
    private final int maxInlineData;
    private final boolean fetches;
    private volatile int gate = SHUT;
    private int guard;
    private long posted;
    private long freedCached;
    /** The signal of completions, set once, before anything is posted. */
    private ReadySignal signal;

    SendQueue(
        final QueueOwner owner,
        final QueuePairAttributes attributes,
        final Transmitter transmitter,
        final Environment environment) {
        this.owner = owner;
        this.transmitter = transmitter;
        maxWork = attributes.maxSendWork();
        maxInlineData = attributes.maxInlineData();
        fetches = attributes.maxReadAtomic() != 0;
        completions = new LocalCompletions(maxWork);
        waiting = new WaitingSends(owner, this, attributes, environment);
    }

    /** Set-up: sets how the queue's completions are told. */
    void signal(final ReadySignal newSignal) {
        signal = newSignal;
    }

    /** The poster's, to fill and to post at once. */
    SendRequest request() {
        return request;
    }

    /** Post anything but what {@link #postFetch} does: the request of this queue, or one of a chain. */
    int post(final int operation, final SendRequest send) {
        GUARD.setOpaque(this, 1);
        try {
            return gate == OPEN ? postNow(operation, send) : waiting.postLater(operation, send);
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    /** Post a READ, or an atomic with its one or two operands. */
    int postFetch(final int operation, final SendRequest fetch) {
        GUARD.setOpaque(this, 1);
        try {
            if (!isFetchGood(operation, fetch)) {
                return Errno.EINVAL;
            }
            return gate == OPEN ? fetchNow(operation, fetch) : waiting.postLater(operation, fetch);
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    private boolean isFetchGood(final int operation, final SendRequest fetch) {
        return fetch.length() >= 0 && (fetch.flags() & WorkFlags.INLINE) == 0 && fetches
            && (operation == Wire.READ || (fetch.remoteAddress() & Long.BYTES - 1) == 0);
    }

    int fetchNow(final int operation, final SendRequest fetch) {
        if (!hasSlot()) {
            return Errno.ENOMEM;
        }
        final int status = transmitter.fetch(operation, fetch);
        if (status < 0) {
            waiting.makeRoom(fetch);
        }
        final long covered = ++posted;
        if (status == WorkStatus.SUCCESS) {
            succeedFetch(operation, fetch, covered);
        } else if (status > 0) {
            fail(status, fetch.workRequestId(), covered);
        } else {
            waiting.add(operation, fetch, covered, status);
        }
        return Errno.OK;
    }

    void succeedFetch(final int operation, final SendRequest fetch, final long covered) {
        if ((fetch.flags() & WorkFlags.SIGNALED) != 0) {
            final int opcode = operation == Wire.READ ? WorkOpcode.RDMA_READ
                : operation == Wire.COMPARE_AND_SWAP ? WorkOpcode.COMPARE_SWAP : WorkOpcode.FETCH_ADD;
            completions.offer(
                fetch.workRequestId(),
                (long) fetch.length() << 32 | QueuePairLayout.verdict(WorkFlags.NONE, opcode, WorkStatus.SUCCESS),
                covered);
            UnsafeApi.fullFence();
            signal.raise(false);
        }
    }

    /** Whether the peer's queue pair receives; false when this one is closed. */
    boolean isPeerReceiving() {
        GUARD.setOpaque(this, 1);
        try {
            return (gate & SHUT) == 0 && transmitter.isPeerReceiving();
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    int postNow(final int operation, final SendRequest send) {
        if (!isLengthGood(send)) {
            return Errno.EINVAL;
        }
        if (!hasSlot()) {
            return Errno.ENOMEM;
        }
        final int status = transmitter.transmit(operation, send);
        if (status < 0) {
            waiting.makeRoom(send);
        }
        final long covered = ++posted;
        if (status == WorkStatus.SUCCESS) {
            succeed(operation, send, covered);
        } else if (status > 0) {
            fail(status, send.workRequestId(), covered);
        } else {
            waiting.add(operation, send, covered, status);
        }
        return Errno.OK;
    }

    boolean isLengthGood(final SendRequest send) {
        final int length = send.length();
        return length >= 0 && ((send.flags() & WorkFlags.INLINE) == 0 || length <= maxInlineData);
    }

    boolean hasSlot() {
        if (posted - freedCached >= maxWork) {
            freedCached = completions.freed();
            return posted - freedCached < maxWork;
        }
        return true;
    }

    /** Take a slot for a request that is not carried out now. */
    long takeSlot() {
        return ++posted;
    }

    void succeed(final int operation, final SendRequest send, final long covered) {
        final int flags = send.flags();
        final boolean isSignalled = (flags & WorkFlags.SIGNALED) != 0;
        if (isSignalled) {
            completions.offer(
                send.workRequestId(),
                QueuePairLayout.verdict(
                    WorkFlags.NONE,
                    operation < Wire.SEND ? WorkOpcode.RDMA_WRITE : WorkOpcode.SEND,
                    WorkStatus.SUCCESS),
                covered);
        }
        if (operation != Wire.WRITE && !transmitter.isPeerLooking()) {
            UnsafeApi.fullFence();
            transmitter.signalPeer((flags & WorkFlags.SOLICITED) != 0);
        } else if (isSignalled) {
            UnsafeApi.fullFence();
        } else {
            // The bytes of a plain WRITE are seen before anything that is written later.
            UnsafeApi.storeFence();
        }
        if (isSignalled) {
            signal.raise(false);
        }
    }

    /** Complete with an error and move the queue pair to the ERROR state. */
    void fail(final int status, final long workRequestId, final long covered) {
        flush(status, workRequestId, covered);
        owner.fail();
    }

    /** Complete with an error. */
    void flush(final int status, final long workRequestId, final long covered) {
        completions.offer(
            workRequestId, QueuePairLayout.verdict(WorkFlags.NONE, WorkOpcode.SEND, status), covered);
        UnsafeApi.fullFence();
        signal.raise(true);
    }

    LocalCompletions completions() {
        return completions;
    }

    Transmitter transmitter() {
        return transmitter;
    }

    WaitingSends waiting() {
        return waiting;
    }

    int gate() {
        return gate;
    }

    void raiseGate(final int bit) {
        GATE.getAndBitwiseOr(this, bit);
    }

    void lowerGate(final int bit) {
        GATE.getAndBitwiseAnd(this, ~bit);
    }

    /** Whether a thread is inside a post. */
    boolean isBusy() {
        return (int) GUARD.getAcquire(this) != 0;
    }
}
