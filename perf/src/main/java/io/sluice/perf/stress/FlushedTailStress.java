package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The conductor posts a tail and gives the token back in the moment in which the writing thread has written one more
 * message and does not get the token: one of the two sees that it is there.
 */
@JCStressTest
@State
@Outcome(id = {"0, 1", "1, 0", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "all was posted, or somebody knows better")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "a message is left to nobody")
public class FlushedTailStress {
    private static final int MESSAGES = 3;

    private final PostingLog log = new PostingLog(false);
    private final int wakesBefore;

    /**
     * A state for jcstress: a message waits for credit, which has come, and the conductor has seen the writing thread.
     */
    public FlushedTailStress() {
        log.offer(MESSAGES - 1);
        log.flush();
        log.drain();
        wakesBefore = log.wakes();
    }

    @Actor
    public void writer() {
        log.offer(1);
    }

    @Actor
    public void conductor(final II_Result result) {
        result.r1 = log.flush() ? 1 : 0;
    }

    @Arbiter
    public void judge(final II_Result result) {
        result.r2 = log.unitsPosted() == MESSAGES || log.wakes() != wakesBefore ? 1 : 0;
    }
}
