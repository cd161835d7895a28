package io.sluice.verbs.software;

import io.sluice.environment.LockWatch;

/** A process that queue pairs of this device are connected to. It lives as long as it holds its folder's lock. */
final class PeerProcess {
    private final String folder;
    private final LockWatch lock;
    private volatile boolean isGone;
    private int users;

    PeerProcess(final String folder, final LockWatch lock) {
        this.folder = folder;
        this.lock = lock;
    }

    String folder() {
        return folder;
    }

    LockWatch lock() {
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
