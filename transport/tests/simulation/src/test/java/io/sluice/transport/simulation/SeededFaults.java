package io.sluice.transport.simulation;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Draws the fate of every operation of one device from the seed. A dropped operation is one that never arrives: it is
 * held, with everything behind it, until its retries are exhausted, and then fails, as on a reliable connection.
 */
final class SeededFaults extends FaultHook {
    private static final int SPLIT_ONE_IN = 10;
    private static final int LOST_ONE_IN = 20;
    private static final int RETRIES_MAX_NS = 30_000_000;
    private static final int DELAY_MAX_NS = 50_000_000;
    private static final Fault[] STATUSES =
        Arrays.stream(Fault.values()).filter(Fault::isStatus).toArray(Fault[]::new);
    private static final Fault[] OF_OPERATIONS =
        Arrays.stream(Fault.values()).filter(Fault::isOfOperation).toArray(Fault[]::new);
    private static final String[] EVENTS = Arrays.stream(Operation.values())
        .map(operation -> operation + " queuePair={} length={}").toArray(String[]::new);
    /** Control messages are few: faults that broke each connection once a second would leave no time to resume. */
    private static final int CONTROL_FACTOR = 4;
    private static final int PASSING_ONE_IN = 3;
    private static final int PASSING_DROP_ONE_IN = 6;
    private static final int PASSING_FEEDBACK_ONE_IN = 8;
    private static final int PASSING_CONTROL_ONE_IN = 8;
    /** One report in so many to closed publications is held: it may still be there when the link ends. */
    private static final int NEARLY_LAST_ONE_IN = 2;
    private static final int NEARLY_LAST_MAX_NS = 20_000_000;
    /**
     * The most faults in a run while links are being made or resumed: more could keep one from being resumed in time.
     */
    private static final int CONTROL_FAULTS_MAX = 3;
    /** The most faults of feedback of one device while links are being made, for the same reason. */
    private static final int FEEDBACK_FAULTS_MAX = 3;

    private final World world;
    private final SplittableRandom random;
    private final Scenario scenario;
    private final String name;
    private final Map<Integer, Long> droppedUntilNs = new HashMap<>();
    private final Map<Integer, Long> delayedUntilNs = new HashMap<>();
    private final Set<Integer> ending = new HashSet<>();
    private SimulatedProcess process;
    private long downUntilNs;
    private int feedbackFaults;
    private boolean isDownForLong;

    SeededFaults(final World world, final String name) {
        this.world = world;
        this.name = name;
        random = world.newRandom();
        scenario = world.scenario();
    }

    /** Set the process whose operations these are, once that is there. */
    void process(final SimulatedProcess newProcess) {
        process = newProcess;
    }

    /** Hold everything for a while; what was held then goes on, or fails. */
    void linkDown(final long durationNs, final boolean isForLong) {
        downUntilNs = world.machine().nowNs() + durationNs;
        isDownForLong = isForLong;
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
        if (operation == Operation.WRITE && isLastReport(queuePairNumber)) {
            return decideLastReport(queuePairNumber);
        }
        final int held = decideHeld(queuePairNumber);
        if (held != PASS) {
            return held;
        }
        if (operation == Operation.WRITE && isNearlyLastReport(queuePairNumber)) {
            strike(Fault.OPERATION_DELAYED, queuePairNumber, false);
            return hold(delayedUntilNs, queuePairNumber, NEARLY_LAST_MAX_NS);
        }
        return decideAnew(queuePairNumber, operation == Operation.SEND);
    }

    private int decideAnew(final int queuePairNumber, final boolean isControl) {
        if (!isControl || scenario.failControl() && mayControlFail()) {
            final int factor = isControl ? CONTROL_FACTOR : 1;
            final boolean isPassing = isPassing(queuePairNumber, isControl);
            if (isPassing && oneIn(PASSING_DROP_ONE_IN)) {
                strike(Fault.OPERATION_DROPPED, queuePairNumber, isControl);
                return hold(droppedUntilNs, queuePairNumber, RETRIES_MAX_NS);
            }
            if (isPassing || oneIn(scenario.failOneIn() * factor)) {
                final Fault fault = STATUSES[random.nextInt(STATUSES.length)];
                strike(fault, queuePairNumber, isControl);
                return fail(fault.status());
            }
            if (oneIn(scenario.dropOneIn() * factor)) {
                strike(Fault.OPERATION_DROPPED, queuePairNumber, isControl);
                return hold(droppedUntilNs, queuePairNumber, RETRIES_MAX_NS);
            }
        }
        if (oneIn(scenario.delayOneIn())) {
            strike(Fault.OPERATION_DELAYED, queuePairNumber, isControl);
            return hold(delayedUntilNs, queuePairNumber, DELAY_MAX_NS);
        }
        if (oneIn(scenario.deferOneIn())) {
            strike(Fault.OPERATION_DEFERRED, queuePairNumber, isControl);
            return DEFER;
        }
        return oneIn(SPLIT_ONE_IN) ? SPLIT : PASS;
    }

