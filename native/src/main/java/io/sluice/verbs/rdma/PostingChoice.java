package io.sluice.verbs.rdma;

import java.util.List;
import java.util.Map;

/**
 * Which calls of the data path are plain on a device: a safepoint waits for a critical call, so only those that come
 * back within nanoseconds are critical. Any thread.
 *
 * @param plain  the calls.
 * @param reason why that is so, for people to read.
 */
record PostingChoice(Plain plain, String reason) {
    /** System property: {@code true} or {@code false} instead of what is known of the device. */
    static final String SYSTEM_CALL_PROP_NAME = "sluice.verbs.posting.system.call";

    private static final List<String> WORDS = List.of("true", "false");

    private static final PostingChoice NONE =
        new PostingChoice(Plain.NONE, "it is a few stores into the device's memory");

    /** Vendors in ibv_query_device(3) whose part of libibverbs enters the kernel on the data path. */
    private static final Map<Integer, PostingChoice> VENDORS = Map.of(
        DeviceLimits.SOFT_ROCE_VENDOR, sends("soft-RoCE (rdma_rxe)"),
        0x62_6d74, sends("soft-iWARP (siw)"),
        0x1175, sends("InfiniPath and Omni-Path (qib, hfi1)"),
        // bnxt_re/verbs.c:2642: one in four million, by older chips
        0x14e4, new PostingChoice(Plain.DATAGRAMS, NONE.reason + "; of datagrams it may be a system call on bnxt_re"),
        // hns_roce_u_hw_v2.c:829 and :1647
        0x19e5, all("a poll that finds an error is a system call on hns, which holds the locks of posts"),
        // erdma_verbs.c:500
        0x1ded, all("erdma holds the locks of posts in a system call when a queue pair is failed"));

    /** Calls that are linked without {@code critical}. */
    enum Plain {
        /** The rest are critical. */
        NONE,
        /** Posts of datagrams. */
        DATAGRAMS,
        /** Posts of any sends. */
        SENDS,
        /** Posts of any sends and receives, and polls. */
        ALL
    }

    private static PostingChoice sends(final String names) {
        return new PostingChoice(Plain.SENDS, "it is a system call on " + names);
    }

    private static PostingChoice all(final String reason) {
        return new PostingChoice(Plain.ALL, reason);
    }

    /**
     * Decide.
     *
     * @param asked  value of the system property, or null.
     * @param vendor of the device.
     * @throws IllegalArgumentException when the property has another value.
     */
    static PostingChoice of(final String asked, final int vendor) {
        if (asked != null) {
            if (!WORDS.contains(asked)) {
                throw new IllegalArgumentException("unknown value: " + SYSTEM_CALL_PROP_NAME + "=" + asked + " known="
                    + String.join(",", WORDS));
            }
            return new PostingChoice(
                Boolean.parseBoolean(asked) ? Plain.SENDS : Plain.NONE, "asked for by " + SYSTEM_CALL_PROP_NAME);
        }
        return VENDORS.getOrDefault(vendor, NONE);
    }

    /** Whether posts of sends are plain. */
    boolean areSendsPlain() {
        return plain == Plain.SENDS || plain == Plain.ALL;
    }

    /** Whether posts of datagrams are. */
    boolean areDatagramsPlain() {
        return plain != Plain.NONE;
    }

    /** Whether posts of receives and polls are, too. */
    boolean areAllPlain() {
        return plain == Plain.ALL;
    }

    /** One line for people. */
    String describe() {
        return (areSendsPlain() ? "plain calls: " : "critical calls: ") + reason;
    }
}
