package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Waits until no thread can be using memory that is about to be unmapped.
 * <p>
 * A post or poll sets a plain guard field, then looks whether its object still lives; closing marks the object closed,
 * makes all threads pass a fence, then waits until the guard is clear. So a thread either sees the mark or is seen.
 * Whoever enters after the fence does the memory no harm: each guard is awaited by itself, since of many that are in
 * use there may be one set at any moment.
 */
final class Quiescence {
    /** The number of looks before the core is given away: a post or poll takes far less than a microsecond. */
    private static final int SPINS = 1000;
    /** Time between two looks after that. */
    private static final long PARK_NS = 50_000;
    /** Bounds the wait where neither parking nor the clock moves; an interrupted thread parks for no time, too. */
    private static final long MAX_PARKS = 10_000_000;

    private final Environment environment;

    Quiescence(final Environment environment) {
        this.environment = environment;
    }

    /**
     * Wait; the object must be marked closed.
     *
     * @param guards each says whether it is set.
     * @return false when a thread did not leave in time: the memory must be abandoned to it.
     */
    boolean await(final List<BooleanSupplier> guards) {
        environment.fenceAllThreads();
        final long startNs = environment.nanoTime();
        for (final BooleanSupplier isBusy : guards) {
            if (!awaitClear(isBusy, startNs)) {
                return false;
            }
        }
        return true;
    }

    private boolean awaitClear(final BooleanSupplier isBusy, final long startNs) {
        for (int i = 0; i < SPINS; i++) {
            if (!isBusy.getAsBoolean()) {
                return true;
            }
        }
        for (long i = 0; i < MAX_PARKS; i++) {
            environment.park(PARK_NS);
            if (!isBusy.getAsBoolean()) {
                return true;
            }
            if (environment.nanoTime() - startNs >= SoftwareLimits.QUIESCE_TIMEOUT_NS) {
                break;
            }
        }
        return false;
    }
}
