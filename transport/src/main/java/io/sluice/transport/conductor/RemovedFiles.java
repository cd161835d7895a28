package io.sluice.transport.conductor;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.counters.FailureKind;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Notices that somebody has removed what the transport has made in the shared folder: the folder, one of its files, a
 * socket or an entry. Looks and makes it anew on the set-up agent, which may block, and then tells what is gone, what
 * that means, and whether it was made anew: once, and again when that changes. Conductor only.
 */
public final class RemovedFiles {
    /**
     * The time between two looks: a few system calls each time, and a new transport misses this one for a second at
     * most.
     */
    static final long LOOK_INTERVAL_NS = 1_000_000_000L;

    /** The subject of what is told. */
    private static final String SUBJECT = "what this transport has in the shared folder";

    private static final String CAUSES = " What does that: systemd-logind with RemoveIPC=yes when the user's last login"
        + " ends (loginctl enable-linger, or a system user), a cleaner of temporary files (exclude the folder, see"
        + " tmpfiles.d(5)), a restarted pod or a script. Keep it from there, or choose another folder (sluice.dir)";

    /**
     * A maker of something in the shared folder.
     *
     * @param missing  names what is gone and tells what that means, else null; may block, on the set-up agent.
     * @param restore  makes it anew; may block, on the set-up agent.
     * @param restored begins to use what was made anew, if anything was.
     */
    private record Maker(Supplier<String> missing, Runnable restore, Runnable restored) {
    }

    private final Services services;
    private final Tasks tasks;
    private final Failures failures;
    private final List<Maker> makers = new ArrayList<>();
    private long nextLookNs;
    /**
     * Whether the set-up agent is looking; cleared by it where nothing is to be told: a conductor that rests is not
     * woken for that.
     */
    private volatile boolean isLooking;
    /** Whether something was missing at the last look. Set-up agent. */
    private boolean wasMissing;
    /** Whether something could not be made anew at the last look. */
    private boolean isFailing;

    RemovedFiles(final Services services) {
        this.services = services;
        tasks = services.tasks();
        failures = services.failures().inWordsOfSharedMemory();
        nextLookNs = services.nowNs() + LOOK_INTERVAL_NS;
    }

    /**
     * Look after what somebody has made; before the first look.
     *
     * @param missing  says what is missing, or nothing.
     * @param restore  makes the files anew.
     * @param restored run when they are there again.
     */
    public void add(final Supplier<String> missing, final Runnable restore, final Runnable restored) {
        makers.add(new Maker(missing, restore, restored));
    }

    void doWork(final long nowNs) {
        if (nowNs - nextLookNs >= 0 && !isLooking) {
            nextLookNs = nowNs + LOOK_INTERVAL_NS;
            isLooking = true;
            tasks.lookAround(this::look, this::onLookFailed);
        }
    }

    /** Looks for what is missing and makes it anew. Set-up agent. */
    private void look() {
        String missing = null;
        for (int i = 0; i < makers.size(); i++) {
            // all are asked: one may have been made anew by whoever needed it, and is told of once
            final String found = makers.get(i).missing().get();
            missing = missing == null ? found : found == null ? missing : missing + "; " + found;
        }
        if (missing == null && !wasMissing) {
            isLooking = false;
            return;
        }
        wasMissing = missing != null;
        final String gone = missing;
        final RuntimeException error = gone == null ? null : restore();
        tasks.execute(() -> onLooked(gone, error));
    }

    /** Makes everything anew; a maker that fails does not keep the others from theirs; null when none does. */
    private RuntimeException restore() {
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
        return first;
    }

    private void onLookFailed(final Throwable error) {
        isLooking = false;
        failures.report(ErrorKind.INTERNAL, "a task of the set-up agent has failed", error);
    }

    private void onLooked(final String missing, final RuntimeException error) {
        isLooking = false;
        if (missing != null) {
            // first, so that what is told is in the file of errors that was made anew
            makers.forEach(maker -> maker.restored().run());
        }
        if (error != null) {
            tellRemoved(FailureKind.of(error), missing,
                "It cannot be made anew, which is tried again each second: " + error.getMessage() + ".", error);
        } else if (isFailing) {
            failures.reportOnce(ErrorKind.STORAGE, "what somebody has removed from the shared folder was made anew"
                + (missing == null ? "" : ": path=" + missing));
        } else if (missing != null) {
            tellRemoved("anew " + missing, missing,
                "It was made anew, and what was not possible meanwhile is tried again.", null);
        }
        isFailing = error != null;
        if (missing == null) {
            failures.recovered(SUBJECT);
        }
    }

    private void tellRemoved(final String kind, final String missing, final String outcome, final Throwable cause) {
        failures.report(SUBJECT, kind, new TransportException(ErrorKind.STORAGE, "somebody has removed shared memory"
            + " that is in use: path=" + missing + ". Links that there are go on. " + outcome + CAUSES, cause));
    }
}
