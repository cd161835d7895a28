package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/**
 * A shared receive queue. Each receive that was posted has a token, from the post until its completion is polled; one
 * thread posts, and the pollers of all its queue pairs give tokens back. A peer process that is killed between taking a
 * receive and completing it costs the queue that one receive.
 */
final class SoftwareSharedReceiveQueue extends SharedReceiveQueue {
    private static final VarHandle GUARD;
    private static final VarHandle POSTED;
    private static final VarHandle RETURNED;
    private static final VarHandle IS_OUT = MethodHandles.arrayElementVarHandle(boolean[].class);

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            GUARD = lookup.findVarHandle(SoftwareSharedReceiveQueue.class, "guard", int.class);
            POSTED = lookup.findVarHandle(SoftwareSharedReceiveQueue.class, "posted", long.class);
            RETURNED = lookup.findVarHandle(SoftwareSharedReceiveQueue.class, "returned", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DomainContents domain;
    private final AsyncEvents events;
    private final Disposal<SoftwareSharedReceiveQueue> disposal;
    private final int number;
    private final int capacity;
    private final MappedMemory memory;
    private final long file;
    private final long[] workRequestIds;
    private final boolean[] isOut;
    private final int mask;
    private volatile boolean isClosed;
    private volatile int limit;
    private int guard;
    private long posted;
    private long returned;
    private long returnedCached;
    private int nextToken;
    private int users;

    SoftwareSharedReceiveQueue(
        final DomainContents domain,
        final AsyncEvents events,
        final int number,
        final int capacity,
        final MappedMemory memory,
        final Disposal<SoftwareSharedReceiveQueue> disposal) {
        this.domain = domain;
        this.events = events;
        this.disposal = disposal;
        this.number = number;
        this.capacity = capacity;
        this.memory = memory;
        file = memory.address();
        workRequestIds = new long[capacity];
        isOut = new boolean[capacity];
        mask = entriesFor(capacity) - 1;
        SharedQueueLayout.write(file, number, mask + 1);
    }

    static int entriesFor(final int capacity) {
        return BitUtil.findNextPositivePowerOfTwo(capacity);
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        GUARD.setOpaque(this, 1);
        try {
            if (isClosed || length < 0 || length != 0 && !domain.covers(localKey, address, length)) {
                return Errno.EINVAL;
            }
            if (!hasRoom(1)) {
                return Errno.ENOMEM;
            }
            describe(posted, workRequestId, address, localKey, length);
            publish(posted + 1);
            return Errno.OK;
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        GUARD.setOpaque(this, 1);
        try {
            if (isClosed || count < 1) {
                return Errno.EINVAL;
            }
            if (!hasRoom(count)) {
                return Errno.ENOMEM;
            }
            for (int i = 0; i < count; i++) {
                describe(posted + i, workRequestId, 0, 0, 0);
            }
            publish(posted + count);
            return Errno.OK;
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    private boolean hasRoom(final int count) {
        if (posted + count - returnedCached > capacity) {
            returnedCached = (long) RETURNED.getAcquire(this);
            return posted + count - returnedCached <= capacity;
        }
        return true;
    }

    private void describe(
        final long index, final long workRequestId, final long address, final int localKey, final int length) {
        final int token = newToken();
        workRequestIds[token] = workRequestId;
        IS_OUT.setRelease(isOut, token, true);
        final long entry =
            file + SharedQueueLayout.ENTRIES_OFFSET + ((index & mask) << SharedQueueLayout.ENTRY_SHIFT);
        UnsafeApi.putLong(entry, address);
        UnsafeApi.putInt(entry + QueuePairLayout.RECEIVE_LENGTH_OFFSET, length);
        UnsafeApi.putInt(entry + QueuePairLayout.RECEIVE_KEY_OFFSET, localKey);
        UnsafeApi.putInt(entry + SharedQueueLayout.TOKEN_OFFSET, token);
    }

    /**
     * Find a token that no receive has. One is free, because the queue has room; mostly it is the next one, because
     * receives come back in about the order in which they went.
     */
    private int newToken() {
        int token = nextToken;
        while ((boolean) IS_OUT.getAcquire(isOut, token)) {
            token = token + 1 == capacity ? 0 : token + 1;
        }
        nextToken = token + 1 == capacity ? 0 : token + 1;
        return token;
    }

    private void publish(final long newPosted) {
        POSTED.setRelease(this, newPosted);
        UnsafeApi.putLongRelease(null, file + SharedQueueLayout.POSTED_OFFSET, newPosted);
    }

    /** Any thread: receives posted whose completion has not been polled. */
    long outstanding() {
        return Math.max(0, (long) POSTED.getAcquire(this) - (long) RETURNED.getAcquire(this));
    }

    /** Poller: whether a token, which comes from a peer, stands for a receive that is out. */
    boolean isOut(final int token) {
        return token >= 0 && token < capacity && (boolean) IS_OUT.getAcquire(isOut, token);
    }

    /** Poller: the work request id of a token that {@link #isOut}; read before the token is given back. */
    long workRequestId(final int token) {
        return workRequestIds[token];
    }

    /**
     * Poller: gives a token back that {@link #isOut}.
     *
     * @return false when another poller has done so meanwhile, as a peer has named one receive to two queue pairs.
     */
    boolean giveBack(final int token) {
        if (IS_OUT.compareAndSet(isOut, token, true, false)) {
            RETURNED.getAndAdd(this, 1L);
            return true;
        }
        return false;
    }

    @Override
    public synchronized void armLimit(final int newLimit) {
        if (isClosed || newLimit < 0 || newLimit > capacity) {
            throw new VerbsException("ibv_modify_srq", Errno.EINVAL, isClosed
                ? "the shared receive queue is closed" : "limit=" + newLimit + " must be from 0 to " + capacity);
        }
        limit = newLimit;
    }

    /** Device's duty: whether the limit is reached that was asked for; returns what was found. */
    int examine() {
        if (limit == 0) {
            return 0;
        }
        synchronized (this) {
            if (isClosed || limit == 0 || left() >= limit) {
                return 0;
            }
            limit = 0;
        }
        events.raise(AsyncEventType.SRQ_LIMIT_REACHED);
        return 1;
    }

    private long left() {
        return UnsafeApi.getLongAcquire(null, file + SharedQueueLayout.POSTED_OFFSET)
            - UnsafeApi.getLongVolatile(null, file + SharedQueueLayout.TAKEN_OFFSET);
    }

    /** Notes that a queue pair begins to draw on this queue. */
    synchronized void attach(final DomainContents ofQueuePair) {
        if (isClosed || ofQueuePair != domain) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL,
                "sharedReceiveQueue is closed, or not of the queue pair's protection domain");
        }
        users++;
    }

    synchronized void detach() {
        users--;
    }

    int number() {
        return number;
    }

    AsyncEvents events() {
        return events;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            if (users != 0) {
                throw new VerbsException(
                    "ibv_destroy_srq", Errno.EBUSY, users + " queue pairs use it: close them first");
            }
            isClosed = true;
        }
        try {
            disposal.dispose(this, List.of(() -> (int) GUARD.getAcquire(this) != 0));
        } finally {
            domain.leave();
        }
    }

    /** Unmap its file; only when nobody can be using it. */
    void unmap() {
        memory.close();
    }
}
