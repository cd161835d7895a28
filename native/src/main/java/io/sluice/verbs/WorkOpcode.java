package io.sluice.verbs;

/**
 * What completed, with the values of {@code enum ibv_wc_opcode} (ibv_poll_cq(3)).
 */
public final class WorkOpcode {
    /** A SEND, with or without immediate data, of this side. */
    public static final int SEND = 0;
    /** An RDMA WRITE, with or without immediate data, of this side. */
    public static final int RDMA_WRITE = 1;
    /** An RDMA READ of this side. */
    public static final int RDMA_READ = 2;
    /** A COMPARE AND SWAP of this side. */
    public static final int COMPARE_SWAP = 3;
    /** A FETCH AND ADD of this side. */
    public static final int FETCH_ADD = 4;
    /** A message of the peer has filled a receive. */
    public static final int RECV = 1 << 7;
    /** The peer's RDMA WRITE WITH IMMEDIATE has consumed a receive. */
    public static final int RECV_RDMA_WITH_IMM = RECV + 1;

    private WorkOpcode() {
    }
}
