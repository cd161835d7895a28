package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.FileErrors;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.agrona.UnsafeApi;

/**
 * The lock of the whole fabric, held for a few file operations while something is added or cleaned up. Everybody who
 * waited for it and got it counts a turn, so that those who still wait can tell a lock that goes from hand to hand,
 * as when many processes start at once, from one that is stuck.
 */
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
        final SharedFiles files = environment.files();
        final Path turnsFile = fabric.resolve(FabricNames.TURNS);
        long startNs = environment.nanoTime();
        long turns = turns(files, turnsFile);
        for (long i = 0; i < MAX_PARKS; i++) {
            final FabricLock lock = tryAcquire(environment, fabric);
            if (lock != null) {
                try {
                    countTurn(files, turnsFile);
                } catch (final Throwable e) {
                    // else every process of this user would wait for this one to end
                    CloseHelper.quietClose(lock);
                    throw e;
                }
                return lock;
            }
            if (environment.nanoTime() - startNs >= SoftwareLimits.FABRIC_LOCK_TIMEOUT_NS) {
                final long turnsBefore = turns;
                turns = turns(files, turnsFile);
                if (turns == turnsBefore) {
                    break;
                }
                startNs = environment.nanoTime();
            }
            environment.park(PARK_NS);
        }
        throw new VerbsException(call, Errno.EBUSY, "another process has held " + fabric.resolve(FabricNames.LOCK)
            + " for more than " + SoftwareLimits.FABRIC_LOCK_TIMEOUT_NS / 1_000_000_000L
            + " s: look for a stopped process (ps, state T) and continue or kill it");
    }

    private static void countTurn(final SharedFiles files, final Path file) {
        try (MappedMemory memory = openTurns(files, file)) {
            UnsafeApi.putLongVolatile(null, memory.address(), UnsafeApi.getLong(memory.address()) + 1);
        } catch (final IOException e) {
            // Not counted, on a full disk for one: at worst somebody gives up who should have waited on.
            return;
        }
    }

    private static MappedMemory openTurns(final SharedFiles files, final Path file) throws IOException {
        if (files.exists(file)) {
            final MappedMemory memory = openExisting(files, file);
            if (memory != null) {
                return memory;
            }
            // Not what turns are counted in: nobody else makes it anew, whoever counts has the lock.
            files.delete(file);
        }
        return files.create(file, Long.BYTES);
    }

    /** Opens the lock's file, which is there; null when it is no file of eight bytes that only this user may use. */
    private static MappedMemory openExisting(final SharedFiles files, final Path file) throws IOException {
        final MappedMemory memory;
        try {
            memory = files.open(file, true, Long.BYTES);
        } catch (final IOException e) {
            if (FileErrors.isWant(e)) {
                throw e;
            }
            return null;
        }
        if (memory.length() == Long.BYTES) {
            return memory;
        }
        memory.close();
        return null;
    }

    private static long turns(final SharedFiles files, final Path file) {
        try (MappedMemory memory = files.view(file, Long.BYTES)) {
            return memory.length() == Long.BYTES ? UnsafeApi.getLongVolatile(null, memory.address()) : 0;
        } catch (final IOException e) {
            // Nobody has counted yet.
            return 0;
        }
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
