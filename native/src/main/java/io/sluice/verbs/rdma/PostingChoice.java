package io.sluice.verbs.rdma;

import java.util.List;
import java.util.Map;

/**
 * The choice of the data path's calls that are plain on a device: a safepoint waits for a critical call, so only those
 * that come back within nanoseconds are critical. Any thread.
 *
 * @param plain      the calls.
 * @param whenFailed whether any post to a queue pair is, too, from before the library knows that it has failed.
 * @param reason     why that is so, for people to read.
 */
record PostingChoice(Plain plain, boolean whenFailed, String reason) {
    /** System property: {@code true} or {@code false} instead of what is known of the device. */
    static final String SYSTEM_CALL_PROP_NAME = "sluice.verbs.posting.system.call";

    private static final List<String> WORDS = List.of("true", "false");

    private static final PostingChoice NONE =
        new PostingChoice(Plain.NONE, false, "it is a few stores into the device's memory");
    private static final PostingChoice UNKNOWN =
        all("nobody has read what the library's part for this vendor does in a call");

    /** Vendors in ibv_query_device(3), each with what its part of libibverbs does on the data path. */
    private static final Map<Integer, PostingChoice> VENDORS = Map.ofEntries(
        Map.entry(DeviceVendor.SOFT_ROCE, sends("soft-RoCE (rdma_rxe)")),
        Map.entry(DeviceVendor.SOFT_IWARP, sends("soft-iWARP (siw)")),
        Map.entry(DeviceVendor.RDMAVT, sends("InfiniPath and Omni-Path (qib, hfi1)")),
        Map.entry(DeviceVendor.MELLANOX, NONE),
        Map.entry(DeviceVendor.EFA, NONE),
        Map.entry(DeviceVendor.IONIC, NONE),
        // qedr/qelr_verbs.c of rdma-core 44 to 50: DP_ERR, in posts to a full queue and polls of errors
        Map.entry(DeviceVendor.QEDR, all("up to rdma-core 50 qedr writes to stderr under the locks of posts and"
            + " polls")),
        // irdma/uverbs.c:2013 and :2108
        Map.entry(DeviceVendor.INTEL,
            new PostingChoice(Plain.NONE, true, NONE.reason + "; in ERROR it is a system call on irdma")),
        // bnxt_re/verbs.c:838, and :2642: one in four million, by older chips
        Map.entry(DeviceVendor.BROADCOM, all("a poll takes the lock of a failed queue pair's other queue on"
            + " bnxt_re, and a post of a datagram may be a system call")),
        // hns_roce_u_hw_v2.c:829 and :1647
        Map.entry(DeviceVendor.HNS,
            all("a poll that finds an error is a system call on hns, which holds the locks of posts")),
        // mana/qp.c:403 and :574
        Map.entry(DeviceVendor.MANA,
            all("a poll that finds an error is a system call on mana, which holds the locks of posts")),
        // erdma_verbs.c:500
        Map.entry(DeviceVendor.ERDMA,
            all("erdma holds the locks of posts in a system call when a queue pair is failed")));

    /** Calls that are linked without {@code critical}: each has those of the ones before it, too. */
    enum Plain {
        /** The rest are critical. */
        NONE,
        /** Posts of any sends. */
        SENDS,
        /** Posts of any sends and receives, and polls. */
        ALL
    }

    private static PostingChoice sends(final String names) {
        return new PostingChoice(Plain.SENDS, false, "it is a system call on " + names);
    }

    private static PostingChoice all(final String reason) {
        return new PostingChoice(Plain.ALL, true, reason);
    }

    /**
     * Decide which calls are plain on a device.
     *
     * @param asked  value of the system property, or null; without effect where polls are plain, too.
     * @param vendor of the device.
     * @throws IllegalArgumentException when the property has another value.
     */
    static PostingChoice of(final String asked, final int vendor) {
        final PostingChoice known = VENDORS.getOrDefault(vendor, UNKNOWN);
        if (asked == null) {
            return known;
        }
        if (!WORDS.contains(asked)) {
            throw new IllegalArgumentException("unknown value: " + SYSTEM_CALL_PROP_NAME + "=" + asked + " known="
                + String.join(",", WORDS));
        }
        if (known.areAllPlain()) {
            // no setting takes a lock away, nor makes known what a poll does
            return known;
        }
        return new PostingChoice(
            Boolean.parseBoolean(asked) ? Plain.SENDS : Plain.NONE, known.whenFailed,
            "asked for by " + SYSTEM_CALL_PROP_NAME);
    }

    /** Whether posts of sends are plain. */
    boolean areSendsPlain() {
        return plain == Plain.SENDS || plain == Plain.ALL;
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
