package io.sluice.verbs.software;

import io.sluice.environment.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

    private final SoftwareDevice device;
    private final SharedFiles files;
    private final List<SoftwareListener> listeners = new CopyOnWriteArrayList<>();
    private final List<SoftwareCompletionChannel> channels = new CopyOnWriteArrayList<>();
    private volatile String untold;

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

    /** Find a path that is gone, or was and has not been told, and what that means; null when nothing is. */
    String missing() {
        final String earlier = untold;
        if (earlier != null) {
            untold = null;
            return earlier;
        }
        return find();
    }

    /** Not while it is made anew: what is half done would be told as gone, or as there. */
    private synchronized String find() {
        final Path folder = device.folder().missing();
        if (folder != null) {
            return describe(folder);
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
                return file + ", a completion queue: no link that completes there is added or resumed";
            }
        }
        for (final SoftwareProtectionDomain domain : device.removal().domains()) {
            final Path header = domain.missingHeader();
            if (header != null) {
                return header + ", a memory region: no link that uses it is resumed";
            }
        }
        return null;
    }

    private String describe(final Path folder) {
        if (folder.equals(device.fabric())) {
            return folder + ", the shared folder: no new peer meets this process, and no link is added or resumed";
        }
        return folder + (folder.equals(device.folder().path())
            ? ", the folder of this process: no new peer meets it, and no link is added or resumed"
            : ", the lock that says that this process lives: new peers take it for dead");
    }

    private Path file(final SoftwareCompletionQueue queue) {
        return device.folder().resolve(FabricNames.completionQueue(queue.number()));
    }

    /** Set-up: the folder is there, and is made anew first when it is not. */
    void ensureFolder() {
        final Path missing = device.folder().missing();
        if (missing != null) {
            untold = describe(missing);
            restore();
        }
    }

    /** Make anew what is gone. */
    synchronized void restore() {
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
                for (final SoftwareProtectionDomain domain : device.removal().domains()) {
                    failure = attempt(domain::restoreHeaders, failure);
                }
            }
        } catch (final IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw SystemRefusal.of(
                CALL, UNKNOWN_ERRNO, "cannot make anew what was removed from " + device.fabric(), failure);
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
