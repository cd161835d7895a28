package io.sluice.transport.stream;

import io.sluice.verbs.CompletionQueue;

/**
 * The room that a data queue pair has for its work, and where that completes. Immutable; any thread.
 *
 * @param sends        completion queue of its writes.
 * @param receives     completion queue of its receives.
 * @param sendDepth    send-queue slots.
 * @param receiveDepth receives.
 */
record QueuePairRoom(CompletionQueue sends, CompletionQueue receives, int sendDepth, int receiveDepth) {
}
