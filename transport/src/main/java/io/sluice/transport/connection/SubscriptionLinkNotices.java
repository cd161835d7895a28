package io.sluice.transport.connection;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.status.BreakReason;

/**
 * What a subscription's link tells the publication, while there is a control connection to it. Conductor only.
 */
final class SubscriptionLinkNotices {
    private final SubscriptionLink link;
    private final ControlEncoder encoder;

    SubscriptionLinkNotices(final SubscriptionLink link, final ControlEncoder encoder) {
        this.link = link;
        this.encoder = encoder;
    }

    private boolean canTell() {
        return link.session() != null && link.session().isReady();
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
}
