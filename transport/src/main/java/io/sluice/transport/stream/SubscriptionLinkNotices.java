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
 * Tells the publication of a subscription's link, while there is a control connection to it. Conductor only; the link
 * owns it.
 */
final class SubscriptionLinkNotices {
    /**
     * The most evictions that wait for a control connection: as many as the publication tells its listeners of one
     * link.
     */
    static final int MAX_EVICTIONS_WAITING = 64;

    private record Evicted(ConsumerEviction eviction, long bytesBehind) {
    }

    private final LinkEncoder encoder;
    private final long linkId;
    private final SubscriptionLinkStanding standing;
    private final LaggardWatch laggards = new LaggardWatch();
    private final Queue<Evicted> evictions = new ArrayDeque<>();
    /** The state that the publication was told last; null when that may not have arrived. */
    private PressureState toldState = PressureState.CLEAR;
    /** The peer that messages go to; null from when its control session is lost until it asks to resume. */
    private ConnectedPeer peer;

    /**
     * Creates notices of which none was told.
     *
     * @param encoder  of the messages.
     * @param peer     that has asked for the link.
     * @param linkId   by which it knows the link.
     * @param standing of the link, asked each time: a link is told of in the epoch that it is in.
     */
    SubscriptionLinkNotices(
        final LinkEncoder encoder,
        final ConnectedPeer peer,
        final long linkId,
        final SubscriptionLinkStanding standing) {
        this.encoder = encoder;
        this.peer = peer;
        this.linkId = linkId;
        this.standing = standing;
    }

    /** {@return the way to the publication, or null while there is none} */
    ConnectedPeer peer() {
        return peer;
    }

    /** Sets the way to the publication: another control session may take the place of a lost one; null for none. */
    void peer(final ConnectedPeer newPeer) {
        peer = newPeer;
    }

    /** {@return whether the publication can be told anything} */
    boolean canTell() {
        return peer != null && peer.isReady();
    }

    /**
     * Whether a report will arrive, as far as this end knows. That a link is broken is often known before its control
     * session is known as lost, and what is told in between is lost with the session.
     */
    private boolean canReport() {
        return standing.state().isTold() && canTell();
    }

    /** Notes that the link goes on after a break: the last report may have been lost with the control session. */
    void onResumed() {
        toldState = null;
    }

    /**
     * Tells that the link is taken, over the control connection that it was asked for by.
     *
     * @param receivedPosition where to go on from, or UNSET for a fresh link.
     * @param epochParts       that the publication is to connect to.
     * @param isShared         whether the ring is the publication's log.
     */
    void accepted(final long receivedPosition, final InboundEpoch epochParts, final boolean isShared) {
        send(encoder.accept(linkId, standing.epoch(), receivedPosition, epochParts, isShared));
    }

    private void send(final int length) {
        peer.send(encoder.buffer(), length);
    }

    /** Tells that the epoch is over. */
    void broken(final BreakReason reason) {
        broken(reason, OutboundLink.UNSET);
    }

    /** Tells that the epoch is over; with a received position when it is also quiescent, else UNSET. */
    void broken(final BreakReason reason, final long receivedPosition) {
        if (canTell()) {
            send(encoder.linkBroken(
                linkId, standing.epoch(), Role.SUBSCRIPTION, reason, receivedPosition));
        }
    }

    /** Tells that all bytes up to the end of the stream have arrived. */
    void endReceived(final long endPosition) {
        if (canTell()) {
            send(encoder.endOfStreamReceived(linkId, standing.epoch(), endPosition));
        }
    }

    /** Tells that the link is over for good. */
    void closed(final CloseReason reason) {
        if (canTell()) {
            send(encoder.closeLink(
                linkId, standing.epoch(), Role.SUBSCRIPTION, reason));
        }
    }

    /** Tells who holds the window back: when the state is another one, and now and then when it is somebody else. */
    void pressure(final PressureGauge gauge, final String consumer, final long bytesBehind, final long nanoTime) {
        final boolean isOther = laggards.isNews(consumer, "", nanoTime) && bytesBehind > 0;
        if ((isOther || gauge.state() != toldState) && canReport() && !peer.isWaiting()) {
            toldState = gauge.state();
            laggards.told(consumer, "", nanoTime);
            send(encoder.backPressure(
                linkId, standing.epoch(), bytesBehind, gauge, consumer));
        }
    }

    /**
     * Tells that a consumer was taken out; what it has not consumed the others may have. While the link is broken the
     * news waits.
     */
    void evicted(final ConsumerEviction eviction, final long bytesBehind) {
        if (evictions.size() < MAX_EVICTIONS_WAITING) {
            evictions.add(new Evicted(eviction, bytesBehind));
        }
        tellEvictions();
    }

    /** Tells of the evictions that could not be told before. */
    void tellEvictions() {
        while (!evictions.isEmpty() && canReport()) {
            final Evicted evicted = evictions.remove();
            send(encoder.evict(
                linkId, standing.epoch(), evicted.bytesBehind(), evicted.eviction()));
        }
    }
}
