package io.sluice.transport.receive;

import io.sluice.transport.counters.BreakReason;

/**
 * A listener that is told by a {@link Receiver} what the conductor must act on. Called on the polling thread, rarely;
 * implementations hand the news over and return.
 */
public interface ReceiverListener {
    /**
     * Notes that a link broke and delivers nothing more in this epoch.
     *
     * @param link   that broke.
     * @param reason why.
     */
    void onLinkFailed(InboundLink link, BreakReason reason);

    /**
     * Notes that everything up to the announced end of the stream was received.
     *
     * @param link that is complete.
     */
    void onEndReceived(InboundLink link);

    /**
     * Notes that the consumers have passed the last message of a link that has ended.
     *
     * @param link that can be taken down.
     */
    void onEndConsumed(InboundLink link);

    /**
     * Notes that the completion queue is dead.
     *
     * @param errno what polling it returned.
     */
    void onCompletionQueueFailed(int errno);
}
