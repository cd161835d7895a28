package io.sluice.transport.receive;

import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;

/**
 * One epoch of an {@link InboundLink}: everything that is new when the link is made or resumed. The conductor owns
 * queue pair and regions.
 *
 * @param queuePair        connected, with all receives posted.
 * @param receives         of that queue pair.
 * @param ring             the receive ring; may be the publication's log itself.
 * @param feedback         the publication's feedback cell for this epoch.
 * @param staging          16 registered bytes per send-queue slot for feedback writes, or null when they are inline.
 * @param memoryCompletion whether the ring is a log of this host in which committed frames have arrived; otherwise
 *                         completions tell.
 * @param moderation       when frames are not looked for; the polling thread's from when the epoch begins.
 */
public record InboundEpoch(
    QueuePair queuePair,
    EpochReceives receives,
    MemoryRegion ring,
    RemoteMemory feedback,
    MemoryRegion staging,
    boolean memoryCompletion,
    ScanModeration moderation) {

    /**
     * Writes of feedback outstanding at once, at most, also where the device grants the queue pair more: completions of
     * more would not fit into the completion queue. They are rare, and the last one makes all before it worthless.
     */
    public static final int SEND_QUEUE_LENGTH = 16;
}
