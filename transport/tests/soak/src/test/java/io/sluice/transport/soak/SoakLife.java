package io.sluice.transport.soak;

import io.sluice.transport.harness.Audit.Debt;
import io.sluice.transport.harness.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One publication or subscription of a soak from its beginning to its end, in nanoseconds of the soak's clock. The
 * soak's thread.
 */
final class SoakLife {
    private static final long NEVER = Long.MAX_VALUE;
    /** The time to consume what has been received when a publication is drained; a few seconds if slow. */
    private static final long CONSUMED_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * A time for which its process stood still, for longer than liveness.
     */
    private static final class Freeze {
        private final long fromNs;
        private long toNs = NEVER;

        private Freeze(final long fromNs) {
            this.fromNs = fromNs;
        }
    }

    private final String name;
    private final int sessionId;
    private final ChildJvm process;
    private final long fromNs;
    private final List<Freeze> freezes = new ArrayList<>();
    private long closingNs = NEVER;
    private long toNs = NEVER;
    private boolean isDrained;

    SoakLife(final String name, final int sessionId, final ChildJvm process, final long nowNs) {
        this.name = name;
        this.sessionId = sessionId;
        this.process = process;
        fromNs = nowNs;
    }

    String name() {
        return name;
    }

    /** The session id of a publication; 0 of a subscription. */
    int sessionId() {
        return sessionId;
    }

    ChildJvm process() {
        return process;
    }

    boolean isOver() {
        return toNs != NEVER;
    }

    void freeze(final long nowNs) {
        freezes.add(new Freeze(nowNs));
    }

    /** Note that it is linked again to everybody. */
    void thaw(final long nowNs) {
        freezes.getLast().toNs = nowNs;
    }

    /** Whether its process stands still now. */
    boolean isFrozen() {
        return !freezes.isEmpty() && freezes.getLast().toNs == NEVER;
    }

    long closingNs() {
        return closingNs;
    }

    /** A publication begins to close, or a subscription to leave: from now on it need not receive anything. */
    void closing(final long nowNs) {
        closingNs = nowNs;
    }

    /** A publication has delivered everything. */
    void drain(final long nowNs) {
        isDrained = true;
        toNs = nowNs;
    }

    /** Note that it has ended, and that not everything was delivered. */
    void end(final long nowNs) {
        toNs = nowNs;
    }

    /** The debt of this publication to a subscription. */
    Debt debtTo(final SoakLife subscriber) {
        final long meetNs = Math.max(fromNs, subscriber.fromNs);
        final long partNs = Math.min(toNs, subscriber.toNs);
        final boolean isContinuous = !isFrozenWithin(meetNs, partNs) && !subscriber.isFrozenWithin(meetNs, partNs);
        // who closes while somebody is given up or not yet linked again, closes without them
        final boolean isComplete = isDrained && Math.min(subscriber.closingNs, subscriber.toNs) - toNs >= CONSUMED_NS
            && !isFrozenWithin(closingNs, toNs) && !subscriber.isFrozenWithin(closingNs, toNs);
        return new Debt(isContinuous, isComplete);
    }

    private boolean isFrozenWithin(final long beginNs, final long endNs) {
        return freezes.stream().anyMatch(freeze -> freeze.fromNs < endNs && beginNs < freeze.toNs);
    }
}
