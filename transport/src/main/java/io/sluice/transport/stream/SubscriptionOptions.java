package io.sluice.transport.stream;

import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;

/**
 * The options that a subscription was added with. Immutable; any thread.
 *
 * @param channel      its text.
 * @param party        who meets publications where this subscription is.
 * @param streamId     within the channel.
 * @param groupTag     for publications with {@code fc=tagged}, or {@link FlowControl#NO_TAG}.
 * @param receiveDepth receives kept posted per link.
 * @param logs         how it reads publications' logs on its own host.
 * @param events       between a poller and its consumers, in DEDICATED mode.
 */
public record SubscriptionOptions(
    String channel,
    Medium.Party party,
    int streamId,
    long groupTag,
    int receiveDepth,
    LogSharing logs,
    EventOptions events) {
}
