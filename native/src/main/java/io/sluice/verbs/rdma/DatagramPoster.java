package io.sluice.verbs.rdma;

/** Data path: posts datagrams, by one of two interfaces. One thread at a time. */
abstract class DatagramPoster {
    /** Posts from now on by plain calls, for which no safepoint waits, or as suits the device. */
    abstract void postPlainly(boolean isPlain);

    /** Notes that the queue pair is in the ERROR state, and stays there. Any thread. */
    void onFailed() {
        // Most answer as before.
    }

    /**
     * Posts a datagram: OK or an error number.
     *
     * @param opcode {@link SendPoster#SEND} or {@link SendPoster#SEND_WITH_IMM}.
     * @param handle address of the {@code ibv_ah}.
     */
    abstract int post(
        int opcode,
        long workRequestId,
        int flags,
        long localAddress,
        int localKey,
        int length,
        long handle,
        int remoteNumber,
        int remoteQueueKey,
        int immediate);
}
