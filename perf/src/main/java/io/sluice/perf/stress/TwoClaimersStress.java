package io.sluice.perf.stress;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.ConcurrentClaims;
import io.sluice.transport.send.SendLog;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads claim just before the ring's end, where whoever is first claims the padding, too; there is room for both
 * and for no third.
 */
@JCStressTest
@State
@Outcome(id = "256, 352, 448", expect = Expect.ACCEPTABLE, desc = "the first was first")
@Outcome(id = "352, 256, 448", expect = Expect.ACCEPTABLE, desc = "the second was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "two claims overlap, or the tail does not pass both")
public class TwoClaimersStress {
    private static final int WINDOW_LENGTH = 256;
    private static final long BEGIN = 192;
    private static final int FRAME_LENGTH = 96;
    private static final long LIMIT = BEGIN + WINDOW_LENGTH;

    private final SendLog log = new SendLog(new HeapRegion(WINDOW_LENGTH), BEGIN, 0);
    private final ConcurrentClaims claims = new ConcurrentClaims(log);

    /** A state for jcstress. */
    public TwoClaimersStress() {
    }

    @Actor
    public void first(final III_Result result) {
        result.r1 = (int) claimAndCommit();
    }

    @Actor
    public void second(final III_Result result) {
        result.r2 = (int) claimAndCommit();
    }

    private long claimAndCommit() {
        final long position = claims.claim(FRAME_LENGTH, LIMIT);
        return position >= 0 && claims.commit(position, FRAME_LENGTH, 0) ? position : -1;
    }

    @Arbiter
    public void judge(final III_Result result) {
        claims.advance();
        final boolean isThirdRefused = claims.offer(FrameDescriptor.HEADER_LENGTH, LIMIT) == SendLog.OVER_LIMIT;
        result.r3 = isThirdRefused && log.messages() == 2 ? (int) log.tail() : -1;
    }
}
