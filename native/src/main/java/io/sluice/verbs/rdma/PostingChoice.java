package io.sluice.verbs.rdma;

import java.util.List;
import java.util.Map;

/**
 * Whether posting a send is a system call on a device, which decides how the call is linked: a safepoint waits for a
 * critical call, so only those that come back within nanoseconds are. Any thread.
 *
 * @param isSystemCall whether it is.
 * @param reason       why that is so, for people to read.
 */
record PostingChoice(boolean isSystemCall, String reason) {
    /** System property: {@code true} or {@code false} instead of what is known of the device. */
    static final String SYSTEM_CALL_PROP_NAME = "sluice.verbs.posting.system.call";

    private static final List<String> WORDS = List.of("true", "false");

    /** Vendors in ibv_query_device(3) whose part of libibverbs enters the kernel for every post; the others store. */
    private static final Map<Integer, String> VENDORS = Map.of(
        DeviceLimits.SOFT_ROCE_VENDOR, "soft-RoCE (rdma_rxe)",
        0x62_6d74, "soft-iWARP (siw)",
        0x1175, "InfiniPath and Omni-Path (qib, hfi1)");

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
            return new PostingChoice(Boolean.parseBoolean(asked), "asked for by " + SYSTEM_CALL_PROP_NAME);
        }
        final String known = VENDORS.get(vendor);
        return known == null
            ? new PostingChoice(false, "it is a few stores into the device's memory")
            : new PostingChoice(true, "it is a system call on " + known);
    }

    /** One line for people. */
    String describe() {
        return (isSystemCall ? "plain calls: " : "critical calls: ") + reason;
    }
}
