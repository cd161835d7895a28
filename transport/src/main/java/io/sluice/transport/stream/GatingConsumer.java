package io.sluice.transport.stream;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.HeldEvent;
import java.util.List;

/**
 * A consumer that gates the ring of a subscription: what its own thread and the conductor share. Made before the
 * conductor knows the subscription; the judgement on it is the conductor's.
 */
public final class GatingConsumer {
    private static final long NEVER = Long.MIN_VALUE;
    /**
     * The time that a consumer must keep up until its slowness is forgotten, as long as a gauge's: shorter than that is
     * between two batches.
     */
    private static final long RECOVERED_NS = PressureGauge.HOLD_NS;

    private final EntryGuard guard = new EntryGuard();
    private final Sequence sequence;
    private final ConsumerProgress progress;
    private final List<GatingConsumer> predecessors;
    private final HeldEvent held;
    private long slowSinceNs = NEVER;
    private long keepingUpSinceNs = NEVER;
    private long snapshot;

    GatingConsumer(
        final ConsumerProgress progress,
        final Sequence sequence,
        final boolean isEvictable,
        final List<GatingConsumer> predecessors) {
        this.progress = progress;
        this.sequence = sequence;
        this.predecessors = predecessors;
        held = isEvictable ? new HeldEvent(progress) : null;
    }

    /** {@return the guard that keeps memory alive while the consumer is inside} For its thread. */
    public EntryGuard guard() {
        return guard;
    }

    /** {@return the consumer's progress, for others to look at} For its thread. */
    public ConsumerProgress progress() {
        return progress;
    }

    /** {@return the event that it is at; null when it is never evicted and looks at the ring's own} For its thread. */
    public HeldEvent held() {
        return held;
    }

    boolean hasLeft() {
        return sequence.get() == EventRing.LEFT;
    }

    /** Ends gating, although the thread has not come back; it moves the sequence by comparing only. */
    void abandon() {
        sequence.setVolatile(EventRing.LEFT);
    }

    long passed() {
        return sequence.get();
    }

    /**
     * The number of events that the consumer could handle now, which is its own doing and not that of those that it
     * waits for.
     */
    long ownBacklog(final long cursor) {
        long available = cursor;
        for (final GatingConsumer predecessor : predecessors) {
            available = Math.min(available, predecessor.passed());
        }
        return available - passed();
    }

    boolean dependsOn(final GatingConsumer other) {
        for (final GatingConsumer predecessor : predecessors) {
            if (predecessor == other || predecessor.dependsOn(other)) {
                return true;
            }
        }
        return false;
    }

    /** Notes that the consumer is far behind; once others are held up meanwhile, its time as a slow one begins. */
    void onFarBehind(final boolean isHoldingUp, final long nowNs) {
        keepingUpSinceNs = NEVER;
        if (isHoldingUp && slowSinceNs == NEVER) {
            slowSinceNs = nowNs;
        }
    }

    /** Notes that the consumer is far behind, and only waits for others: the time so far was their doing. */
    void onWaiting() {
        keepingUpSinceNs = NEVER;
        slowSinceNs = NEVER;
    }

    /**
     * Notes that the consumer is not far behind; when it has not been for a while, its time as a slow one is forgotten.
     */
    void onKeepingUp(final long nowNs) {
        if (keepingUpSinceNs == NEVER) {
            keepingUpSinceNs = nowNs;
        } else if (nowNs - keepingUpSinceNs >= RECOVERED_NS) {
            slowSinceNs = NEVER;
        }
    }

    /** The time in nanoseconds for which the consumer has been too slow, 0 when it is not. */
    long slowNs(final long nowNs) {
        return slowSinceNs == NEVER ? 0 : nowNs - slowSinceNs;
    }

    /** Remembers this moment, after a fence. */
    void remember() {
        snapshot = guard.snapshot();
    }

    /** Whether the consumer's thread was outside since the moment that was remembered. */
    boolean hasBeenOutside() {
        return guard.hasLeftSince(snapshot);
    }
}
