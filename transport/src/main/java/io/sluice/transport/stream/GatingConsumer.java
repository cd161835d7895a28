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
    /** As long as a gauge's: shorter than that is between two batches. */
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

    /** {@return what keeps memory alive while the consumer is inside} For its thread. */
    public EntryGuard guard() {
        return guard;
    }

    /** {@return how far it has come, for others to look at} For its thread. */
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

    /** Gate nothing any more, although the thread has not come back; it moves the sequence by comparing only. */
    void abandon() {
        sequence.setVolatile(EventRing.LEFT);
    }

    long passed() {
        return sequence.get();
    }

    /** Events that it could handle now, which is its own doing and not that of those that it waits for. */
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

    /** It is far behind; whoever is held up meanwhile starts its time. */
    void onFarBehind(final boolean isHoldingUp, final long nowNs) {
        keepingUpSinceNs = NEVER;
        if (isHoldingUp && slowSinceNs == NEVER) {
            slowSinceNs = nowNs;
        }
    }

    /** It is not far behind; when it has not been for a while, its time is forgotten. */
    void onKeepingUp(final long nowNs) {
        if (keepingUpSinceNs == NEVER) {
            keepingUpSinceNs = nowNs;
        } else if (nowNs - keepingUpSinceNs >= RECOVERED_NS) {
            slowSinceNs = NEVER;
        }
    }

    /** For how long it has been too slow, 0 when it is not. */
    long slowNs(final long nowNs) {
        return slowSinceNs == NEVER ? 0 : nowNs - slowSinceNs;
    }

    /** Remember this moment, after a fence. */
    void remember() {
        snapshot = guard.snapshot();
    }

    /** Whether its thread was outside since then. */
    boolean hasBeenOutside() {
        return guard.hasLeftSince(snapshot);
    }
}
