package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.pressure.LaggardWatch;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.PressureState;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Tells the publication of a subscription's link, while there is a control connection to it. Conductor only.
 */
final class SubscriptionLinkNotices {
    /**
     * The most evictions that wait for a control connection: as many as the publication tells its listeners of one
     * link.
     */
    static final int MAX_EVICTIONS_WAITING = 64;

    /** A link, as far as it is told of. */
    interface Subject {
        /** {@return the way to the publication, or null while there is none} */
        ConnectedPeer peer();

        /** {@return the identity of the link, which it keeps over all its epochs} */
        SubscriptionLinkId id();

        /** {@return the number of its epoch} */
        long epoch();

        /** {@return whether the link was established in an earlier epoch} */
        boolean isResuming();

        /** {@return how far the last epoch had received when it ended} */
        long receivedPosition();

        /** {@return the parts that the epoch is made of} */
        InboundEpoch current();
    }

    private record Evicted(ConsumerEviction eviction, long bytesBehind) {
    }

    private final Subject link;
    private final LinkEncoder encoder;
    private final LaggardWatch laggards = new LaggardWatch();
    private final Queue<Evicted> evictions = new ArrayDeque<>();
    private PressureState toldState = PressureState.CLEAR;

    SubscriptionLinkNotices(final Subject link, final LinkEncoder encoder) {
        this.link = link;
        this.encoder = encoder;
    }

    private boolean canTell() {
        return link.peer() != null && link.peer().isReady();
    }

    /** Tells that the link is taken, over the control connection that it was asked for by. */
    void accepted() {
        link.peer().send(encoder.buffer(), encoder.accept(link.id().linkId(), link.epoch(),
            link.isResuming() ? link.receivedPosition() : OutboundLink.UNSET, link.current(), link.id().logShared()));
    }

    /** Tells that the epoch is over. */
    void broken(final BreakReason reason) {
        broken(reason, OutboundLink.UNSET);
    }

    /** Tells that the epoch is over; with a received position when it is also quiescent, else UNSET. */
    void broken(final BreakReason reason, final long receivedPosition) {
        if (canTell()) {
            link.peer().send(encoder.buffer(), encoder.linkBroken(
                link.id().linkId(), link.epoch(), Role.SUBSCRIPTION, reason, receivedPosition));
        }
    }

    /** Tells that all bytes up to the end of the stream have arrived. */
    void endReceived(final long endPosition) {
        if (canTell()) {
            link.peer().send(
                encoder.buffer(), encoder.endOfStreamReceived(link.id().linkId(), link.epoch(), endPosition));
        }
    }

    /** Tells that the link is over for good. */
    void closed(final CloseReason reason) {
        if (canTell()) {
            link.peer().send(encoder.buffer(), encoder.closeLink(
                link.id().linkId(), link.epoch(), Role.SUBSCRIPTION, reason));
        }
    }

    /** Tells who holds the window back: when the state is another one, and now and then when it is somebody else. */
    void pressure(final PressureGauge gauge, final String consumer, final long bytesBehind, final long nanoTime) {
        final boolean isOther = laggards.isNews(consumer, "", nanoTime) && bytesBehind > 0;
        if ((isOther || gauge.state() != toldState) && canTell() && !link.peer().isWaiting()) {
            toldState = gauge.state();
            laggards.told(consumer, "", nanoTime);
            link.peer().send(encoder.buffer(), encoder.backPressure(
                link.id().linkId(), link.epoch(), bytesBehind, gauge, consumer));
        }
    }

    /**
     * Tells that a consumer was taken out; what it has not consumed the others may have. Told as soon as that is
     * possible.
     */
    void evicted(final ConsumerEviction eviction, final long bytesBehind) {
        if (evictions.size() < MAX_EVICTIONS_WAITING) {
            evictions.add(new Evicted(eviction, bytesBehind));
        }
        tellEvictions();
    }

    /** Tells of the evictions that could not be told before. */
    void tellEvictions() {
        while (!evictions.isEmpty() && canTell()) {
            final Evicted evicted = evictions.remove();
            link.peer().send(encoder.buffer(), encoder.evict(
                link.id().linkId(), link.epoch(), evicted.bytesBehind(), evicted.eviction()));
        }
    }
}
