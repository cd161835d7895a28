package io.sluice.verbs;

/**
 * Fields that a completion queue is asked to make readable, with the values of {@code IBV_WC_EX_WITH_*}
 * (ibv_create_cq_ex(3)). Work request id, status, opcode, vendor error and flags are always readable.
 */
public final class CompletionField {
    /** {@link CompletionQueue#byteLength()}. */
    public static final int BYTE_LENGTH = 1;
    /** {@link CompletionQueue#immediateData()}. */
    public static final int IMMEDIATE = 1 << 1;
    /** {@link CompletionQueue#queuePairNumber()}. */
    public static final int QUEUE_PAIR_NUMBER = 1 << 2;
    /** {@link CompletionQueue#sourceQueuePair()}. */
    public static final int SOURCE_QUEUE_PAIR = 1 << 3;
    /** Source local identifier. */
    public static final int SOURCE_LID = 1 << 4;
    /** Service level. */
    public static final int SERVICE_LEVEL = 1 << 5;
    /** Destination path bits. */
    public static final int DESTINATION_PATH_BITS = 1 << 6;
    /** Completion timestamp in the device's clock. */
    public static final int COMPLETION_TIMESTAMP = 1 << 7;
    /** Customer VLAN. */
    public static final int CUSTOMER_VLAN = 1 << 8;
    /** Flow tag. */
    public static final int FLOW_TAG = 1 << 9;
    /** Tag matching information. */
    public static final int TAG_MATCHING = 1 << 10;
    /** Completion timestamp in the wall clock's nanoseconds. */
    public static final int COMPLETION_TIMESTAMP_WALL_CLOCK = 1 << 11;

    private CompletionField() {
    }
}
