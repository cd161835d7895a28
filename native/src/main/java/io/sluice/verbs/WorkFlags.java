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

    /** Completion: the buffer of a datagram begins with a global routing header ({@code IBV_WC_GRH}). */
    public static final int GLOBAL_ROUTE = 1;
    /** Completion: immediate data is valid ({@code IBV_WC_WITH_IMM}). */
    public static final int WITH_IMMEDIATE = 1 << 1;
    /**
     * Completion: the checksums of the packet are right ({@code IBV_WC_IP_CSUM_OK}). Means something only where the
     * device checks them for this kind of queue pair: {@link DeviceCapability#RC_IP_CSUM}, for datagrams
     * {@link DeviceCapability#UD_IP_CSUM}, in {@link DeviceAttributes#capabilities()}.
     */
    public static final int CHECKSUMS_OK = 1 << 2;
    /** Completion: the invalidated key is valid ({@code IBV_WC_WITH_INV}). */
    public static final int WITH_INVALIDATED_KEY = 1 << 3;
    /** Completion: the counter of tagged messages must be told to the device ({@code IBV_WC_TM_SYNC_REQ}). */
    public static final int TAG_SYNC_REQUEST = 1 << 4;
    /** Completion: a tag has matched ({@code IBV_WC_TM_MATCH}). */
    public static final int TAG_MATCHED = 1 << 5;
    /** Completion: the bytes of a matched message are there ({@code IBV_WC_TM_DATA_VALID}). */
    public static final int TAG_DATA_VALID = 1 << 6;

    private WorkFlags() {
    }
}
