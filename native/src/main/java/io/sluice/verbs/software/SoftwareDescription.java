package io.sluice.verbs.software;

import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The software device in words. Stateless. */
final class SoftwareDescription {
    private SoftwareDescription() {
    }

    static DeviceDescription of(final String name, final DeviceAttributes attributes) {
        final Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("queue-pairs", (long) SoftwareLimits.MAX_QUEUE_PAIRS);
        limits.put("work-requests", (long) attributes.maxQueuePairWorkRequests());
        limits.put("inline-bytes", (long) attributes.maxInlineData());
        limits.put("completion-queues", (long) SoftwareLimits.MAX_COMPLETION_QUEUES);
        limits.put("completion-queue-entries", (long) attributes.maxCompletionQueueEntries());
        limits.put("completion-vectors", (long) attributes.completionVectors());
        limits.put("region-bytes", attributes.maxMemoryRegionLength());
        limits.put("reads-in-flight", (long) attributes.maxReadAtomic());
        return new DeviceDescription(name, name, "shared memory of this host", DeviceDescription.UNKNOWN_NODE, name,
            "completions lie in shared memory and are read there", "no calls: who posts carries out",
            DeviceDescription.completionFields(attributes), DeviceDescription.abilities(attributes),
            DeviceDescription.capabilities(attributes), attributes.clock(), limits, List.of(), "");
    }
}
