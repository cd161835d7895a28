package io.sluice.transport.harness;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks a link of a device when told to: the next write of data fails, of feedback, or a control message. Any thread.
 */
public final class FailNextWrite extends FaultHook {
    /** The side whose writes fail, or the kind of them. */
    public enum Target {
        /** The publication's. */
        DATA(Operation.WRITE_WITH_IMMEDIATE),
        /** The subscription's. */
        FEEDBACK(Operation.WRITE),
        /** A control message, whichever. */
        CONTROL(Operation.SEND);

        private final Operation operation;

        Target(final Operation operation) {
            this.operation = operation;
        }
    }

    private final Target target;
    private final int status;
    private final AtomicBoolean isArmed = new AtomicBoolean();
    private final AtomicInteger failed = new AtomicInteger();

    public FailNextWrite() {
        this(Target.DATA);
    }

    public FailNextWrite(final Target target) {
        this(target, WorkStatus.RETRY_EXC_ERR);
    }

    /** Writes that complete with a {@link WorkStatus}; a verbs device knows only that of a queue pair that failed. */
    public FailNextWrite(final Target target, final int status) {
        this.target = target;
        this.status = status;
    }

    public void arm() {
        isArmed.set(true);
    }

    /** Writes that have failed. */
    public int failed() {
        return failed.get();
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation operation,
        final long workRequestId,
        final int length,
        final int immediate) {
        if (operation == target.operation && isArmed.compareAndSet(true, false)) {
            failed.incrementAndGet();
            return fail(status);
        }
        return PASS;
    }
}
