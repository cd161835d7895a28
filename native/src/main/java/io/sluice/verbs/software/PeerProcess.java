package io.sluice.verbs.software;

import java.nio.file.Path;

/** A process that queue pairs of this device are connected to. It lives as long as it holds its folder's lock. */
final class PeerProcess {
    private final String folder;
    private final Path lock;
    private volatile boolean isGone;
    private int users;

    PeerProcess(final String folder, final Path lock) {
        this.folder = folder;
        this.lock = lock;
    }

    String folder() {
        return folder;
    }

    Path lock() {
        return lock;
    }

    boolean isGone() {
        return isGone;
    }

    void markGone() {
        isGone = true;
    }

    /** Change the number of queue pairs connected to it, under the device's lock; returns the new number. */
    int addUsers(final int count) {
        users += count;
        return users;
    }
}
