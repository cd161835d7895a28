package io.sluice.perf.stress;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.ConcurrentClaims;
import io.sluice.transport.send.SendLog;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A claim is given up in the moment in which it is committed: one of the two wins, and both know which.
 */
@JCStressTest
@State
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the commit won, and its message is there")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "it was given up, and is padding")
@Outcome(expect = Expect.FORBIDDEN, desc = "both won, or none, or the frame is another one")
public class UnblockCommitStress {
    private static final int WINDOW_LENGTH = 256;
    private static final int FRAME_LENGTH = 32;
    private static final long RESERVED_VALUE = 0x1122_3344_5566_7788L;

    private final SendLog log = new SendLog(new HeapRegion(WINDOW_LENGTH), 0, 0);
    private final ConcurrentClaims claims = new ConcurrentClaims(log);
    private final long position = claims.claim(FRAME_LENGTH, WINDOW_LENGTH);

    /** A state for jcstress. */
    public UnblockCommitStress() {
    }

    @Actor
    public void writer(final III_Result result) {
        result.r1 = claims.commit(position, FRAME_LENGTH, RESERVED_VALUE) ? 1 : 0;
    }

    @Actor
    public void conductor(final III_Result result) {
        result.r2 = claims.giveUpAll(position, claims.end());
    }

    @Arbiter
    public void judge(final III_Result result) {
        claims.advance();
        final UnsafeBuffer buffer = log.buffer();
        final int type = FrameDescriptor.typeOf(buffer.getLong(0));
        final boolean isWhole = log.tail() == FRAME_LENGTH && log.messages() == type
            && (type == FrameDescriptor.PADDING_TYPE
            || buffer.getLong(FrameDescriptor.RESERVED_VALUE_OFFSET) == RESERVED_VALUE);
        result.r3 = isWhole ? type : -1;
    }
}
