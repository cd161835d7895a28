package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * Data path: reads the completion entries that the connected peer writes into a queue pair's file. Nothing in them is
 * trusted. One thread at a time polls, that of the receive completion queue.
 */
class ReceiveCompletions {
    private static final int WRITE_ARRIVED = QueuePairLayout.verdict(
        WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.SUCCESS);
    private static final int SEND_ARRIVED = QueuePairLayout.verdict(
        WorkFlags.NONE, WorkOpcode.RECV, WorkStatus.SUCCESS);
    private static final int SEND_IMMEDIATE_ARRIVED = QueuePairLayout.verdict(
        WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV, WorkStatus.SUCCESS);
    private static final int TERMINAL = QueuePairLayout.verdict(
        WorkFlags.NONE, QueuePairLayout.TERMINAL, WorkStatus.SUCCESS);
    private static final VarHandle CONSUMED;

    static {
        try {
            CONSUMED = MethodHandles.lookup().findVarHandle(ReceiveCompletions.class, "consumed", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final QueueOwner owner;
    private final QueuePairNumbers numbers;
    private final Posted receives;
    private final long file;
    private final long entries;
    private final int mask;
    private long nextSeal;
    private int nextSequence;
    private long consumed;
    private long postedCached;
    private boolean isFlushing;
    private volatile boolean hasFailed;

    ReceiveCompletions(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final Posted receives,
        final long file,
        final QueuePairAttributes attributes) {
        this.file = file;
        this.owner = owner;
        this.numbers = numbers;
        this.receives = receives;
        entries = file + ReceiveQueue.completionsOffset(attributes);
        mask = ReceiveQueue.completionEntriesFor(attributes) - 1;
        expect(0);
    }

    /** The receives that completions are of. */
    interface Posted {
        /** {@return receives posted since the beginning} Any thread. */
        long posted();

        /** {@return the work request id of a receive that was posted} Poller. */
        long workRequestId(long index);
    }

    /** Set where entry number {@code index} will become valid, and by which sequence. */
    private void expect(final long index) {
        nextSeal = entries + ((index & mask) << QueuePairLayout.ENTRY_SHIFT) + QueuePairLayout.SEAL_OFFSET;
        nextSequence = (int) (index + 1);
    }

    /**
     * Make the next completion the current one of a queue.
     *
     * @return false when there is none.
     */
    boolean poll(final PolledCompletionQueue queue) {
        final long seal = UnsafeApi.getLongAcquire(null, nextSeal);
        if ((int) (seal >>> 32) != nextSequence || isFlushing) {
            return hasFailed && flush(queue);
        }
        final int verdict = (int) seal;
        final long body = UnsafeApi.getLong(nextSeal - QueuePairLayout.SEAL_OFFSET);
        if (!hasArrived(verdict, body) || !hasOutstanding()) {
            return pollFault(queue, verdict);
        }
        consume(queue, receives.workRequestId(consumed), verdict, body);
        return true;
    }

    static boolean hasArrived(final int verdict, final long body) {
        return (verdict == WRITE_ARRIVED || verdict == SEND_ARRIVED || verdict == SEND_IMMEDIATE_ARRIVED)
            && (int) body >= 0;
    }

    final void consume(
        final PolledCompletionQueue queue, final long workRequestId, final int verdict, final long body) {
        final long index = consumed;
        queue.current(numbers.both(), workRequestId, verdict, body);
        expect(index + 1);
        CONSUMED.setRelease(this, index + 1);
    }

    private boolean hasOutstanding() {
        if (consumed == postedCached) {
            postedCached = receives.posted();
        }
        return consumed != postedCached;
    }

    /** Complete an entry that ends the link: the peer's fault, a message that did not fit, or garbage. */
    private boolean pollFault(final PolledCompletionQueue queue, final int verdict) {
        final int status = endLink(verdict);
        if (status == WorkStatus.SUCCESS || !hasOutstanding()) {
            return flush(queue);
        }
        consume(queue, receives.workRequestId(consumed),
            QueuePairLayout.verdict(WorkFlags.NONE, WorkOpcode.RECV, status), 0);
        return true;
    }

    /**
     * Fail the queue pair, after an entry that ends the link; no more entries are read.
     *
     * @return what to complete the entry's receive with; SUCCESS when it has none.
     */
    final int endLink(final int verdict) {
        isFlushing = true;
        final int status = verdict & 0xff;
        final boolean isTerminal = verdict == TERMINAL;
        final boolean isReceiveError = verdict >>> 8 == WorkOpcode.RECV
            && (status == WorkStatus.LOC_LEN_ERR || status == WorkStatus.LOC_PROT_ERR);
        if (!isTerminal && !isReceiveError) {
            owner.raise(AsyncEventType.QP_FATAL);
        }
        owner.fail();
        return isTerminal ? WorkStatus.SUCCESS : isReceiveError ? status : WorkStatus.GENERAL_ERR;
    }

    /** Flush a receive; from now on the entries are not read again, so what the peer still writes has never arrived. */
    private boolean flush(final PolledCompletionQueue queue) {
        if (!isFlushing && hasEntry()) {
            // It came between the look and the failure, so it was there before the failure.
            return poll(queue);
        }
        isFlushing = true;
        if (!hasOutstanding()) {
            return false;
        }
        consume(queue, receives.workRequestId(consumed),
            QueuePairLayout.verdict(WorkFlags.NONE, WorkOpcode.RECV, WorkStatus.WR_FLUSH_ERR), 0);
        return true;
    }

    /** Poller: whether {@link #poll} would find something. */
    boolean hasWork() {
        return !isFlushing && hasEntry() || hasFailed && hasOutstanding();
    }

    /** Poller: whether entries are read no more. */
    final boolean isFlushing() {
        return isFlushing;
    }

    /** Poller: the words of the entry that {@link #hasEntry}. */
    final long seal() {
        return UnsafeApi.getLongAcquire(null, nextSeal);
    }

    final long body() {
        return UnsafeApi.getLong(nextSeal - QueuePairLayout.SEAL_OFFSET);
    }

    final boolean hasEntry() {
        return (int) (UnsafeApi.getLongAcquire(null, nextSeal) >>> 32) == nextSequence;
    }

    /** Set-up: tell whether the poller looks by itself, so that the peer need not signal. */
    void unsignalled(final boolean isUnsignalled) {
        QueuePairLayout.unsignalled(file, isUnsignalled);
    }

    /** Any thread: tell that the queue pair is in ERROR; what has not arrived is flushed. */
    void fail() {
        hasFailed = true;
    }

    /** Any thread: receives consumed since the beginning. */
    final long consumed() {
        return (long) CONSUMED.getAcquire(this);
    }

    /** Any thread: receives that have not been polled, arrived or not. */
    long outstanding() {
        return Math.max(0, receives.posted() - consumed());
    }

    /** Any thread: whether receives wait to be flushed, once the queue pair is in ERROR. */
    boolean isToFlush() {
        return outstanding() != 0;
    }

    /** Release what is held beyond the file; no thread polls any more, and the file is about to be unmapped. */
    void release() {
    }

    /**
     * Any thread, while the file cannot be unmapped: completions that wait. May count what the poller takes meanwhile,
     * so a caller on another thread compares {@link #consumed()} before and after.
     */
    long arrived() {
        final long from = consumed();
        final long limit = receives.posted();
        if (hasFailed) {
            return Math.max(0, limit - from);
        }
        long index = from;
        while (index < limit && hasSequence(index)) {
            index++;
        }
        return index - from;
    }

    final boolean hasSequence(final long index) {
        final long seal = entries + ((index & mask) << QueuePairLayout.ENTRY_SHIFT) + QueuePairLayout.SEAL_OFFSET;
        return (int) (UnsafeApi.getLongAcquire(null, seal) >>> 32) == (int) (index + 1);
    }
}
