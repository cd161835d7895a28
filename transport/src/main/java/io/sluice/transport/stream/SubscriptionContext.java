package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.receive.ReceiverCommands;

/**
 * The surroundings of a subscription's links, the same for all of them. Immutable; the thread is each one's own.
 *
 * @param medium   that the publications are met over.
 * @param options  of the subscription.
 * @param owner    of the subscription, who answers peers.
 * @param commands to the thread that polls.
 * @param epochs   makes what a link needs for an epoch.
 * @param rings    that a consumer may be reading which does not come back.
 */
record SubscriptionContext(
    Medium medium,
    SubscriptionOptions options,
    SubscriptionOwner owner,
    ReceiverCommands commands,
    InboundEpochs epochs,
    AbandonedRings rings) {
    /** {@return the services of the transport} */
    Services services() {
        return medium.services();
    }
}
