package io.sluice.transport.model;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.SplittableRandom;

/**
 * Defers, splits and fails operations at random.
 */
final class RandomFaults extends FaultHook {
    private static final int DEFER_ONE_IN = 20;
    private static final int SPLIT_ONE_IN = 20;

    private final SplittableRandom random;
    private int failOneIn;
    private long failures;
    private long deferrals;

    RandomFaults(final SplittableRandom random) {
        this.random = random;
    }

    /** Fail one in so many operations from now on; 0 fails none. */
    void failOneIn(final int operations) {
        failOneIn = operations;
    }

    long failures() {
        return failures;
    }

    long deferrals() {
        return deferrals;
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation operation,
        final long workRequestId,
        final int length,
        final int immediate) {
        if (failOneIn > 0 && random.nextInt(failOneIn) == 0) {
            failures++;
            return fail(WorkStatus.RETRY_EXC_ERR);
        }
        if (random.nextInt(DEFER_ONE_IN) == 0) {
            deferrals++;
            return DEFER;
        }
        return random.nextInt(SPLIT_ONE_IN) == 0 ? SPLIT : PASS;
    }
}
