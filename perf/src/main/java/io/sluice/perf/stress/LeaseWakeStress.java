package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The writing thread takes the token back and leases it again, as there is no credit, while the conductor looks whether
 * it may go to sleep: it knows of the tail, or it is woken.
 */
@JCStressTest
@State
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the conductor knows that a tail waits, and comes back soon")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the conductor went to sleep, and was woken")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the conductor was woken without need")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "the conductor sleeps while a tail waits")
public class LeaseWakeStress {
    private static final int LOOKS = 8;

    private final PostingLog log = new PostingLog(false);
    private final int wakesBefore;

    /** A state for jcstress: the first message takes all credit, and with the second the conductor was woken. */
    public LeaseWakeStress() {
        log.offer(2);
        wakesBefore = log.wakes();
    }

    @Actor
    public void writer(final II_Result result) {
        log.offer(1);
        result.r2 = Math.min(1, log.wakes() - wakesBefore);
    }

    @Actor
    public void conductor(final II_Result result) {
        boolean isWaiting = true;
        for (int i = 0; i < LOOKS && isWaiting; i++) {
            isWaiting = log.flush();
        }
        result.r1 = isWaiting ? 1 : 0;
    }
}
