package io.sluice.verbs.software;

import io.sluice.environment.SharedFiles;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notices that something of the device was removed by somebody else, and makes it anew: its folder and lock file, the
 * sockets and entries of its listeners, the sockets of its channels, the files of its completion queues. What is mapped
 * lives on without a name, so that connections that there are do not notice. The files of a queue pair are read once,
 * when it is connected; a region whose file is gone cannot be reached by queue pairs that are connected later. Any
 * thread may call.
 */
final class RemovedFiles {
    private static final String CALL = "ibv_open_device";

    private final SoftwareDevice device;
    private final SharedFiles files;
    private final List<SoftwareListener> listeners = new CopyOnWriteArrayList<>();
    private final List<SoftwareCompletionChannel> channels = new CopyOnWriteArrayList<>();
    private volatile String untold;
    private volatile boolean isRestoring;

    RemovedFiles(final SoftwareDevice device) {
        this.device = device;
        files = device.environment().files();
    }

    void add(final SoftwareListener listener) {
        listeners.add(listener);
    }

    void remove(final SoftwareListener listener) {
        listeners.remove(listener);
    }

    void add(final SoftwareCompletionChannel channel) {
        channels.add(channel);
    }

    void remove(final SoftwareCompletionChannel channel) {
        channels.remove(channel);
    }

    /** Find a path that is gone, or was and has not been told; null when nothing is. */
    String missing() {
        final String earlier = untold;
        if (earlier != null) {
            untold = null;
            return earlier;
        }
        return isRestoring ? null : find();
    }

    private String find() {
        final Path folder = device.folder().missing();
        if (folder != null) {
            return folder.toString();
        }
        for (final SoftwareListener listener : listeners) {
            final String missing = listener.missing();
            // who closes leaves here first, and then removes its files
            if (missing != null && listeners.contains(listener)) {
                return missing;
            }
        }
        for (final SoftwareCompletionChannel channel : channels) {
            final String missing = channel.missing();
            if (missing != null && channels.contains(channel)) {
                return missing;
            }
        }
        for (final SoftwareCompletionQueue queue : device.objects().completionQueues()) {
            final Path file = file(queue);
            if (!files.exists(file) && !queue.isClosed()) {
                return file.toString();
            }
        }
        return null;
    }

    private Path file(final SoftwareCompletionQueue queue) {
        return device.folder().resolve(FabricNames.completionQueue(queue.number()));
    }

    /** Set-up: the folder is there, and is made anew first when it is not. */
    void ensureFolder() {
        final Path missing = device.folder().missing();
        if (missing != null) {
            untold = missing.toString();
            restore();
        }
    }

    /** Make anew what is gone. */
    synchronized void restore() {
        isRestoring = true;
        IOException failure = null;
        try {
            device.folder().restoreFabric();
            try (FabricLock _ = FabricLock.acquire(device.environment(), device.fabric(), CALL)) {
                device.folder().restore();
                for (final SoftwareListener listener : listeners) {
                    failure = attempt(listener::restoreFiles, failure);
                }
                for (final SoftwareCompletionChannel channel : channels) {
                    failure = attempt(channel::restore, failure);
                }
                for (final SoftwareCompletionQueue queue : device.objects().completionQueues()) {
                    failure = attempt(() -> restore(queue), failure);
                }
            }
        } catch (final IOException e) {
            failure = failure == null ? e : failure;
        } finally {
            isRestoring = false;
        }
        if (failure != null) {
            throw new VerbsException(CALL, Errno.EACCES,
                "cannot make anew what was removed from " + device.fabric() + ": " + failure.getMessage(), failure);
        }
    }

    private void restore(final SoftwareCompletionQueue queue) throws IOException {
        final Path file = file(queue);
        if (!files.exists(file)) {
            queue.relay(files.create(file, CompletionQueueLayout.LENGTH));
        }
    }

    private static IOException attempt(final Step step, final IOException earlier) {
        try {
            step.run();
        } catch (final IOException e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
        }
        return earlier;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
