package io.sluice.verbs;

/**
 * The accesses that a memory region allows, with the values of {@code enum ibv_access_flags} (ibv_reg_mr(3)).
 */
public final class AccessFlags {
    /** Incoming SENDs, and READs and atomics of this side, may fill the region. */
    public static final int LOCAL_WRITE = 1;
    /** Peers may write to it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** Peers may read it. */
    public static final int REMOTE_READ = 1 << 2;
    /** Peers may carry out atomics on it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_ATOMIC = 1 << 3;

    private AccessFlags() {
    }
}
