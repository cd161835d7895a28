package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueueFlags;

/**
 * The options to make a {@link Loop} with. Plain data.
 *
 * @param capacity       of the queue of sends.
 * @param flags          of that queue.
 * @param channel        where both the queue of sends and that of receives announce, or null; the caller's.
 * @param sendWork       of the first queue pair.
 * @param remoteAccess   to the target, beside writes.
 * @param sharedReceives that a shared receive queue of the second queue pair must hold, or 0 for receives of its own.
 */
record LoopOptions(
    int capacity, int flags, CompletionChannel channel, int sendWork, int remoteAccess, int sharedReceives) {
    static final LoopOptions DEFAULT =
        new LoopOptions(2 * Loop.WORK, CompletionQueueFlags.NONE, null, Loop.WORK, 0, 0);

    LoopOptions withCapacity(final int entries) {
        return new LoopOptions(entries, flags, channel, sendWork, remoteAccess, sharedReceives);
    }

    LoopOptions withFlags(final int bits) {
        return new LoopOptions(capacity, bits, channel, sendWork, remoteAccess, sharedReceives);
    }

    LoopOptions withChannel(final CompletionChannel events) {
        return new LoopOptions(capacity, flags, events, sendWork, remoteAccess, sharedReceives);
    }

    LoopOptions withSendWork(final int sends) {
        return new LoopOptions(capacity, flags, channel, sends, remoteAccess, sharedReceives);
    }

    LoopOptions withRemoteAccess(final int bits) {
        return new LoopOptions(capacity, flags, channel, sendWork, bits, sharedReceives);
    }

    LoopOptions withSharedReceives(final int receives) {
        return new LoopOptions(capacity, flags, channel, sendWork, remoteAccess, receives);
    }
}
