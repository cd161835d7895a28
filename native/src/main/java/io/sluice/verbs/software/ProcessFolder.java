package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.SharedFiles;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * This device's folder in the fabric, locked while the device is open; deleted by whoever finds the lock free. Any
 * thread may call.
 */
final class ProcessFolder {
    private static final String CALL = "ibv_open_device";

    private final SharedFiles files;
    private final Path path;
    private final Path lockFile;
    /** The newest last; those before are of files without a name, which peers that are connected keep an eye on. */
    private final Deque<AutoCloseable> locks = new ArrayDeque<>();

    private ProcessFolder(final SharedFiles files, final Path path, final AutoCloseable lock) {
        this.files = files;
        this.path = path;
        lockFile = path.resolve(FabricNames.LOCK);
        locks.add(lock);
    }

    /** Make the fabric's directory if needed, clean up after dead processes, make and lock a folder. */
    static ProcessFolder create(final Environment environment, final Path fabric) {
        final int maxLength = SoftwareLimits.MAX_SOCKET_PATH_LENGTH - FabricNames.MAX_SOCKET_SUFFIX_LENGTH;
        if (FabricNames.byteLength(fabric) > maxLength) {
            throw new VerbsException(CALL, Errno.EINVAL, "directory=" + fabric + " has "
                + FabricNames.byteLength(fabric) + " bytes, at most " + maxLength
                + " leave room for the names of sockets: choose a shorter one");
        }
        final SharedFiles files = environment.files();
        try {
            files.createDirectory(fabric);
            try (FabricLock _ = FabricLock.acquire(environment, fabric, CALL)) {
                removeDead(files, fabric);
                new ServiceDirectory(environment, fabric).removeDead();
                final Path path = fabric.resolve(
                    FabricNames.folder(environment.processId(), environment.randomLong()));
                files.createDirectory(path);
                final AutoCloseable lock = files.tryLock(path.resolve(FabricNames.LOCK));
                if (lock == null) {
                    throw new VerbsException(CALL, Errno.EBUSY, "somebody has locked the new folder " + path);
                }
                return new ProcessFolder(files, path, lock);
            }
        } catch (final IOException e) {
            throw SystemRefusal.of(CALL, Errno.EACCES, "cannot use directory=" + fabric, e);
        }
    }

    private static void removeDead(final SharedFiles files, final Path fabric) throws IOException {
        for (final Path folder : files.list(fabric)) {
            final String name = folder.getFileName().toString();
            if (FabricNames.isFolder(name)) {
                try {
                    files.deleteIfUnlocked(
                        folder, folder.resolve(FabricNames.LOCK), Long.parseLong(FabricNames.processIdOf(name)));
                } catch (final IOException e) {
                    // Not ours to delete, then: it takes room, but nothing here will use it.
                    continue;
                }
            }
        }
    }

    /** Find the outermost part of the folder that is gone; null when all is there. */
    Path missing() {
        if (files.isLocked(lockFile)) {
            return null;
        }
        return !files.exists(path.getParent()) ? path.getParent() : !files.exists(path) ? path : lockFile;
    }

    /** Make the fabric's directory anew when it is gone: there must be one for its lock. */
    void restoreFabric() throws IOException {
        files.createDirectory(path.getParent());
    }

    /** Make the folder anew; the fabric's lock is held. */
    synchronized void restore() throws IOException {
        if (locks.isEmpty()) {
            // closed meanwhile
            return;
        }
        files.createDirectory(path);
        if (!files.isLocked(lockFile)) {
            final AutoCloseable lock = files.tryLock(lockFile);
            if (lock == null) {
                throw new IOException("somebody has locked the folder that was removed: path=" + path);
            }
            locks.addLast(lock);
        }
    }

    String name() {
        return path.getFileName().toString();
    }

    Path path() {
        return path;
    }

    Path resolve(final String file) {
        return path.resolve(file);
    }

    /** Delete the folder with all that is left in it and give up the lock. */
    synchronized void close() throws IOException {
        try {
            files.delete(path);
        } finally {
            while (!locks.isEmpty()) {
                close(locks.removeFirst());
            }
        }
    }

    private static void close(final AutoCloseable lock) throws IOException {
        try (lock) {
            // only closed
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Exception e) {
            throw new IOException(e);
        }
    }
}
