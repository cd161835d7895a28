package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** A device in lines of a report, which name no address. Stateless. */
final class DeviceFacts {
    private DeviceFacts() {
    }

    /**
     * Tell what a device is, its ports, and what is chosen for it where nobody asks for something else.
     *
     * @param device to describe.
     * @param rate   of a port by its number, or nothing.
     */
    static List<String> of(final DeviceDescription device, final IntFunction<String> rate) {
        final List<String> lines = new ArrayList<>();
        lines.add(Report.version(device.model()) + (device.numaNode() == DeviceDescription.UNKNOWN_NODE
            ? "" : ", NUMA node " + device.numaNode()));
        for (final PortDescription port : device.ports()) {
            lines.add(port(port, rate.apply(port.number())));
        }
        if (!device.problem().isEmpty()) {
            lines.add("cannot be used: " + device.problem());
        }
        if (!device.completionReason().isEmpty()) {
            lines.add("AUTO takes completions="
                + (device.completionInterface().isEmpty() ? "unknown" : device.completionInterface()) + ": "
                + device.completionReason());
        }
        if (!device.posting().isEmpty()) {
            lines.add("posting: " + device.posting());
        }
        if (!device.limits().isEmpty()) {
            lines.add("limits: " + device.limits().entrySet().stream()
                .map(limit -> limit.getKey() + "=" + limit.getValue()).collect(Collectors.joining(" ")));
        }
        return lines;
    }

    private static String port(final PortDescription port, final String rate) {
        return "port " + port.number() + ": " + port.state() + ", " + port.linkLayer() + ", MTU "
            + port.activeMtuBytes() + " of " + port.maxMtuBytes() + (rate.isEmpty() ? "" : ", " + rate)
            + (port.lid() == 0 ? ", no LID" : ", has a LID") + ", GRH "
            + (port.asksForGlobalRoute() ? "required" : "not required") + ", GIDs: " + gids(port.gids());
    }

    private static String gids(final List<GidDescription> gids) {
        final Map<String, Integer> types = new TreeMap<>();
        gids.forEach(gid -> types.merge(type(gid), 1, Integer::sum));
        final String chosen = gids.stream().filter(GidDescription::isChosen)
            .map(gid -> ", index " + gid.index() + " (" + type(gid) + ") is taken").findFirst().orElse("");
        return types.isEmpty() ? "none" : types.entrySet().stream()
            .map(type -> type.getValue() + " " + type.getKey()).collect(Collectors.joining(" and ")) + chosen;
    }

    private static String type(final GidDescription gid) {
        return gid.type().isEmpty() ? "of unknown type" : gid.type();
    }

    /** Lists each attribute by its name, bits by theirs. */
    static Map<String, String> of(final DeviceAttributes attributes) {
        final Map<String, String> values = new LinkedHashMap<>();
        for (final RecordComponent component : DeviceAttributes.class.getRecordComponents()) {
            try {
                values.put(component.getName(), String.valueOf(component.getAccessor().invoke(attributes)));
            } catch (final ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        values.put("completionFields", CompletionField.describe(attributes.completionFields()));
        values.put("completionQueueFlags", CompletionQueueFlags.describe(attributes.completionQueueFlags()));
        values.put("capabilities", DeviceCapability.describe(attributes.capabilities()));
        return values;
    }
}
