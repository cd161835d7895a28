package io.sluice.codec;

/**
 * Layout of the feedback cell, which the subscriber writes by RDMA into the publication's memory. The two words are
 * cumulative and each is valid alone: a write may cover either or both, and the later value replaces the earlier one.
 * The publication reads each with acquire semantics and takes only a value that grows and lies within what it posted.
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  0|                       consumed position                       |
 *   |                                                               |
 *   +---------------------------------------------------------------+
 *  8|                        receives posted                        |
 *   |                                                               |
 *   +---------------------------------------------------------------+
 * </pre>
 * Stateless; any thread may call it.
 */
public final class FeedbackDescriptor {
    /** Offset of the consumed position (int64): all bytes of the stream before it may be overwritten. */
    public static final int CONSUMED_POSITION_OFFSET = 0;

    /** Offset of the number of receives that were ever posted in this epoch (int64). */
    public static final int RECEIVES_POSTED_OFFSET = 8;

    /** Bytes of one cell. */
    public static final int CELL_LENGTH = 16;

    private FeedbackDescriptor() {
    }
}
