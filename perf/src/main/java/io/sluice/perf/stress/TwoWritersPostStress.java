package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads claim, commit and post in one log, without anybody who comes after them: whoever finds the token held
 * leaves what it has committed to the holder, who must look again.
 */
@JCStressTest
@State
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "everything was posted once, in order, by one at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted twice, out of order, by two at a time, or never")
public class TwoWritersPostStress {
    private static final int MESSAGES = 3;

    private final SharedPostingLog log = new SharedPostingLog(true);

    /** A state for jcstress. */
    public TwoWritersPostStress() {
    }

    @Actor
    public void first() {
        log.offer(MESSAGES);
    }

    @Actor
    public void second() {
        log.offer(MESSAGES);
    }

    @Arbiter
    public void judge(final I_Result spoiled) {
        spoiled.r1 = log.spoiled(2 * MESSAGES);
    }
}
