package io.sluice.transport.simulation;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Draws the fate of every operation of one device from the seed. A dropped operation is one that never arrives: it is
 * held, with everything behind it, until its retries are exhausted, and then fails, as on a reliable connection.
 */
final class SeededFaults extends FaultHook {
    private static final int SPLIT_ONE_IN = 10;
    private static final int LOST_ONE_IN = 20;
    private static final int RETRIES_MAX_NS = 30_000_000;
    private static final String[] EVENTS = Arrays.stream(Operation.values())
        .map(operation -> operation + " queuePair={} length={}").toArray(String[]::new);
    /** Control messages are few: faults that broke each connection once a second would leave no time to resume. */
    private static final int CONTROL_FACTOR = 4;

    private final World world;
    private final SplittableRandom random;
    private final Scenario scenario;
    private final String name;
    private final Map<Integer, Long> droppedUntilNs = new HashMap<>();

    SeededFaults(final World world, final String name) {
        this.world = world;
        this.name = name;
        random = world.newRandom();
        scenario = world.scenario();
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation operation,
        final long workRequestId,
        final int length,
        final int immediate) {
        final int verdict = world.isCalm() ? PASS : decide(queuePairNumber, operation);
        world.trace().event(name, describe(operation, verdict), queuePairNumber, length);
        return verdict;
    }

    private static String describe(final Operation operation, final int verdict) {
        return switch (verdict) {
            case PASS -> EVENTS[operation.ordinal()];
            case DROP -> EVENTS[operation.ordinal()] + ": dropped";
            case DEFER -> EVENTS[operation.ordinal()] + ": deferred";
            case SPLIT -> EVENTS[operation.ordinal()] + ": in two halves";
            default -> EVENTS[operation.ordinal()] + ": fails";
        };
    }

    private int decide(final int queuePairNumber, final Operation operation) {
        if (world.mistake() == Mistake.LOST_WRITE && operation == Operation.WRITE_WITH_IMMEDIATE
            && oneIn(LOST_ONE_IN)) {
            return DROP;
        }
        final Long untilNs = droppedUntilNs.get(queuePairNumber);
        if (untilNs != null) {
            if (world.machine().nowNs() < untilNs) {
                return DEFER;
            }
            droppedUntilNs.remove(queuePairNumber);
            return fail(WorkStatus.RETRY_EXC_ERR);
        }
        final boolean isControl = operation == Operation.SEND;
        if (!isControl || scenario.failControl()) {
            final int factor = isControl ? CONTROL_FACTOR : 1;
            if (oneIn(scenario.failOneIn() * factor)) {
                return fail(WorkStatus.RETRY_EXC_ERR);
            }
            if (oneIn(scenario.dropOneIn() * factor)) {
                droppedUntilNs.put(queuePairNumber, world.machine().nowNs() + 1 + random.nextInt(RETRIES_MAX_NS));
                return DEFER;
            }
        }
        return oneIn(scenario.deferOneIn()) ? DEFER : oneIn(SPLIT_ONE_IN) ? SPLIT : PASS;
    }

    private boolean oneIn(final int count) {
        return count > 0 && random.nextInt(count) == 0;
    }
}
