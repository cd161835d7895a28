package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/** The wire of a device with a fault hook. */
final class HookedWire extends Wire {
    private static final FaultHook.Operation[] OPERATIONS = FaultHook.Operation.values();

    private final FaultHook hook;
    private final int queuePairNumber;
    private boolean isSplit;

    HookedWire(final FaultHook hook, final int queuePairNumber) {
        this.hook = hook;
        this.queuePairNumber = queuePairNumber;
    }

    @Override
    int decide(final int operation, final long workRequestId, final int length, final int immediate) {
        final int verdict = hook.onOperation(queuePairNumber, OPERATIONS[operation], workRequestId, length, immediate);
        isSplit = verdict == FaultHook.SPLIT;
        return isSplit ? FaultHook.PASS : verdict;
    }

    @Override
    void copy(final long workRequestId, final long source, final long target, final int length) {
        if (isSplit) {
            final int half = length / 2;
            DirectWire.copy(source, target, half);
            hook.insideCopy(queuePairNumber, workRequestId, half, length);
            DirectWire.copy(source + half, target + half, length - half);
        } else {
            DirectWire.copy(source, target, length);
        }
    }

    @Override
    void skipCopy(final long workRequestId, final int length) {
        if (isSplit) {
            hook.insideCopy(queuePairNumber, workRequestId, length / 2, length);
        }
    }

    @Override
    void complete(final long workRequestId, final long entry, final long body, final long seal) {
        UnsafeApi.putLong(entry, body);
        hook.insideCompletion(queuePairNumber, workRequestId);
        UnsafeApi.putLongRelease(null, entry + QueuePairLayout.SEAL_OFFSET, seal);
    }
}
