package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Keeps a device from being closed, or released, under what is being created from it. Any thread. */
final class DeviceLife {
    private final DevicePresence presence;
    /**
     * The lock of creation: held for reading while something is being created from the context, and counted. Write: the
     * device is being closed.
     */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /** Whether the device is closed; set under the lock. */
    private volatile boolean isClosed;

    DeviceLife(final DevicePresence presence) {
        this.presence = presence;
    }

    boolean isClosed() {
        return isClosed;
    }

    /**
     * Create something from the context, which is not freed meanwhile. Not for what may take long: a close waits for
     * it, and the device's duties for that.
     *
     * @param call that creates it.
     * @throws VerbsException EINVAL when the device is closed, ENODEV while it is gone or about to go.
     */
    <T> T whileOpen(final String call, final Supplier<T> creation) {
        lock.readLock().lock();
        try {
            if (isClosed) {
                throw new VerbsException(call, Errno.EINVAL, "the device is closed");
            }
            presence.checkThere(call);
            return creation.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns when nothing is being created from the device itself. */
    void awaitCreations() {
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }

    /** Close the device once, by a call that may refuse to. */
    void close(final Runnable closing) {
        lock.writeLock().lock();
        try {
            if (!isClosed) {
                closing.run();
                isClosed = true;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
