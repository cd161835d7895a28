package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The writing thread runs out of credit and leaves its tail to the conductor, which posts it as credit comes, while the
 * writing thread goes on and takes the token back.
 */
@JCStressTest
@State
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "everything was posted once, in order, by one at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted twice, out of order, by two at a time, or never")
public class TailHandOverStress {
    private static final int MESSAGES = 5;
    private static final int FLUSHES = 4;

    private final PostingLog log = new PostingLog(false);

    /** A state for jcstress. */
    public TailHandOverStress() {
    }

    @Actor
    public void writer() {
        log.offer(MESSAGES);
    }

    @Actor
    public void conductor() {
        for (int i = 0; i < FLUSHES; i++) {
            log.drain();
            log.flush();
        }
    }

    @Arbiter
    public void judge(final I_Result spoiled) {
        spoiled.r1 = log.spoiled(MESSAGES);
    }
}
