package io.sluice.environment;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Keeps a lock file open to ask who has its lock. */
final class SystemLockWatch implements LockWatch {
    /**
     * The number of looks of which one reads who owns the lock, and how that process is, and does not only ask whether
     * the lock is held: this tells of an owner that is dead while a child of its own holds the lock.
     */
    private static final int LOOKS_PER_NAME = 8;

    private final LockFile file;
    private int looks;
    private boolean isClosed;

    SystemLockWatch(final LockFile file) {
        this.file = file;
    }

    /** Whether the lock is held; one that cannot be examined counts as held, as everywhere. */
    @Override
    public boolean isHeld() {
        if (isClosed) {
            return false;
        }
        try {
            final boolean isNameDue = looks++ % LOOKS_PER_NAME == 0;
            return !isNameDue && file.isHeld() || SystemLocks.isLocked(file);
        } catch (final IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            try {
                file.close();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
