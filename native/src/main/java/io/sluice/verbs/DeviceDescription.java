package io.sluice.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The facts about a device that people want to know before they use it. Plain data of the moment in which it was asked
 * for; any thread, nothing to own.
 *
 * @param name                to open it by.
 * @param provider            {@code "rdma"} or {@code "software"}.
 * @param model               what it is, in words.
 * @param numaNode            memory node that it is nearest to, or {@link #UNKNOWN_NODE}.
 * @param completionInterface {@code "extended"}, {@code "legacy"} or {@code "software"}; empty when it is not known.
 * @param completionReason    why the device gets that interface, or why it is not known.
 * @param posting             how calls that post sends are linked and why; empty when it is not known.
 * @param completionFields    what completions can tell beside work request id, status, opcode, vendor error and flags.
 * @param abilities           what the device has that not all have.
 * @param capabilities        names of its {@link DeviceCapability} bits.
 * @param clock               by which its completions are stamped.
 * @param limits              names with a unit and values, in the order to show them in.
 * @param ports               by number; empty for the software device.
 * @param problem             why the device cannot be used and what to do, or empty.
 */
public record DeviceDescription(
    String name,
    String provider,
    String model,
    int numaNode,
    String completionInterface,
    String completionReason,
    String posting,
    List<String> completionFields,
    List<String> abilities,
    List<String> capabilities,
    DeviceClock clock,
    Map<String, Long> limits,
    List<PortDescription> ports,
    String problem) {
    /** The value of {@link #numaNode()} where the system does not tell the memory node, or there is only one. */
    public static final int UNKNOWN_NODE = -1;

    /**
     * The description of a device that cannot be used.
     *
     * @param name     to open it by.
     * @param provider {@code "rdma"} or {@code "software"}.
     * @param problem  why, and what to do.
     * @return a description without anything else.
     */
    public static DeviceDescription unusable(final String name, final String provider, final String problem) {
        return new DeviceDescription(name, provider, "", UNKNOWN_NODE, "", "", "", List.of(), List.of(), List.of(),
            DeviceClock.UNKNOWN, Map.of(), List.of(), problem);
    }

    /**
     * The names of the fields that completions can tell.
     *
     * @param attributes of a device.
     * @return {@link CompletionField} names.
     */
    public static List<String> completionFields(final DeviceAttributes attributes) {
        return split(CompletionField.describe(attributes.completionFields()));
    }

    /**
     * The names of the abilities that a device has and not every device has.
     *
     * @param attributes of the device.
     * @return names, those of {@link CompletionQueueFlags} among them.
     */
    public static List<String> abilities(final DeviceAttributes attributes) {
        final List<String> abilities = new ArrayList<>(
            split(CompletionQueueFlags.describe(attributes.completionQueueFlags())));
        if (attributes.parentDomains()) {
            abilities.add("PARENT_DOMAINS");
        }
        if (attributes.atomics()) {
            abilities.add("ATOMICS");
        }
        if (attributes.maxSharedReceiveWorkRequests() > 0) {
            abilities.add("SHARED_RECEIVE_QUEUES");
        }
        if (attributes.maxDatagramLength() > 0) {
            abilities.add("DATAGRAMS");
        }
        if (attributes.sharesMemory()) {
            abilities.add("SHARED_MEMORY");
        }
        return abilities;
    }

    /**
     * The names of what the device says it can do.
     *
     * @param attributes of the device.
     * @return {@link DeviceCapability} names.
     */
    public static List<String> capabilities(final DeviceAttributes attributes) {
        return split(DeviceCapability.describe(attributes.capabilities()));
    }

    private static List<String> split(final String names) {
        return names.isEmpty() ? List.of() : List.of(names.split("\\|"));
    }
}
