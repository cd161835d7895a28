package io.sluice.transport.connection;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.BreakReason;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.PressureState;

/**
 * What a subscription's link tells the publication, while there is a control connection to it. Conductor only.
 */
final class SubscriptionLinkNotices {
    private final SubscriptionLink link;
    private final ControlEncoder encoder;
    private final LaggardWatch laggards = new LaggardWatch();
    private PressureState toldState = PressureState.CLEAR;

    SubscriptionLinkNotices(final SubscriptionLink link, final ControlEncoder encoder) {
        this.link = link;
        this.encoder = encoder;
    }

    private boolean canTell() {
        return link.session() != null && link.session().isReady();
    }

    /** The epoch is over. */
    void broken(final BreakReason reason) {
        broken(reason, OutboundLink.UNSET);
    }

    /** The epoch is over; with a received position when it is also quiescent, else UNSET. */
    void broken(final BreakReason reason, final long receivedPosition) {
        if (canTell()) {
            link.session().send(encoder.linkBroken(
                link.id().linkId(), link.epoch(), Role.SUBSCRIPTION, reason, receivedPosition));
        }
    }

    /** All bytes up to the end of the stream have arrived. */
    void endReceived(final long endPosition) {
        if (canTell()) {
            link.session().send(encoder.endOfStreamReceived(link.id().linkId(), link.epoch(), endPosition));
        }
    }

    /** The link is over for good. */
    void closed(final CloseReason reason) {
        if (canTell()) {
            link.session().send(encoder.closeLink(
                link.id().linkId(), link.epoch(), Role.SUBSCRIPTION, reason));
        }
    }

    /** Who holds the window back: when the state is another one, and now and then when it is somebody else. */
    void pressure(final PressureGauge gauge, final String consumer, final long bytesBehind, final long nanoTime) {
        final boolean isOther = laggards.isNews(consumer, "", nanoTime) && bytesBehind > 0;
        if ((isOther || gauge.state() != toldState) && canTell() && !link.session().connection().isWaiting()) {
            toldState = gauge.state();
            laggards.told(consumer, "", nanoTime);
            link.session().send(encoder.backPressure(link, bytesBehind, gauge, consumer));
        }
    }

    /** A consumer was taken out; what it has not consumed the others may have. */
    void evicted(final ConsumerEviction eviction, final long bytesBehind) {
        if (canTell()) {
            link.session().send(encoder.evict(link, bytesBehind, eviction));
        }
    }
}
