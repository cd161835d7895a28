package io.sluice.rpma;

/** The uses of a memory region, rpma_mr_reg(3): flags to be combined. */
public final class RpmaUsage {
    /** {@code RPMA_MR_USAGE_READ_SRC}: peers read from it. */
    public static final int READ_SOURCE = 1;
    /** {@code RPMA_MR_USAGE_READ_DST}: what is read from a peer comes here. */
    public static final int READ_DESTINATION = 1 << 1;
    /** {@code RPMA_MR_USAGE_WRITE_SRC}: what is written to a peer comes from here. */
    public static final int WRITE_SOURCE = 1 << 2;
    /** {@code RPMA_MR_USAGE_WRITE_DST}: peers write to it. */
    public static final int WRITE_DESTINATION = 1 << 3;
    /** {@code RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY}: peers may flush it for visibility. */
    public static final int FLUSH_VISIBILITY = 1 << 4;
    /** {@code RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT}: peers may flush it for persistency. */
    public static final int FLUSH_PERSISTENT = 1 << 5;
    /** {@code RPMA_MR_USAGE_SEND}: messages are sent from it. */
    public static final int SEND = 1 << 6;
    /** {@code RPMA_MR_USAGE_RECV}: messages are received to it. */
    public static final int RECEIVE = 1 << 7;

    private RpmaUsage() {
    }
}
