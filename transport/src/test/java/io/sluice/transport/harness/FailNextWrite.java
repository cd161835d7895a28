package io.sluice.transport.harness;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks a link of a device when told to: the next write of data fails. Any thread.
 */
public final class FailNextWrite extends FaultHook {
    private final AtomicBoolean isArmed = new AtomicBoolean();
    private final AtomicInteger failed = new AtomicInteger();

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
        if (operation == Operation.WRITE_WITH_IMMEDIATE && isArmed.compareAndSet(true, false)) {
            failed.incrementAndGet();
            return fail(WorkStatus.RETRY_EXC_ERR);
        }
        return PASS;
    }
}
