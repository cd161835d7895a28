package io.sluice.verbs.software;

/**
 * Lets a test decide the fate of every operation of a software device, see
 * {@link SoftwareDevice#open(io.sluice.environment.Environment, java.nio.file.Path, FaultHook)}. A device that is
 * opened without a hook has no trace of it on its data path.
 * <p>
 * All methods run on the thread that carries the operation out (that of the post, or of a later post, poll of the send
 * completion queue or {@code RdmaDevice.poll} when the operation had to wait), several threads at once for different
 * queue pairs. They must not post to, or close, the queue pair they are called for.
 */
public abstract class FaultHook {
    /** Carry the operation out. */
    public static final int PASS = 0;
    /** Drop the operation: neither bytes nor completion arrive, although the poster sees success. */
    public static final int DROP = -1;
    /**
     * Keep the operation, and everything that is posted to the queue pair after it, and ask again at every later post,
     * poll of its send completion queue and {@code RdmaDevice.poll}. Other queue pairs overtake it.
     */
    public static final int DEFER = -2;
    /** Carry the operation out with its bytes copied in two halves, {@link #insideCopy} between them. */
    public static final int SPLIT = -3;

    /**
     * The kind of an operation.
     */
    public enum Operation {
        /** An RDMA WRITE. */
        WRITE,
        /** An RDMA WRITE WITH IMMEDIATE. */
        WRITE_WITH_IMMEDIATE,
        /** A SEND. */
        SEND,
        /** A SEND WITH IMMEDIATE. */
        SEND_WITH_IMMEDIATE,
        /** An RDMA READ; dropped, it fetches nothing. */
        READ,
        /** A COMPARE AND SWAP; dropped, it neither swaps nor fetches. */
        COMPARE_AND_SWAP,
        /** A FETCH AND ADD; dropped, it neither adds nor fetches. */
        FETCH_AND_ADD
    }

    /** Make a hook; for tests to extend. */
    protected FaultHook() {
    }

    /**
     * The verdict that fails an operation: it completes with a status, its queue pair moves to the ERROR state, and the
     * peer is told nothing, as when a link breaks.
     *
     * @param status a {@link io.sluice.verbs.WorkStatus} value other than SUCCESS.
     * @return what to return from {@link #onOperation}.
     */
    public static int fail(final int status) {
        if (status < 1 || status > QueuePairLayout.STATE_MASK) {
            throw new IllegalArgumentException("status=" + status + " must be from 1 to " + QueuePairLayout.STATE_MASK);
        }
        return status;
    }

    /**
     * Decide the fate of an operation that is about to be carried out. One that must wait, for a receive of the peer
     * for example, is asked about again each time it is tried again.
     *
     * @param queuePairNumber of the poster's queue pair.
     * @param operation       what it is.
     * @param workRequestId   of the operation.
     * @param length          bytes of its message.
     * @param immediate       its immediate data, 0 when it has none.
     * @return {@link #PASS}, {@link #DROP}, {@link #DEFER}, {@link #SPLIT} or {@link #fail(int)}.
     */
    public abstract int onOperation(
        int queuePairNumber, Operation operation, long workRequestId, int length, int immediate);

    /**
     * Notes that half of the bytes of a {@link #SPLIT} operation have been copied. Called for operations, too, that
     * need no copying because both sides share the memory.
     *
     * @param queuePairNumber of the poster's queue pair.
     * @param workRequestId   of the operation.
     * @param copied          bytes copied so far.
     * @param length          bytes of its message.
     */
    public void insideCopy(
        final int queuePairNumber, final long workRequestId, final int copied, final int length) {
    }

    /**
     * Notes that the first word of the peer's completion entry is written and the one that makes it valid is not.
     * Called for every operation that makes a completion at the peer.
     *
     * @param queuePairNumber of the poster's queue pair.
     * @param workRequestId   of the operation.
     */
    public void insideCompletion(final int queuePairNumber, final long workRequestId) {
    }
}
