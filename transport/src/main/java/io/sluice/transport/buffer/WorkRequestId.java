package io.sluice.transport.buffer;

/**
 * The 64 bits that a work request carries and its completion returns. This is the only class that packs or unpacks
 * them.
 * <pre>
 *   63   60 59                          32 31                            0
 *  +-------+------------------------------+-------------------------------+
 *  | kind  |          link index          |          generation           |
 *  +-------+------------------------------+-------------------------------+
 * </pre>
 * The generation tells the epochs of a reused index apart: a completion of another generation is stale and is dropped.
 * Any thread may call; nothing is allocated.
 */
public final class WorkRequestId {
    /** A write of log bytes into a peer's receive ring. */
    public static final int KIND_DATA = 1;
    /** A write of a feedback cell. */
    public static final int KIND_FEEDBACK = 2;
    /** A receive that a peer's write consumes. */
    public static final int KIND_RECEIVE = 3;
    /** A control message sent. */
    public static final int KIND_CONTROL_SEND = 4;
    /** A control message received. */
    public static final int KIND_CONTROL_RECEIVE = 5;
    /** Largest link index: 28 bits. */
    public static final int MAX_INDEX = (1 << 28) - 1;

    private static final int KIND_SHIFT = 60;
    private static final int INDEX_SHIFT = 32;

    private WorkRequestId() {
    }

    /**
     * Pack a work-request id.
     *
     * @param kind       one of the {@code KIND_} constants.
     * @param index      of the link, 0 to {@link #MAX_INDEX}.
     * @param generation of the link's epoch at that index; any 32 bits.
     * @return the work-request id.
     */
    public static long pack(final int kind, final int index, final int generation) {
        return ((long) kind << KIND_SHIFT) | ((long) index << INDEX_SHIFT) | (generation & 0xFFFF_FFFFL);
    }

    /**
     * The kind.
     *
     * @param workRequestId as packed.
     * @return one of the {@code KIND_} constants.
     */
    public static int kind(final long workRequestId) {
        return (int) (workRequestId >>> KIND_SHIFT);
    }

    /**
     * The link index.
     *
     * @param workRequestId as packed.
     * @return 0 to {@link #MAX_INDEX}.
     */
    public static int index(final long workRequestId) {
        return (int) (workRequestId >>> INDEX_SHIFT) & MAX_INDEX;
    }

    /**
     * The generation.
     *
     * @param workRequestId as packed.
     * @return 32 bits.
     */
    public static int generation(final long workRequestId) {
        return (int) workRequestId;
    }
}
