package io.sluice.transport.stream;

import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;

/**
 * The options that a subscription was added with.
 *
 * @param channel      its text.
 * @param rendezvous   where it meets publications: media and endpoint.
 * @param streamId     within the channel.
 * @param groupTag     for publications with {@code fc=tagged}, or {@link FlowControl#NO_TAG}.
 * @param receiveDepth receives kept posted per link.
 * @param sharedLog    whether to map publications' logs where possible, instead of owning rings.
 * @param memoryCompletion whether to look at the frames of a mapped log instead of draining completions.
 * @param moderationPeriodNs for how long a mapped log of a dense stream is not looked at; 0 to look all the time.
 * @param eventRingLength events between a poller and {@code poll} in DEDICATED mode, a power of two.
 * @param receiveTimestamps whether those events tell when the poller took them up.
 * @param slowConsumers what becomes of consumers of those events that hold others up.
 */
public record SubscriptionOptions(
    String channel,
    String rendezvous,
    int streamId,
    long groupTag,
    int receiveDepth,
    boolean sharedLog,
    boolean memoryCompletion,
    long moderationPeriodNs,
    int eventRingLength,
    boolean receiveTimestamps,
    SlowConsumerPolicy slowConsumers) {
    /** {@return who meets publications where this subscription is} */
    public Medium.Party party() {
        return new Medium.Party(rendezvous, false, null);
    }
}
