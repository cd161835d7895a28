package io.sluice.verbs;

/**
 * Flags of a posted work request ({@code enum ibv_send_flags}, ibv_post_send(3)) and of a completion
 * ({@code enum ibv_wc_flags}, ibv_poll_cq(3)).
 */
public final class WorkFlags {
    /** No flag. */
    public static final int NONE = 0;
    /** Posting: begin only when all READs and atomics posted before are done ({@code IBV_SEND_FENCE}). */
    public static final int FENCED = 1;
    /** Posting: make a completion on success too ({@code IBV_SEND_SIGNALED}). */
    public static final int SIGNALED = 1 << 1;
    /** Posting: raise a solicited event at the peer ({@code IBV_SEND_SOLICITED}). */
    public static final int SOLICITED = 1 << 2;
    /** Posting: take the bytes now; the local key is ignored, the buffer free on return ({@code IBV_SEND_INLINE}). */
    public static final int INLINE = 1 << 3;

    /** Completion: immediate data is valid ({@code IBV_WC_WITH_IMM}). */
    public static final int WITH_IMMEDIATE = 1 << 1;

    private WorkFlags() {
    }
}
