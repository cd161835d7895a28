package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.OutboundLink;

/**
 * The publication of a link, as all its links know it. Immutable; the thread is each part's own, and so is who frees
 * it.
 *
 * @param medium   that the subscriptions are met over.
 * @param options  of the publication.
 * @param owner    of the publication.
 * @param memory   of its log.
 * @param links    to all subscriptions, as one of them sees the others.
 * @param pressure that the publication is under.
 * @param epochs   makes what a link needs for an epoch.
 * @param overrun  run on the conductor by a link that finds that its completion queue has overrun.
 */
public record PublicationContext(
    Medium medium,
    PublicationOptions options,
    PublicationOwner owner,
    LogMemory memory,
    PublicationLink.Owner links,
    PublicationPressure pressure,
    OutboundEpochs epochs,
    Runnable overrun) {
    /** {@return the services of the transport} Any thread. */
    Services services() {
        return medium.services();
    }

    /** Finds out why a working link has failed, so that its reason is the best that can be known now. Conductor. */
    void explain(final OutboundLink failed) {
        failed.fail(BreakReason.QUEUE_PAIR_ERROR);
        if (failed.breakReason() == BreakReason.COMPLETION_QUEUE_OVERRUN) {
            overrun.run();
        } else if (failed.breakReason().mayComeOfOverrun()) {
            medium.takeEvents();
        }
    }
}
