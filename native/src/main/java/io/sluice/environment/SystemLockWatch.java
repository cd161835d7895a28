package io.sluice.environment;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Keeps a lock file open to ask who has its lock. */
final class SystemLockWatch implements LockWatch {
    private final LockFile file;
    private boolean isClosed;

    SystemLockWatch(final LockFile file) {
        this.file = file;
    }

    /** Whether the lock is held; one that cannot be examined counts as held, as everywhere. */
    @Override
    public boolean isHeld() {
        try {
            return !isClosed && SystemLocks.isLocked(file);
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
