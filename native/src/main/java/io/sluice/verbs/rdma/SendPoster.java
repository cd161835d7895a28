package io.sluice.verbs.rdma;

/** Data path: posts sends, by one of two interfaces. One thread at a time. */
abstract class SendPoster {
    /** {@code enum ibv_wr_opcode}. */
    static final int RDMA_WRITE = 0;
    static final int RDMA_WRITE_WITH_IMM = 1;
    static final int SEND = 2;
    static final int SEND_WITH_IMM = 3;
    static final int RDMA_READ = 4;
    static final int ATOMIC_CMP_AND_SWP = 5;
    static final int ATOMIC_FETCH_AND_ADD = 6;

    /** Posts one request: OK or an error number; what the operation does not have is 0. */
    abstract int post(
        int opcode,
        long workRequestId,
        int flags,
        long localAddress,
        int localKey,
        int length,
        long remoteAddress,
        int remoteKey,
        int immediate);

    /** Posts by plain calls from now on, for which no safepoint waits, or as suits the device. */
    abstract void postPlainly(boolean isPlain);

    /** Notes that the queue pair is in the ERROR state, and stays there. Any thread. */
    void onFailed() {
        // Most devices answer as before.
    }

    /** Posts requests that are linked, up to the last of them: OK or an error number. */
    abstract int postChain(SendRequest[] requests, int index, int count);

    /** The number of them that were posted by the {@link #postChain} that has just failed. */
    abstract int posted(SendRequest[] requests, int index, int count);

    /**
     * Posts an atomic, whose one operand is an addend, or whose two are compared with and swapped: OK or an error
     * number.
     */
    abstract int postAtomic(
        int opcode,
        long workRequestId,
        int flags,
        long localAddress,
        int localKey,
        long remoteAddress,
        int remoteKey,
        long operand,
        long replacement);
}
