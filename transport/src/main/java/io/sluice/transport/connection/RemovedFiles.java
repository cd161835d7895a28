package io.sluice.transport.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Notices that somebody has removed what the transport has made in the shared folder: the folder, one of its files, a
 * socket or an entry. Tells it once, and has it made anew on the set-up agent, which may block. Conductor only.
 */
final class RemovedFiles {
    /**
     * How often is looked: a few system calls each time, and a new transport misses this one for a second at most.
     */
    static final long LOOK_INTERVAL_NS = 1_000_000_000L;

    /**
     * A maker of something in the shared folder.
     *
     * @param missing  names what is gone, else null; does not block.
     * @param restore  makes it anew; may block, on the set-up agent.
     * @param restored begins to use what was made anew, if anything was.
     */
    private record Maker(Supplier<String> missing, Runnable restore, Runnable restored) {
    }

    private final Conductor conductor;
    private final List<Maker> makers = new ArrayList<>();
    private long nextLookNs;
    private boolean isRestoring;
    private boolean isTold;
    private String failure;

    RemovedFiles(final Conductor conductor) {
        this.conductor = conductor;
        nextLookNs = conductor.nowNs() + LOOK_INTERVAL_NS;
    }

    /** Look after what somebody has made; before the first look. */
    void add(final Supplier<String> missing, final Runnable restore, final Runnable restored) {
        makers.add(new Maker(missing, restore, restored));
    }

    void doWork(final long nowNs) {
        if (nowNs - nextLookNs >= 0 && !isRestoring) {
            nextLookNs = nowNs + LOOK_INTERVAL_NS;
            look();
        }
    }

    private void look() {
        String missing = null;
        for (int i = 0; i < makers.size(); i++) {
            // all are asked: one may have been made anew by whoever needed it, and is told of once
            final String found = makers.get(i).missing().get();
            missing = missing == null ? found : missing;
        }
        if (missing == null) {
            isTold = false;
            failure = null;
            return;
        }
        isRestoring = true;
        final String path = missing;
        conductor.setUp(() -> {
            restore();
            conductor.execute(() -> onRestored(path));
        }, error -> onFailed(path, error));
    }

    /** One that fails does not keep the others from theirs. */
    private void restore() {
        RuntimeException first = null;
        for (final Maker maker : makers) {
            try {
                maker.restore().run();
            } catch (final RuntimeException ex) {
                if (first == null) {
                    first = ex;
                } else {
                    first.addSuppressed(ex);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** The removal is told now and not before, so that the file of errors that was made anew has it. */
    private void onRestored(final String path) {
        isRestoring = false;
        for (final Maker maker : makers) {
            maker.restored().run();
        }
        if (!isTold) {
            isTold = true;
            conductor.reportError("somebody has removed shared memory that is in use: path=" + path
                + ". It is made anew, and new peers meet this transport again within seconds; links that there were go"
                + " on, but cannot be resumed when they break. What does that: systemd-logind with RemoveIPC=yes when"
                + " the user's last login ends (loginctl enable-linger, or a system user), a cleaner of temporary"
                + " files (exclude the folder, see tmpfiles.d(5)), a restarted pod or a script. Keep it from there, or"
                + " choose another folder (sluice.dir)");
        }
    }

    /** Tried again at the next look; told once, and again when the reason is another one. */
    private void onFailed(final String path, final Throwable error) {
        onRestored(path);
        if (!String.valueOf(error.getMessage()).equals(failure)) {
            failure = String.valueOf(error.getMessage());
            conductor.reportError(error);
        }
    }
}
