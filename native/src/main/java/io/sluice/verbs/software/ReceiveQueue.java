package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/**
 * Data path: posts the receives of a queue pair. One thread at a time posts; {@link ReceiveCompletions} consumes.
 */
final class ReceiveQueue {
    /** Receives can be posted and are filled. */
    static final int OPEN = 0;
    /** In RESET or closed. */
    static final int SHUT = 1;
    /** In ERROR: they are flushed. */
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

    private final SoftwareQueuePair owner;
    private final ReceiveCompletions completions;
    private final long[] workRequestIds;
    private final int maxWork;
    private final int mask;
    private final long entries;
    private final long postedWord;
    private volatile int gate = SHUT;
    private int guard;
    private long posted;
    private long consumedCached;
    private boolean hasBuffers;

    ReceiveQueue(final SoftwareQueuePair owner, final long file, final int maxWork) {
        this.owner = owner;
        this.maxWork = maxWork;
        workRequestIds = new long[receiveEntriesFor(maxWork)];
        mask = workRequestIds.length - 1;
        entries = file + QueuePairLayout.ENTRIES_OFFSET;
        postedWord = file + QueuePairLayout.RECEIVES_POSTED_OFFSET;
        completions = new ReceiveCompletions(owner, this, file,
            file + QueuePairLayout.completionsOffset(workRequestIds.length), completionEntriesFor(maxWork));
    }

    /** Receive entries of a receive queue. */
    static int receiveEntriesFor(final int maxReceiveWork) {
        return BitUtil.findNextPositivePowerOfTwo(maxReceiveWork);
    }

    /** Completion entries of a receive queue: one more for the entry that ends the link. */
    static int completionEntriesFor(final int maxReceiveWork) {
        return BitUtil.findNextPositivePowerOfTwo(maxReceiveWork + 1);
    }

    ReceiveCompletions completions() {
        return completions;
    }

    int post(final long workRequestId, final long address, final int localKey, final int length) {
        GUARD.setOpaque(this, 1);
        try {
            if (gate == SHUT || length < 0 || length != 0 && !owner.covers(localKey, address, length)) {
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
            owner.signalReceive();
        }
    }

    /** Poller: work request id of a receive that was posted. */
    long workRequestId(final long index) {
        return workRequestIds[(int) index & mask];
    }

    /** Any thread: receives posted since the beginning. */
    long posted() {
        return (long) POSTED.getAcquire(this);
    }

    void gate(final int newGate) {
        gate = newGate;
    }

    /** Whether a thread is inside a post. */
    boolean isBusy() {
        return (int) GUARD.getAcquire(this) != 0;
    }
}
