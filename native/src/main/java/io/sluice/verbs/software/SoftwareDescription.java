package io.sluice.verbs.software;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The software device in words. Stateless. */
final class SoftwareDescription {
    static final String NAME = "software";
    static final DeviceAttributes ATTRIBUTES = new DeviceAttributes(
        SoftwareLimits.MAX_COMPLETION_QUEUE_ENTRIES,
        SoftwareLimits.MAX_WORK_REQUESTS,
        true,
        SoftwareLimits.MAX_INLINE_DATA,
        SoftwareLimits.MAX_REGION_LENGTH,
        CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER
            | CompletionField.SOURCE_QUEUE_PAIR,
        CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN,
        true,
        1,
        false,
        SoftwareLimits.MAX_READ_ATOMIC,
        SoftwareLimits.MAX_READ_ATOMIC,
        true,
        SoftwareLimits.MAX_WORK_REQUESTS,
        0,
        true,
        DeviceCapability.RC_RNR_NAK_GEN,
        new DeviceClock(SoftwareLimits.CLOCK_KHZ, 0));

    private SoftwareDescription() {
    }

    static DeviceDescription describe() {
        final Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("queue-pairs", (long) SoftwareLimits.MAX_QUEUE_PAIRS);
        limits.put("work-requests", (long) ATTRIBUTES.maxQueuePairWorkRequests());
        limits.put("inline-bytes", (long) ATTRIBUTES.maxInlineData());
        limits.put("completion-queues", (long) SoftwareLimits.MAX_COMPLETION_QUEUES);
        limits.put("completion-queue-entries", (long) ATTRIBUTES.maxCompletionQueueEntries());
        limits.put("completion-vectors", (long) ATTRIBUTES.completionVectors());
        limits.put("region-bytes", ATTRIBUTES.maxMemoryRegionLength());
        limits.put("reads-in-flight", (long) ATTRIBUTES.maxReadAtomic());
        return new DeviceDescription(NAME, NAME, "shared memory of this host", DeviceDescription.UNKNOWN_NODE, NAME,
            "completions lie in shared memory and are read there", "no calls: who posts carries out",
            DeviceDescription.completionFields(ATTRIBUTES), DeviceDescription.abilities(ATTRIBUTES),
            DeviceDescription.capabilities(ATTRIBUTES), ATTRIBUTES.clock(), limits, List.of(), "");
    }
}
