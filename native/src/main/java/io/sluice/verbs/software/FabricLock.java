package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;

/** The lock of the whole fabric, held for a few file operations while something is added or cleaned up. */
final class FabricLock implements AutoCloseable {
    private static final long PARK_NS = 1_000_000;
    /** Bounds the wait where neither parking nor the clock moves; an interrupted thread parks for no time, too. */
    private static final long MAX_PARKS = 1_000_000;

    private final AutoCloseable lock;

    private FabricLock(final AutoCloseable lock) {
        this.lock = lock;
    }

    /** Take the lock, or null when somebody holds it. */
    static FabricLock tryAcquire(final Environment environment, final Path fabric) throws IOException {
        final AutoCloseable lock = environment.files().tryLock(fabric.resolve(FabricNames.LOCK));
        return lock == null ? null : new FabricLock(lock);
    }

    /** Take the lock, waiting for others. */
    static FabricLock acquire(final Environment environment, final Path fabric, final String call) throws IOException {
        final long startNs = environment.nanoTime();
        for (long i = 0; i < MAX_PARKS; i++) {
            final FabricLock lock = tryAcquire(environment, fabric);
            if (lock != null) {
                return lock;
            }
            if (environment.nanoTime() - startNs >= SoftwareLimits.FABRIC_LOCK_TIMEOUT_NS) {
                break;
            }
            environment.park(PARK_NS);
        }
        throw new VerbsException(call, Errno.EBUSY, "another process has held " + fabric.resolve(FabricNames.LOCK)
            + " for more than " + SoftwareLimits.FABRIC_LOCK_TIMEOUT_NS / 1_000_000_000L
            + " s: look for a stopped process (ps, state T) and continue or kill it");
    }

    @Override
    public void close() throws IOException {
        try {
            lock.close();
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Exception e) {
            throw new IOException(e);
        }
    }
}