    private boolean isNearlyLastReport(final int queuePairNumber) {
        return scenario.failOneIn() > 0 && LinkEnd.isOfClosed(world, process, queuePairNumber)
            && oneIn(NEARLY_LAST_ONE_IN);
    }

    /** Whether a report is one of a link that ends: once for each link, for it is soon over. */
    private boolean isLastReport(final int queuePairNumber) {
        return scenario.failOneIn() > 0
            && LinkEnd.stateOf(world, process, queuePairNumber) == LinkEnd.State.SUBSCRIPTION_ENDING
            && ending.add(queuePairNumber);
    }

    /** Let anything become of a report at which nobody looks any more, whatever has held it until now. */
    private int decideLastReport(final int queuePairNumber) {
        droppedUntilNs.remove(queuePairNumber);
        delayedUntilNs.remove(queuePairNumber);
        final Fault fault = OF_OPERATIONS[random.nextInt(OF_OPERATIONS.length)];
        strike(fault, queuePairNumber, false);
        return switch (fault) {
            case OPERATION_DROPPED -> hold(droppedUntilNs, queuePairNumber, RETRIES_MAX_NS);
            case OPERATION_DELAYED -> hold(delayedUntilNs, queuePairNumber, DELAY_MAX_NS);
            case OPERATION_DEFERRED -> DEFER;
            default -> fail(fault.status());
        };
    }

    private boolean mayControlFail() {
        return world.controlFaults() < CONTROL_FAULTS_MAX || !LinkEnd.isAnyPassing(world, process);
    }

    /** States that are soon over would see no fault by chance. */
    private boolean isPassing(final int queuePairNumber, final boolean isControl) {
        if (scenario.failOneIn() == 0) {
            return false;
        }
        if (isControl) {
            return oneIn(PASSING_CONTROL_ONE_IN) && LinkEnd.isAnyPassing(world, process);
        }
        final LinkEnd.State state = LinkEnd.stateOf(world, process, queuePairNumber);
        if (state == LinkEnd.State.SUBSCRIPTION_ACCEPTED && feedbackFaults < FEEDBACK_FAULTS_MAX
            && oneIn(PASSING_FEEDBACK_ONE_IN)) {
            feedbackFaults++;
            return true;
        }
        return state == LinkEnd.State.PUBLICATION_JOINING && oneIn(PASSING_ONE_IN);
    }

    /** Hold an operation that was held before until its time has come. */
    private int decideHeld(final int queuePairNumber) {
        final long nowNs = world.machine().nowNs();
        final Long droppedNs = droppedUntilNs.get(queuePairNumber);
        if (droppedNs != null && nowNs >= droppedNs) {
            droppedUntilNs.remove(queuePairNumber);
            return fail(WorkStatus.RETRY_EXC_ERR);
        }
        if (droppedNs == null && nowNs < downUntilNs && isDownForLong) {
            droppedUntilNs.put(queuePairNumber, downUntilNs);
        }
        final Long delayedNs = delayedUntilNs.get(queuePairNumber);
        if (delayedNs != null && nowNs >= delayedNs) {
            delayedUntilNs.remove(queuePairNumber);
        }
        return droppedNs != null || nowNs < downUntilNs || delayedNs != null && nowNs < delayedNs ? DEFER : PASS;
    }

    private int hold(final Map<Integer, Long> untilNs, final int queuePairNumber, final int maxNs) {
        untilNs.put(queuePairNumber, world.machine().nowNs() + 1 + random.nextInt(maxNs));
        return DEFER;
    }

    private void strike(final Fault fault, final int queuePairNumber, final boolean isControl) {
        if (!isControl) {
            LinkEnd.strike(world, fault, process, queuePairNumber);
        } else if (fault.isStatus() || fault == Fault.OPERATION_DROPPED) {
            world.onControlFault();
            LinkEnd.strike(world, Fault.CONTROL_FAILED, process);
        }
    }

    private boolean oneIn(final int count) {
        return count > 0 && random.nextInt(count) == 0;
    }
}
