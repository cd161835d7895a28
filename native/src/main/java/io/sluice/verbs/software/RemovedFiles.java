package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notices that something of the device was removed by somebody else, and makes it anew: its folder and lock file, the
 * sockets and entries of its listeners, the sockets of its channels, the files of its completion queues, the headers of
 * its regions. What is mapped lives on without a name, so that connections that there are do not notice. The files of a
 * queue pair are read once, when it is connected; what a region or a shared receive queue holds cannot be given a name
 * again: queue pairs that are connected later cannot copy into the one, nor be connected to the other. Any thread may
 * call.
 */
final class RemovedFiles {
    private static final String CALL = "ibv_open_device";
    /** Something else lies there, or a name was taken: the text says it, and the system has no number for it. */
    private static final int UNKNOWN_ERRNO = 0;

    private final Environment environment;
    private final Path fabric;
    private final ProcessFolder folder;
    /** The objects that are looked at, by their kinds, all of which have a list from the beginning. */
    private final Map<NamedFiles.Kind, List<NamedFiles>> objects = new EnumMap<>(NamedFiles.Kind.class);
    private volatile String untold;
    private volatile boolean hasReplacedQueues;

    RemovedFiles(final Environment environment, final Path fabric, final ProcessFolder folder) {
        this.environment = environment;
        this.fabric = fabric;
        this.folder = folder;
        for (final NamedFiles.Kind kind : NamedFiles.Kind.values()) {
            objects.put(kind, new CopyOnWriteArrayList<>());
        }
    }

    void add(final NamedFiles.Kind kind, final NamedFiles object) {
        objects.get(kind).add(object);
    }

    void remove(final NamedFiles.Kind kind, final NamedFiles object) {
        objects.get(kind).remove(object);
    }

    /** Find a path that is gone, or was and has not been told, and what that means; null when nothing is. */
    String missing() {
        final String earlier = untold;
        if (earlier != null) {
            untold = null;
            return earlier;
        }
        return find();
    }

    /** Find a path that is gone, but not while one is made anew: a half-made one would be told as gone, or as there. */
    private synchronized String find() {
        final Path gone = folder.missing();
        if (gone != null) {
            return describe(gone);
        }
        for (final List<NamedFiles> kind : objects.values()) {
            for (final NamedFiles object : kind) {
                final String missing = object.missing();
                // who closes leaves here first, and then removes its files
                if (missing != null && kind.contains(object)) {
                    return missing;
                }
            }
        }
        return null;
    }

    private String describe(final Path gone) {
        if (gone.equals(fabric)) {
            return gone + ", the shared folder: no new peer meets this process, and no link is added or resumed";
        }
        return gone + (gone.equals(folder.path())
            ? ", the folder of this process: no new peer meets it, and no link is added or resumed"
            : ", the lock that says that this process lives: new peers take it for dead");
    }

    /** Set-up: ensures that the folder is there, and makes it anew when it is not. */
    void ensureFolder() {
        final Path missing = folder.missing();
        if (missing != null) {
            untold = describe(missing);
            restore();
        }
    }

    /** Make anew what is gone. */
    synchronized void restore() {
        IOException failure = null;
        try {
            folder.restoreFabric();
            try (FabricLock _ = FabricLock.acquire(environment, fabric, CALL)) {
                folder.restore();
                for (final List<NamedFiles> kind : objects.values()) {
                    for (final NamedFiles object : kind) {
                        failure = attempt(object, failure);
                    }
                }
            }
        } catch (final IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw SystemRefusal.of(
                CALL, UNKNOWN_ERRNO, "cannot make anew what was removed from " + fabric, failure);
        }
    }

    /** Notes that a completion queue's file was replaced: from now on the device's duty looks at such files. */
    void replacedQueue() {
        hasReplacedQueues = true;
    }

    boolean hasReplacedQueues() {
        return hasReplacedQueues;
    }

    private static IOException attempt(final NamedFiles object, final IOException earlier) {
        try {
            object.restoreFiles();
        } catch (final IOException e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
        }
        return earlier;
    }
}
