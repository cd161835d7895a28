package io.sluice.transport.simulation;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
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
    /** Control messages are few: faults that broke each connection once a second would leave no time to resume. */
    private static final int CONTROL_FACTOR = 4;

    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Scenario scenario;
    private final Trace trace;
    private final String name;
    private final Map<Integer, Long> droppedUntilNs = new HashMap<>();
    private final boolean losesWrites;
    private boolean off;

    SeededFaults(
        final SimulatedMachine machine,
        final SplittableRandom random,
        final Scenario scenario,
        final Trace trace,
        final String name,
        final boolean losesWrites) {
        this.machine = machine;
        this.random = random;
        this.scenario = scenario;
        this.trace = trace;
        this.name = name;
        this.losesWrites = losesWrites;
    }

    void off() {
        off = true;
    }

    @Override
    public int onOperation(
        final int queuePairNumber,
        final Operation operation,
        final long workRequestId,
        final int length,
        final int immediate) {
        final int verdict = off ? PASS : decide(queuePairNumber, operation);
        trace.event(machine.nowNs(), name + " queue pair " + queuePairNumber, operation.name(), length, verdict);
        return verdict;
    }

    private int decide(final int queuePairNumber, final Operation operation) {
        if (losesWrites && operation == Operation.WRITE_WITH_IMMEDIATE && oneIn(LOST_ONE_IN)) {
            return DROP;
        }
        final Long untilNs = droppedUntilNs.get(queuePairNumber);
        if (untilNs != null) {
            if (machine.nowNs() < untilNs) {
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
                droppedUntilNs.put(queuePairNumber, machine.nowNs() + 1 + random.nextInt(RETRIES_MAX_NS));
                return DEFER;
            }
        }
        return oneIn(scenario.deferOneIn()) ? DEFER : oneIn(SPLIT_ONE_IN) ? SPLIT : PASS;
    }

    private boolean oneIn(final int count) {
        return count > 0 && random.nextInt(count) == 0;
    }
}
