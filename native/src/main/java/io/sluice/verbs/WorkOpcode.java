package io.sluice.verbs;

/**
 * Kinds of completions, with the values of {@code enum ibv_wc_opcode} (ibv_poll_cq(3)). A device may report others, of
 * a newer rdma-core: they are handed on as they are, and {@link #name} and {@link #isReceive} take any value. Any
 * thread.
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
    /** A memory window of this side was bound. */
    public static final int BIND_MW = 5;
    /** A key of this side was invalidated. */
    public static final int LOCAL_INV = 6;
    /** A SEND of this side that the device has cut into segments. */
    public static final int TSO = 7;
    /** A FLUSH of this side; rdma-core has it since version 46. */
    public static final int FLUSH = 8;
    /** An ATOMIC WRITE of this side; rdma-core has it since version 44. */
    public static final int ATOMIC_WRITE = 9;
    /** A message of the peer has filled a receive. */
    public static final int RECV = 1 << 7;
    /** The peer's RDMA WRITE WITH IMMEDIATE has consumed a receive. */
    public static final int RECV_RDMA_WITH_IMM = RECV + 1;
    /** A tagged buffer was added to the matching list. */
    public static final int TM_ADD = RECV + 2;
    /** A tagged buffer was taken off the matching list. */
    public static final int TM_DEL = RECV + 3;
    /** The counter of tagged messages was told to the device. */
    public static final int TM_SYNC = RECV + 4;
    /** A tagged message has filled a buffer, or begun to. */
    public static final int TM_RECV = RECV + 5;
    /** A message without a tag has filled a receive of a tag-matching queue. */
    public static final int TM_NO_TAG = RECV + 6;
    /** The answer to {@code IBV_WR_DRIVER1}. */
    public static final int DRIVER1 = RECV + 7;
    /** An operation of the device's driver. */
    public static final int DRIVER2 = RECV + 8;
    /** An operation of the device's driver. */
    public static final int DRIVER3 = RECV + 9;

    private static final String[] SENDS = {
        "SEND", "RDMA_WRITE", "RDMA_READ", "COMPARE_SWAP", "FETCH_ADD", "BIND_MW", "LOCAL_INV", "TSO", "FLUSH",
        "ATOMIC_WRITE"
    };
    private static final String[] RECEIVES = {
        "RECV", "RECV_RDMA_WITH_IMM", "TM_ADD", "TM_DEL", "TM_SYNC", "TM_RECV", "TM_NO_TAG", "DRIVER1", "DRIVER2",
        "DRIVER3"
    };

    private WorkOpcode() {
    }

    /**
     * Test the bit of {@link #RECV}, as the header says that receives are to be found. Those of tag matching and of
     * drivers have it, too, whatever they are.
     *
     * @param opcode as a completion reports it; any value.
     * @return whether the bit is set.
     */
    public static boolean isReceive(final int opcode) {
        return (opcode & RECV) != 0;
    }

    /**
     * Name of an opcode.
     *
     * @param opcode as a completion reports it; any value.
     * @return the name of the constant here, or {@code "UNKNOWN(n)"}.
     */
    public static String name(final int opcode) {
        if (opcode >= 0 && opcode < SENDS.length) {
            return SENDS[opcode];
        }
        return opcode >= RECV && opcode < RECV + RECEIVES.length ? RECEIVES[opcode - RECV] : "UNKNOWN(" + opcode + ")";
    }
}
