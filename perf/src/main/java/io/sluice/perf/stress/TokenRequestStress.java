package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The conductor asks for the token in the middle of offers, by lease, fence and snapshot: the writing thread, which
 * holds it without any atomic instruction, must never post at the same time.
 */
@JCStressTest
@State
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "everything was posted once, in order, by one at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted twice, out of order, by two at a time, or never")
public class TokenRequestStress {
    private static final int MESSAGES = 4;

    private final PostingLog log = new PostingLog(true);

    /** A state for jcstress. */
    public TokenRequestStress() {
    }

    @Actor
    public void writer() {
        log.offer(MESSAGES);
    }

    @Actor
    public void conductor() {
        log.takeToken();
    }

    @Arbiter
    public void judge(final I_Result spoiled) {
        spoiled.r1 = log.spoiled(MESSAGES);
    }
}
