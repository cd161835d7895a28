package io.sluice.perf.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Frames that are claimed, copied and committed at once, over three laps of a two-frame log outside the heap, against
 * a reader that scans it.
 */
@JCStressTest
@State
@Outcome(id = "[0-6]", expect = Expect.ACCEPTABLE, desc = "every frame that was seen was whole and of its lap")
@Outcome(expect = Expect.FORBIDDEN, desc = "a stale or torn frame was seen")
public class AppendScanStress {
    private final TwoFrameLog log = TwoFrameLog.offHeap();

    /** A state for jcstress. */
    public AppendScanStress() {
    }

    @Actor
    public void writer() {
        log.append();
    }

    @Actor
    public void reader(final I_Result framesSeen) {
        framesSeen.r1 = log.read(false);
    }
}
