package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/**
 * Data path: posts the receives of a queue pair. One thread at a time posts; {@link ReceiveCompletions} consumes.
 */
final class ReceiveQueue implements ReceiveCompletions.Posted {
    /** Receives can be posted and are filled. */
    static final int OPEN = 0;
    /** State RESET, or closed: no receives can be posted. */
    static final int SHUT = 1;
    /** State ERROR: receives are flushed. */
    static final int FAILED = 2;

    private static final VarHandle GUARD;
    private static final VarHandle POSTED;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            GUARD = lookup.findVarHandle(ReceiveQueue.class, "guard", int.class);
            POSTED = lookup.findVarHandle(ReceiveQueue.class, "posted", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DomainContents domain;
    private final ReceiveCompletions completions;
    private final long[] workRequestIds;
    private final int maxWork;
    private final boolean isShared;
    private final int mask;
    private final long entries;
    private final long postedWord;
    private volatile int gate = SHUT;
    private int guard;
    private long posted;
    private long consumedCached;
    private boolean hasBuffers;
    /** The signal of completions, set once, before anything is posted. */
    private ReadySignal signal;

    ReceiveQueue(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final DomainContents domain,
        final long file,
        final QueuePairAttributes attributes) {
        this.domain = domain;
        maxWork = attributes.maxReceiveWork();
        workRequestIds = new long[receiveEntriesFor(maxWork)];
        mask = workRequestIds.length - 1;
        entries = file + QueuePairLayout.ENTRIES_OFFSET;
        postedWord = file + QueuePairLayout.RECEIVES_POSTED_OFFSET;
        isShared = attributes.sharedReceiveQueue() != null;
        completions = isShared
            ? new SharedReceiveCompletions(owner, numbers, this, file, attributes)
            : new ReceiveCompletions(owner, numbers, this, file, attributes);
    }

    /** Receive entries of a receive queue. */
    static int receiveEntriesFor(final int maxReceiveWork) {
        return BitUtil.findNextPositivePowerOfTwo(maxReceiveWork);
    }

    /** The offset at which the completion entries begin in the file. */
    static long completionsOffset(final QueuePairAttributes attributes) {
        return QueuePairLayout.completionsOffset(receiveEntriesFor(attributes.maxReceiveWork()));
    }

    /** Completion entries of a receive queue: one more for the entry that ends the link. */
    static int completionEntriesFor(final QueuePairAttributes attributes) {
        return BitUtil.findNextPositivePowerOfTwo(maxCompletions(attributes) + 1);
    }

    /** Receives that can be completed and not polled, at a time. */
    static int maxCompletions(final QueuePairAttributes attributes) {
        return attributes.sharedReceiveQueue() == null
            ? attributes.maxReceiveWork() : attributes.sharedReceiveQueue().capacity();
    }

    static long fileLength(final QueuePairAttributes attributes) {
        final int receives = receiveEntriesFor(attributes.maxReceiveWork());
        final int completions = completionEntriesFor(attributes);
        return attributes.sharedReceiveQueue() == null
            ? QueuePairLayout.length(receives, completions) : QueuePairLayout.sharedLength(receives, completions);
    }

    ReceiveCompletions completions() {
        return completions;
    }

    int post(final long workRequestId, final long address, final int localKey, final int length) {
        GUARD.setOpaque(this, 1);
        try {
            if (gate == SHUT || length < 0 || length != 0 && !domain.covers(localKey, address, length)) {
                return Errno.EINVAL;
            }
            if (!hasRoom(1)) {
                return Errno.ENOMEM;
            }
            final long index = posted;
            if (length != 0 || hasBuffers) {
                hasBuffers = true;
                describe(index, address, localKey, length);
            }
            workRequestIds[(int) index & mask] = workRequestId;
            publish(index + 1);
            return Errno.OK;
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    int postMany(final long workRequestId, final int count) {
        GUARD.setOpaque(this, 1);
        try {
            if (gate == SHUT || count < 1) {
                return Errno.EINVAL;
            }
            if (!hasRoom(count)) {
                return Errno.ENOMEM;
            }
            final long end = posted + count;
            for (long index = posted; index < end; index++) {
                workRequestIds[(int) index & mask] = workRequestId;
                if (hasBuffers) {
                    describe(index, 0, 0, 0);
                }
            }
            publish(end);
            return Errno.OK;
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    private boolean hasRoom(final int count) {
        if (posted + count - consumedCached > maxWork) {
            consumedCached = completions.consumed();
            return posted + count - consumedCached <= maxWork;
        }
        return true;
    }

    private void describe(final long index, final long address, final int localKey, final int length) {
        final long entry = entries + ((index & mask) << QueuePairLayout.ENTRY_SHIFT);
        UnsafeApi.putLong(entry, address);
        UnsafeApi.putInt(entry + QueuePairLayout.RECEIVE_LENGTH_OFFSET, length);
        UnsafeApi.putInt(entry + QueuePairLayout.RECEIVE_KEY_OFFSET, localKey);
    }

    private void publish(final long newPosted) {
        POSTED.setRelease(this, newPosted);
        if (gate == OPEN) {
            UnsafeApi.putLongRelease(null, postedWord, newPosted);
        } else if (gate == FAILED) {
            signal();
        }
    }

    /** Set-up: sets how the queue's completions are told. */
    void signal(final ReadySignal newSignal) {
        signal = newSignal;
    }

    /** Signals, in the ERROR state, that there is a flush to be polled. */
    void signal() {
        UnsafeApi.fullFence();
        signal.raise(true);
    }

    @Override
    public long workRequestId(final long index) {
        return workRequestIds[(int) index & mask];
    }

    @Override
    public long posted() {
        return (long) POSTED.getAcquire(this);
    }

    void gate(final int newGate) {
        // Receives of a shared queue are posted there.
        gate = isShared ? SHUT : newGate;
    }

    /** Whether a thread is inside a post. */
    boolean isBusy() {
        return (int) GUARD.getAcquire(this) != 0;
    }
}
