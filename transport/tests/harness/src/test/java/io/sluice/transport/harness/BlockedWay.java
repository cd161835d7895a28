package io.sluice.transport.harness;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;

/**
 * A way on which every operation of one kind fails while it is blocked, and others, as those of control messages, pass.
 * Any thread.
 */
public final class BlockedWay extends FaultHook {
    private final Operation operation;
    private volatile boolean isBlocked;

    public BlockedWay(final Operation operation) {
        this.operation = operation;
    }

    public void block() {
        isBlocked = true;
    }

    public void unblock() {
        isBlocked = false;
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation attempted,
        final long workRequestId,
        final int length,
        final int immediate) {
        return isBlocked && attempted == operation ? fail(WorkStatus.REM_ACCESS_ERR) : PASS;
    }
}
