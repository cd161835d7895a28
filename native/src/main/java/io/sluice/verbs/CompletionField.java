package io.sluice.verbs;

import java.util.StringJoiner;

/**
 * Fields that a completion queue is asked to make readable, with the values of {@code IBV_WC_EX_WITH_*}
 * (ibv_create_cq_ex(3)). Work request id, status, opcode, vendor error and flags are always readable.
 */
public final class CompletionField {
    /** {@link CompletionQueue#byteLength()}. */
    public static final int BYTE_LENGTH = 1;
    /** {@link CompletionQueue#immediateData()} and {@link CompletionQueue#invalidatedKey()}. */
    public static final int IMMEDIATE = 1 << 1;
    /** {@link CompletionQueue#queuePairNumber()}. */
    public static final int QUEUE_PAIR_NUMBER = 1 << 2;
    /** {@link CompletionQueue#sourceQueuePair()}. */
    public static final int SOURCE_QUEUE_PAIR = 1 << 3;
    /** {@link CompletionQueue#sourceLid()}. */
    public static final int SOURCE_LID = 1 << 4;
    /** {@link CompletionQueue#serviceLevel()}. */
    public static final int SERVICE_LEVEL = 1 << 5;
    /** {@link CompletionQueue#destinationPathBits()}. */
    public static final int DESTINATION_PATH_BITS = 1 << 6;
    /** {@link CompletionQueue#completionTimestamp()}. */
    public static final int COMPLETION_TIMESTAMP = 1 << 7;
    /** {@link CompletionQueue#customerVlan()}. */
    public static final int CUSTOMER_VLAN = 1 << 8;
    /** {@link CompletionQueue#flowTag()}. */
    public static final int FLOW_TAG = 1 << 9;
    /** {@link CompletionQueue#matchedTag()} and {@link CompletionQueue#matchedUserData()}. */
    public static final int TAG_MATCHING = 1 << 10;
    /** {@link CompletionQueue#completionTimestampWallClockNs()}. */
    public static final int COMPLETION_TIMESTAMP_WALL_CLOCK = 1 << 11;

    private static final String[] NAMES = {
        "BYTE_LENGTH", "IMMEDIATE", "QUEUE_PAIR_NUMBER", "SOURCE_QUEUE_PAIR", "SOURCE_LID", "SERVICE_LEVEL",
        "DESTINATION_PATH_BITS", "COMPLETION_TIMESTAMP", "CUSTOMER_VLAN", "FLOW_TAG", "TAG_MATCHING",
        "COMPLETION_TIMESTAMP_WALL_CLOCK"
    };

    private CompletionField() {
    }

    /**
     * The names of fields.
     *
     * @param fields any bits.
     * @return for example {@code "BYTE_LENGTH|FLOW_TAG"}; empty for none.
     */
    public static String describe(final int fields) {
        return names(fields, NAMES);
    }

    static String names(final int bits, final String[] names) {
        final StringJoiner joiner = new StringJoiner("|");
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            final int bit = Integer.numberOfTrailingZeros(rest);
            joiner.add(bit < names.length ? names[bit] : "BIT_" + bit);
        }
        return joiner.toString();
    }
}
