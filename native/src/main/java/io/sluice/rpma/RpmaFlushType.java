package io.sluice.rpma;

/** The types of a flush, by the place that each brings bytes to, rpma_flush(3). */
public final class RpmaFlushType {
    /** {@code RPMA_FLUSH_TYPE_PERSISTENT}: to the persistent domain. */
    public static final int PERSISTENT = 0;
    /** {@code RPMA_FLUSH_TYPE_VISIBILITY}: to where the remote machine sees them. */
    public static final int VISIBILITY = 1;

    private RpmaFlushType() {
    }
}
