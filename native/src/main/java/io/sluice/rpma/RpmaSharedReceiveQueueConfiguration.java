package io.sluice.rpma;

/**
 * The settings that a shared receive queue is made with, rpma_srq_cfg_new(3). Immutable; any thread.
 *
 * @param receiveQueueSize           receives that may wait.
 * @param receiveCompletionQueueSize completions that fit into a queue of its own; 0 for none, so that they come to the
 *                                   queues of the connections.
 */
public record RpmaSharedReceiveQueueConfiguration(int receiveQueueSize, int receiveCompletionQueueSize) {
    /** librpma's default of both sizes; the manual pages of 1.2 and 1.3 say 100, which it is not. */
    public static final int DEFAULT_QUEUE_SIZE = 20;
    /** The library's defaults. */
    public static final RpmaSharedReceiveQueueConfiguration DEFAULT =
        new RpmaSharedReceiveQueueConfiguration(DEFAULT_QUEUE_SIZE, DEFAULT_QUEUE_SIZE);

    /**
     * A configuration.
     *
     * @throws IllegalArgumentException when a number is out of range.
     */
    public RpmaSharedReceiveQueueConfiguration {
        Bounds.requireAtLeast("receiveQueueSize", receiveQueueSize, 1);
        Bounds.requireAtLeast("receiveCompletionQueueSize", receiveCompletionQueueSize, 0);
    }

    /** The configuration as librpma has it, to be closed by the caller. */
    NativeConfiguration toNative(final RpmaLibrary library) {
        return new NativeConfiguration(library, library.srqCfgNew, library.srqCfgDelete)
            .set(library.srqCfgSetRqSize, "receiveQueueSize", receiveQueueSize)
            .set(library.srqCfgSetRcqSize, "receiveCompletionQueueSize", receiveCompletionQueueSize);
    }
}
