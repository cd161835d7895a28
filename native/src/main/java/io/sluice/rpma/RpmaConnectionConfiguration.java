package io.sluice.rpma;

/**
 * The settings that a connection is made with, rpma_conn_cfg_new(3). Immutable; any thread.
 *
 * @param timeoutMs                  to find an address, and to find a way to it, in milliseconds.
 * @param completionQueueSize        completions that fit into the main queue.
 * @param receiveCompletionQueueSize completions that fit into the one of receives; 0 for none, so that they come to the
 *                                   main one.
 * @param sendQueueSize              operations that may be under way.
 * @param receiveQueueSize           receives that may wait.
 * @param sharesCompletionChannel    whether both completion queues announce on one channel, on which the connection
 *                                   waits, and not each of them on its own.
 * @param sharedReceiveQueue         that the connection draws on, or null.
 */
public record RpmaConnectionConfiguration(
    int timeoutMs,
    int completionQueueSize,
    int receiveCompletionQueueSize,
    int sendQueueSize,
    int receiveQueueSize,
    boolean sharesCompletionChannel,
    RpmaSharedReceiveQueue sharedReceiveQueue) {
    /** librpma's default, {@code RPMA_DEFAULT_TIMEOUT_MS}. */
    public static final int DEFAULT_TIMEOUT_MS = 1000;
    /** librpma's default for completions, sends and receives. */
    public static final int DEFAULT_QUEUE_SIZE = 10;
    /** The library's defaults. */
    public static final RpmaConnectionConfiguration DEFAULT = new RpmaConnectionConfiguration(
        DEFAULT_TIMEOUT_MS, DEFAULT_QUEUE_SIZE, 0, DEFAULT_QUEUE_SIZE, DEFAULT_QUEUE_SIZE, false, null);

    /**
     * A configuration.
     *
     * @throws IllegalArgumentException when a number is out of range.
     */
    public RpmaConnectionConfiguration {
        Bounds.requireAtLeast("timeoutMs", timeoutMs, 0);
        Bounds.requireAtLeast("completionQueueSize", completionQueueSize, 1);
        Bounds.requireAtLeast("receiveCompletionQueueSize", receiveCompletionQueueSize, 0);
        Bounds.requireAtLeast("sendQueueSize", sendQueueSize, 0);
        Bounds.requireAtLeast("receiveQueueSize", receiveQueueSize, 0);
    }

    /**
     * A copy of this configuration with another timeout.
     *
     * @param newTimeoutMs in milliseconds.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withTimeoutMs(final int newTimeoutMs) {
        return new RpmaConnectionConfiguration(newTimeoutMs, completionQueueSize, receiveCompletionQueueSize,
            sendQueueSize, receiveQueueSize, sharesCompletionChannel, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with another size of the main completion queue.
     *
     * @param size in completions.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withCompletionQueueSize(final int size) {
        return new RpmaConnectionConfiguration(timeoutMs, size, receiveCompletionQueueSize, sendQueueSize,
            receiveQueueSize, sharesCompletionChannel, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with another size of the completion queue of receives.
     *
     * @param size in completions; 0 for none.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withReceiveCompletionQueueSize(final int size) {
        return new RpmaConnectionConfiguration(timeoutMs, completionQueueSize, size, sendQueueSize, receiveQueueSize,
            sharesCompletionChannel, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with another size of the send queue.
     *
     * @param size in operations.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withSendQueueSize(final int size) {
        return new RpmaConnectionConfiguration(timeoutMs, completionQueueSize, receiveCompletionQueueSize, size,
            receiveQueueSize, sharesCompletionChannel, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with another size of the receive queue.
     *
     * @param size in receives.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withReceiveQueueSize(final int size) {
        return new RpmaConnectionConfiguration(timeoutMs, completionQueueSize, receiveCompletionQueueSize,
            sendQueueSize, size, sharesCompletionChannel, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with a shared completion channel, or without.
     *
     * @param isShared whether both queues announce on one channel.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withSharedCompletionChannel(final boolean isShared) {
        return new RpmaConnectionConfiguration(timeoutMs, completionQueueSize, receiveCompletionQueueSize,
            sendQueueSize, receiveQueueSize, isShared, sharedReceiveQueue);
    }

    /**
     * A copy of this configuration with a shared receive queue, or without.
     *
     * @param queue of the same peer, or null for none.
     * @return a new configuration.
     */
    public RpmaConnectionConfiguration withSharedReceiveQueue(final RpmaSharedReceiveQueue queue) {
        return new RpmaConnectionConfiguration(timeoutMs, completionQueueSize, receiveCompletionQueueSize,
            sendQueueSize, receiveQueueSize, sharesCompletionChannel, queue);
    }

    /** The configuration as librpma has it, to be closed by the caller. */
    NativeConfiguration toNative(final RpmaLibrary library) {
        final NativeConfiguration result = new NativeConfiguration(library, library.connCfgNew, library.connCfgDelete)
            .set(library.connCfgSetTimeout, "timeoutMs", timeoutMs)
            .set(library.connCfgSetCqSize, "completionQueueSize", completionQueueSize)
            .set(library.connCfgSetRcqSize, "receiveCompletionQueueSize", receiveCompletionQueueSize)
            .set(library.connCfgSetSqSize, "sendQueueSize", sendQueueSize)
            .set(library.connCfgSetRqSize, "receiveQueueSize", receiveQueueSize)
            .set(library.connCfgSetComplChannel, "sharesCompletionChannel", sharesCompletionChannel);
        return sharedReceiveQueue == null ? result
            : result.set(library.connCfgSetSrq, "sharedReceiveQueue", sharedReceiveQueue.handle());
    }
}
