package io.sluice.perf.stress;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.buffer.EntryGuard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * An application thread uses what it finds behind a guard while the conductor replaces and releases it: replace, fence
 * all threads, take a snapshot, and release once the application thread has been outside.
 */
@JCStressTest
@State
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was used was alive")
@Outcome(expect = Expect.FORBIDDEN, desc = "what was used was released while it was in use")
public class EntryGuardStress {
    private static final int ENTRIES = 4;
    /** Looks at a guard that its owner does not leave, so that the actor ends by itself. */
    private static final int LOOKS = 1000;

    private final EntryGuard guard = new EntryGuard();
    private final Resource old = new Resource();
    private volatile Resource current = old;

    /** A state for jcstress. */
    public EntryGuardStress() {
    }

    /** Memory that must not be touched once it is released. */
    private static final class Resource {
        private volatile boolean released;
    }

    @Actor
    public void application(final I_Result usedAfterRelease) {
        for (int i = 0; i < ENTRIES; i++) {
            guard.enter();
            final Resource used = current;
            // twice: it must stay alive from the first use to the last
            if (used.released | used.released) {
                usedAfterRelease.r1++;
            }
            guard.leave();
        }
    }

    @Actor
    public void conductor() {
        current = new Resource();
        SystemEnvironment.instance().fenceAllThreads();
        final long snapshot = guard.snapshot();
        for (int i = 0; i < LOOKS; i++) {
            if (guard.hasLeftSince(snapshot)) {
                old.released = true;
                return;
            }
        }
    }
}
