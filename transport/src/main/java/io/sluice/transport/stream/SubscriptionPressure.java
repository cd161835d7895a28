package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.PressuredStream;
import java.util.List;

/**
 * The pressure on a subscription: by how full its ring is, and by how much of its window an image has not consumed. A
 * program that does not poll does not know what has arrived: then it is what the publication's heartbeats say, which
 * they do where no completion tells. The conductor's, but for what {@link PressureSignal} lets any thread do.
 */
public final class SubscriptionPressure extends PressureSignal {
    /** The part of the window that the longest message takes, and the padding in front of it at most, too. */
    private static final int MESSAGES_PER_WINDOW = 8;
    private static final int NO_SESSION = 0;
    /** The program that polls, as the laggard. */
    private static final String POLL = "poll";
    /** The thread that fills the ring, as the laggard. */
    private static final String POLLER = "poller";

    private final Receiver receiver;
    /** The ring of the consumers, or null where the program polls. */
    private final EventRing ring;
    private final List<SubscriptionLink> links;
    private long fullEvents;
    private long nearlyFullDrains;
    private boolean isOverrun;

    SubscriptionPressure(
        final Services services,
        final SubscriptionOptions options,
        final Receiver receiver,
        final EventRing ring,
        final SubscriptionLinks links) {
        super(services, new PressuredStream(
            PressuredStream.Side.SUBSCRIPTION, options.channel(), options.streamId(), NO_SESSION));
        this.receiver = receiver;
        this.ring = ring;
        this.links = links.all();
    }

    /** Notes that a completion queue has overrun. */
    void onOverrun() {
        isOverrun = true;
    }

    @Override
    protected boolean sample(final PressureGauge gauge, final long nanoTime) {
        if (isOverrun) {
            isOverrun = false;
            return gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, nanoTime);
        }
        if (ring != null && isFull()) {
            return gauge.raise(PressureState.BLOCKED, BackPressureCause.RING_FULL, nanoTime);
        }
        final SubscriptionLink slowest = slowest();
        final long windowLength = slowest == null ? 1 : slowest.id().windowLength();
        final long behind = slowest == null ? 0 : bytesBehind(slowest);
        if (slowest != null && isExhausted(slowest)) {
            return gauge.raise(PressureState.BLOCKED, BackPressureCause.WINDOW_EXHAUSTED, nanoTime);
        }
        final long nearlyFullBefore = nearlyFullDrains;
        nearlyFullDrains = receiver.drainWatch().nearlyFullDrains();
        if (nearlyFullDrains != nearlyFullBefore) {
            return gauge.raise(PressureState.PRESSURED, BackPressureCause.CQ_NEAR_FULL, nanoTime);
        }
        final long capacity = ring == null ? 1 : ring.ring().getBufferSize();
        final long occupancy = ring == null ? 0 : ring.occupancy();
        // what is fuller counts: long messages exhaust the window before they fill the ring
        return occupancy * windowLength > behind * capacity
            ? fill(gauge, BackPressureCause.RING_FULL, occupancy, capacity, nanoTime)
            : fill(gauge, BackPressureCause.WINDOW_EXHAUSTED, behind, windowLength, nanoTime);
    }

    @Override
    protected void onLooked(final PressureGauge gauge, final long nanoTime) {
        final String laggard = gauge.state() == PressureState.CLEAR ? "" : consumer();
        for (int i = 0; i < links.size(); i++) {
            final SubscriptionLink link = links.get(i);
            if (link.image().link().positions().isJoined()) {
                link.notices().tellEvictions();
                link.notices().pressure(gauge, laggard, bytesBehind(link), nanoTime);
            }
        }
    }

    /** Tell the publications, too. */
    void onEvicted(final ConsumerEviction eviction) {
        for (final SubscriptionLink link : links) {
            if (link.image().link().positions().isJoined()) {
                link.notices().evicted(eviction, bytesBehind(link));
            }
        }
    }

    private boolean isFull() {
        final long fullBefore = fullEvents;
        fullEvents = ring.fullEvents();
        return fullEvents != fullBefore || ring.occupancy() == ring.ring().getBufferSize();
    }

    @Override
    protected int sessionId() {
        final SubscriptionLink slowest = slowest();
        return slowest == null ? NO_SESSION : slowest.image().sessionId();
    }

    /** The consumer that the ring waits for, the poller that it gets nothing from, or the program itself that polls. */
    @Override
    protected String consumer() {
        if (ring == null) {
            return slowest() == null ? "" : POLL;
        }
        ConsumerProgress slowest = null;
        final List<ConsumerProgress> consumers = ring.consumers();
        for (int i = 0; i < consumers.size(); i++) {
            final ConsumerProgress consumer = consumers.get(i);
            if (consumer.state() != ConsumerState.DEAD && consumer.sequence() != EventRing.LEFT
                && (slowest == null || consumer.sequence() < slowest.sequence())) {
                slowest = consumer;
            }
        }
        if (slowest == null) {
            return "";
        }
        // what has arrived waits for whoever fills the ring when nobody has anything of it left to handle
        final boolean isPassed =
            cause() == BackPressureCause.WINDOW_EXHAUSTED && ring.distance(slowest.sequence()) == 0;
        return isPassed ? POLLER : slowest.name();
    }

    @Override
    protected String peer() {
        return "";
    }

    @Override
    protected long bytesBehind(final String laggingPeer) {
        final SubscriptionLink slowest = slowest();
        return slowest == null ? 0 : bytesBehind(slowest);
    }

    private static long bytesBehind(final SubscriptionLink link) {
        final ImagePositions positions = link.image().link().positions();
        return Math.clamp(published(link) - positions.consumed(), 0, link.id().windowLength());
    }

    private static long published(final SubscriptionLink link) {
        return Math.max(link.image().link().positions().received(), link.image().announcedPosition());
    }

    /** Whether the publication of a link is being refused, or about to be: it goes by what was reported to it. */
    private static boolean isExhausted(final SubscriptionLink link) {
        final ImagePositions positions = link.image().link().positions();
        final long published = published(link);
        return isExhausted(
            link.id().windowLength(), published, published - Math.min(positions.consumed(), positions.reported()));
    }

    /**
     * Whether less room is left in a window than the longest message may need. One that does not fit in front of the
     * end of the log needs the room there for padding, too.
     *
     * @param windowLength of the log, in bytes.
     * @param position     up to which the publication has written.
     * @param behind       bytes of the window that are taken.
     */
    static boolean isExhausted(final long windowLength, final long position, final long behind) {
        final long longest = windowLength / MESSAGES_PER_WINDOW;
        final long beforeEnd = windowLength - (position & windowLength - 1);
        return windowLength - behind < (beforeEnd < longest ? beforeEnd : 0) + longest;
    }

    /** A link whose window is exhausted, or else the one that has most of it behind; null while there is none. */
    private SubscriptionLink slowest() {
        SubscriptionLink slowest = null;
        for (int i = 0; i < links.size(); i++) {
            final SubscriptionLink link = links.get(i);
            if (link.image().link().positions().isJoined() && (slowest == null || isSlower(link, slowest))) {
                slowest = link;
            }
        }
        return slowest;
    }

    private static boolean isSlower(final SubscriptionLink link, final SubscriptionLink other) {
        final boolean isExhausted = isExhausted(link);
        return isExhausted == isExhausted(other)
            ? bytesBehind(link) * other.id().windowLength() > bytesBehind(other) * link.id().windowLength()
            : isExhausted;
    }
}
