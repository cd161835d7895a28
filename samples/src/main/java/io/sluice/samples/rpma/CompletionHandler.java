package io.sluice.samples.rpma;

/** Takes completions, on the thread that drains them. */
interface CompletionHandler {
    /**
     * Tells that something has completed.
     *
     * @param workRequestId that it was posted with.
     * @param status        a {@link io.sluice.verbs.WorkStatus} value.
     * @param byteLength    of a message that has come, in bytes; of others it means nothing.
     */
    void onCompletion(long workRequestId, int status, int byteLength);
}
