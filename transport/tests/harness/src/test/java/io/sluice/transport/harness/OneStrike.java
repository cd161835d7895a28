package io.sluice.transport.harness;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.software.FaultHook;
import io.sluice.verbs.software.FaultHook.Operation;
import java.util.concurrent.TimeUnit;

/**
 * One fault of one operation of a child's device, on whichever queue pair posts the next one of its kind: it fails; or
 * it is dropped, which on a reliable connection means that it is held, with everything behind it, until its retries are
 * exhausted, and then fails; or it is delayed, held likewise, and then carried out. Posting threads; any other arms.
 */
final class OneStrike {
    private static final int NO_QUEUE_PAIR = -1;

    private Operation target;
    private long holdNs;
    private boolean fails;
    private int heldQueuePair = NO_QUEUE_PAIR;
    private long untilNs;
    private volatile boolean isActive;

    /** {@code fault kind=strike operation=data|feedback|control ends=fails|passes hold-ms=n}. */
    synchronized void arm(final Line command) {
        target = switch (command.text("operation")) {
            case "data" -> Operation.WRITE_WITH_IMMEDIATE;
            case "feedback" -> Operation.WRITE;
            case "control" -> Operation.SEND;
            default -> throw new IllegalArgumentException("unknown operation: " + command);
        };
        fails = command.text("ends").equals("fails");
        holdNs = TimeUnit.MILLISECONDS.toNanos(command.number("hold-ms", 0));
        heldQueuePair = NO_QUEUE_PAIR;
        isActive = true;
    }

    /** Decide what is to become of an operation; for a held queue pair this is asked again. */
    int decide(final int queuePairNumber, final Operation operation) {
        return isActive ? decideNow(queuePairNumber, operation) : FaultHook.PASS;
    }

    private synchronized int decideNow(final int queuePairNumber, final Operation operation) {
        if (!isActive || heldQueuePair != NO_QUEUE_PAIR && heldQueuePair != queuePairNumber) {
            return FaultHook.PASS;
        }
        if (heldQueuePair == NO_QUEUE_PAIR) {
            if (operation != target) {
                return FaultHook.PASS;
            }
            heldQueuePair = queuePairNumber;
            untilNs = System.nanoTime() + holdNs;
            PeerMain.say("STRUCK operation=" + operation);
        }
        if (System.nanoTime() - untilNs < 0) {
            return FaultHook.DEFER;
        }
        isActive = false;
        return fails ? FaultHook.fail(WorkStatus.RETRY_EXC_ERR) : FaultHook.PASS;
    }
}
