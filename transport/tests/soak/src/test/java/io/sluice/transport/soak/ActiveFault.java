package io.sluice.transport.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A fault that has struck: what is still to be done about it and waited for, step by step, without ever blocking, since
 * others are at work meanwhile. The soak's thread.
 */
final class ActiveFault {
    private final ScheduledFault fault;
    private final List<SoakPlace> places;
    private final Deque<BooleanSupplier> steps = new ArrayDeque<>();
    private final long beganNs = System.nanoTime();
    private long outageFromNs = beganNs;
    private Long outageToNs;
    private long inFlight;
    private Watch.Recovery recovery;

    ActiveFault(final ScheduledFault fault, final List<SoakPlace> places) {
        this.fault = fault;
        this.places = places;
        places.forEach(place -> place.hit(true));
    }

    ScheduledFault fault() {
        return fault;
    }

    /** Bytes that it found in flight, at least. */
    long inFlight() {
        return inFlight;
    }

    void inFlight(final long bytes) {
        inFlight = bytes;
    }

    /** Counts the fault as an outage from here on. */
    void outageBegins() {
        outageFromNs = System.nanoTime();
    }

    /** A stranger was refused: it ends here, and not when everybody has gone on, since nobody was held up. */
    void outageEnds() {
        outageToNs = System.nanoTime();
    }

    /** The outcome of the outage when it ended. */
    String outcome() {
        return outageToNs == null ? "all go on" : "refused";
    }

    /** The time from the fault until everybody had gone on, or until it ended, when it is over. */
    long outageNs() {
        return (outageToNs == null ? System.nanoTime() : outageToNs) - outageFromNs;
    }

    /** Next, wait for something. */
    ActiveFault thenAwait(final BooleanSupplier isDone) {
        steps.add(isDone);
        return this;
    }

    /** Next, do something. */
    ActiveFault then(final Runnable action) {
        return thenAwait(() -> {
            action.run();
            return true;
        });
    }

    /** Wait as long as the fault lasts. */
    ActiveFault thenWait() {
        return thenAwait(() -> System.nanoTime() - outageFromNs >= TimeUnit.MILLISECONDS.toNanos(fault.forMs()));
    }

    /** Wait until everybody has what is offered from then on. */
    ActiveFault thenRecover(final Watch watch) {
        return then(() -> recovery = watch.recovery()).thenAwait(() -> recovery.isOver());
    }

    /** Do what can be done now; true when it is over. */
    boolean isOver() {
        while (!steps.isEmpty()) {
            if (!steps.peek().getAsBoolean()) {
                return false;
            }
            steps.remove();
        }
        places.forEach(place -> place.hit(false));
        return true;
    }

    boolean isLate(final long patienceSeconds) {
        return System.nanoTime() - beganNs > TimeUnit.SECONDS.toNanos(patienceSeconds);
    }

    @Override
    public String toString() {
        return fault + " steps left=" + steps.size() + (recovery == null ? "" : "\n" + recovery.describe());
    }
}
