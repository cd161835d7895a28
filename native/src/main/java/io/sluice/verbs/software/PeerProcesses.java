package io.sluice.verbs.software;

import io.sluice.environment.LockWatch;
import io.sluice.environment.SharedFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The processes that a device's queue pairs are connected to. Any thread may call. */
final class PeerProcesses {
    private final SharedFiles files;
    private final Path fabric;
    private final String ownFolder;
    private final Map<String, PeerProcess> processes = new HashMap<>();

    PeerProcesses(final SharedFiles files, final Path fabric, final String ownFolder) {
        this.files = files;
        this.fabric = fabric;
        this.ownFolder = ownFolder;
    }

    synchronized PeerProcess join(final String folder) {
        final PeerProcess process = processes.computeIfAbsent(
            folder, name -> new PeerProcess(name, watch(name)));
        process.addUsers(1);
        return process;
    }

    synchronized void leave(final PeerProcess process) {
        if (process.addUsers(-1) == 0) {
            processes.remove(process.folder());
            process.lock().close();
        }
    }

    /** Whether a process has certainly died: one that is connected, or was, may have lost its folder, and live. */
    synchronized boolean isGone(final String folder) {
        final PeerProcess process = processes.get(folder);
        return process == null ? isFree(folder) : process.isGone() || !process.lock().isHeld();
    }

    /** Whether the lock of a process that nothing is connected to is there and free. */
    private boolean isFree(final String folder) {
        try (LockWatch lock = watch(folder)) {
            return files.exists(lock(folder)) && !lock.isHeld();
        }
    }

    private LockWatch watch(final String folder) {
        return files.watch(lock(folder), Long.parseLong(FabricNames.processIdOf(folder)));
    }

    private Path lock(final String folder) {
        return fabric.resolve(folder).resolve(FabricNames.LOCK);
    }

    /** Look which have died, of others than the device's own; returns how many. */
    synchronized int examine() {
        int died = 0;
        for (final PeerProcess process : processes.values()) {
            if (!process.isGone() && !process.folder().equals(ownFolder) && !process.lock().isHeld()) {
                process.markGone();
                died++;
            }
        }
        return died;
    }
}
