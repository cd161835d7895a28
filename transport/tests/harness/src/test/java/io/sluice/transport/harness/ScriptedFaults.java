package io.sluice.transport.harness;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Faults that a test arms from outside, one at a time, and that say when they happen.
 */
final class ScriptedFaults extends FaultHook {
    /**
     * The kinds of faults.
     */
    private enum Fault {
        NONE,
        /** Fail the first data write when so many bytes of data were posted. */
        FAIL,
        /** Fail every n-th data write. */
        FAIL_EACH,
        /** Fail every n-th write of feedback. */
        FAIL_FEEDBACK,
        /** Hold the thread that posts the first data write after so many bytes, half-way through the copy. */
        HOLD_COPY,
        /** Hold it inside the completion entry. */
        HOLD_COMPLETION,
        /** Hold the next thread that writes feedback, half-way through the copy. */
        HOLD_FEEDBACK,
        /** Hold the next thread that sends a control message, inside the completion entry. */
        HOLD_CONTROL,
        /** Every data write is copied in two halves. */
        SPLIT_ALL
    }

    private final Path journals;
    private final AtomicLong bytesPosted = new AtomicLong();
    private final AtomicLong writesPosted = new AtomicLong();
    private final AtomicLong feedbackWrites = new AtomicLong();
    private final AtomicLong fired = new AtomicLong();
    private final OneStrike strike = new OneStrike();
    private volatile Fault fault = Fault.NONE;
    private volatile Line armed;
    private volatile long threshold;
    private volatile long heldRequest;
    private volatile boolean isReleased;

    ScriptedFaults(final Path journals) {
        this.journals = journals;
    }

    /**
     * {@code fault kind=fail after-bytes=n}, {@code kind=fail-each writes=n}, {@code kind=hold-copy}, ...; or
     * {@code kind=strike}, see {@link OneStrike}. With {@code from=p to=s session=n} each operation that fails tells
     * what was in flight from a publisher to a subscriber.
     */
    void arm(final Line command) {
        if (command.text("kind").equals("strike")) {
            strike.arm(command);
            return;
        }
        threshold = command.number("after-bytes", command.number("writes", 0));
        isReleased = false;
        heldRequest = 0;
        armed = command;
        fault = Fault.valueOf(command.text("kind").toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    void release() {
        fault = Fault.NONE;
        isReleased = true;
    }

    String describe() {
        return "bytes=" + bytesPosted.get() + " writes=" + writesPosted.get() + " fired=" + fired.get();
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation operation,
        final long workRequestId,
        final int length,
        final int immediate) {
        final int struck = strike.decide(queuePairNumber, operation);
        if (struck != PASS) {
            return struck;
        } else if (operation == Operation.WRITE_WITH_IMMEDIATE) {
            return onData(workRequestId, length);
        } else if (operation == Operation.WRITE) {
            return onFeedback(workRequestId, length);
        } else if (operation == Operation.SEND && fault == Fault.HOLD_CONTROL) {
            heldRequest = workRequestId;
        }
        return PASS;
    }

    private int onFeedback(final long workRequestId, final int length) {
        final long writes = feedbackWrites.incrementAndGet();
        if (fault == Fault.FAIL_FEEDBACK && writes % threshold == 0) {
            return fail(writes, length);
        }
        return fault == Fault.HOLD_FEEDBACK ? hold(workRequestId, SPLIT) : PASS;
    }

    private int onData(final long workRequestId, final int length) {
        final long bytes = bytesPosted.get();
        final long writes = writesPosted.incrementAndGet();
        final int verdict = switch (fault) {
            case FAIL -> bytes >= threshold ? failOnce(bytes, length) : PASS;
            case FAIL_EACH -> writes % threshold == 0 ? fail(bytes, length) : PASS;
            case HOLD_COPY -> bytes >= threshold ? hold(workRequestId, SPLIT) : PASS;
            case HOLD_COMPLETION -> bytes >= threshold ? hold(workRequestId, PASS) : PASS;
            case SPLIT_ALL -> SPLIT;
            default -> PASS;
        };
        if (verdict <= PASS) {
            bytesPosted.addAndGet(length);
        }
        return verdict;
    }

    private int failOnce(final long bytes, final int length) {
        fault = Fault.NONE;
        return fail(bytes, length);
    }

    private int fail(final long bytes, final int length) {
        fired.incrementAndGet();
        PeerMain.say("FIRED fault=fail posted=" + bytes + " length=" + length + " in-flight=" + inFlight());
        return fail(WorkStatus.RETRY_EXC_ERR);
    }

    /** Bytes in flight by the journals of both: 0 when they were not asked for. */
    private long inFlight() {
        final Line pair = armed;
        return pair.text("from", "").isEmpty() ? 0
            : InFlight.bytes(journals, pair.text("from"), pair.text("to"), pair.intNumber("session"));
    }

    private int hold(final long workRequestId, final int verdict) {
        heldRequest = workRequestId;
        return verdict;
    }

    @Override
    public void insideCopy(final int queuePairNumber, final long workRequestId, final int copied, final int length) {
        if (fault == Fault.SPLIT_ALL) {
            fired.incrementAndGet();
        }
        if ((fault == Fault.HOLD_COPY || fault == Fault.HOLD_FEEDBACK) && workRequestId == heldRequest) {
            stay("copy", copied, length);
        }
    }

    @Override
    public void insideCompletion(final int queuePairNumber, final long workRequestId) {
        if ((fault == Fault.HOLD_COMPLETION || fault == Fault.HOLD_CONTROL) && workRequestId == heldRequest) {
            stay("completion", 0, 0);
        }
    }

    private void stay(final String where, final int copied, final int length) {
        fault = Fault.NONE;
        fired.incrementAndGet();
        PeerMain.say("HELD where=" + where + " posted=" + bytesPosted + " copied=" + copied + " length=" + length);
        while (!isReleased) {
            Thread.onSpinWait();
        }
        PeerMain.say("LET-GO where=" + where);
    }
}
