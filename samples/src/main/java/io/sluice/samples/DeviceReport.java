package io.sluice.samples;

import io.sluice.samples.machine.ModelSurvey;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Devices as text for people, and as JSON. Stateless.
 */
final class DeviceReport {
    private static final String ROW = "  %-18s %s%n";
    private static final String GID_ROW = "    gid %-3d %s  %-40s %s%n";

    private DeviceReport() {
    }

    /** The text of the report: lines, each ended. */
    static String text(final RdmaSurvey survey) {
        final StringBuilder text = new StringBuilder();
        survey.devices().forEach(device -> text.append(device(device)).append(System.lineSeparator()));
        text.append(device(RdmaSurvey.software())).append(System.lineSeparator());
        final boolean hasChoice = survey.devices().stream().flatMap(device -> device.ports().stream())
            .flatMap(port -> port.gids().stream()).anyMatch(GidDescription::isChosen);
        if (!survey.libraryVersion().isEmpty()) {
            text.append(String.format(Locale.ROOT, "rdma-core %s%s%n", survey.libraryVersion(),
                hasChoice ? "; * marks the gid that is taken where neither the route to a peer nor gid= decides" : ""));
        }
        if (!survey.problem().isEmpty()) {
            text.append(String.format(Locale.ROOT, "no RDMA: %s%n", survey.problem()));
        }
        return text.toString();
    }

    /** The text of the report on a model: lines, each ended. */
    static String text(final ModelSurvey model) {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "A model of rdma-core's provider %s as it was read, and no device: its port and how many objects it has are"
                + " made up.%n%n", model.name()));
        text.append(device(model.device()));
        model.refused().forEach(what -> text.append(String.format(Locale.ROOT, ROW, "refused", what)));
        model.traits().forEach((trait, source) ->
            text.append(String.format(Locale.ROOT, ROW, "as was read", trait + " in " + source)));
        return text.toString();
    }

    private static String device(final DeviceDescription device) {
        final StringBuilder text = new StringBuilder();
        final String model = device.model().isEmpty() ? "" : ": " + device.model();
        final String node = device.numaNode() == DeviceDescription.UNKNOWN_NODE
            ? "" : ", NUMA node " + device.numaNode();
        text.append(String.format(Locale.ROOT, "%s (%s)%s%s%n", device.name(), device.provider(), model, node));
        if (!device.problem().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "cannot be used", device.problem()));
        }
        device.ports().forEach(port -> text.append(port(port)));
        if (!device.completionReason().isEmpty()) {
            final String name = device.completionInterface();
            text.append(String.format(Locale.ROOT, ROW, "completion queues",
                (name.isEmpty() ? "" : name + ": ") + device.completionReason()));
        }
        if (!device.completionFields().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "their fields", String.join(" ", device.completionFields())));
        }
        if (!device.posting().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "posting", device.posting()));
        }
        if (!device.abilities().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "abilities", String.join(" ", device.abilities())));
        }
        if (!device.capabilities().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "capabilities", String.join(" ", device.capabilities())));
        }
        if (!device.completionFields().isEmpty()) {
            final long clockKHz = device.clock().frequencyKHz();
            text.append(String.format(Locale.ROOT, ROW, "completion clock",
                clockKHz > 0 ? clockKHz + " kHz" : "the device does not tell its rate"));
        }
        if (!device.limits().isEmpty()) {
            text.append(String.format(Locale.ROOT, ROW, "limits", limits(device.limits())));
        }
        return text.toString();
    }

    private static String limits(final Map<String, Long> limits) {
        return limits.entrySet().stream()
            .map(limit -> limit.getKey() + "=" + limit.getValue()).collect(Collectors.joining(" "));
    }

    private static String port(final PortDescription port) {
        final StringBuilder text = new StringBuilder();
        final String lid = port.lid() == 0 ? "" : ", LID " + port.lid();
        text.append(String.format(Locale.ROOT, ROW, "port " + port.number(), port.state() + ", " + port.linkLayer()
            + ", MTU " + port.activeMtuBytes() + " of " + port.maxMtuBytes() + lid
            + (port.asksForGlobalRoute() ? ", global routes only" : "")));
        for (final GidDescription gid : port.gids()) {
            text.append(String.format(Locale.ROOT, GID_ROW, gid.index(), gid.isChosen() ? "*" : " ", gid.address(),
                (gid.type() + " " + gid.networkInterface()).strip()));
        }
        return text.toString();
    }

    /** One line. */
    static String json(final RdmaSurvey survey) {
        final Json json = new Json().beginObject()
            .field("libraryVersion", survey.libraryVersion()).field("problem", survey.problem())
            .beginArray("devices");
        survey.devices().forEach(device -> device(json, device));
        device(json, RdmaSurvey.software());
        return json.endArray().endObject() + System.lineSeparator();
    }

    /** One line. */
    static String json(final ModelSurvey model) {
        final Json json = new Json().beginObject().field("model", model.name()).beginArray("devices");
        device(json, model.device());
        json.endArray();
        elements(json, "refused", model.refused());
        json.beginObject("traits");
        model.traits().forEach(json::field);
        return json.endObject().endObject() + System.lineSeparator();
    }

    private static void device(final Json json, final DeviceDescription device) {
        json.beginObject().field("name", device.name()).field("provider", device.provider())
            .field("model", device.model()).field("problem", device.problem());
        if (device.numaNode() != DeviceDescription.UNKNOWN_NODE) {
            json.field("numaNode", device.numaNode());
        }
        json.field("completionInterface", device.completionInterface())
            .field("completionReason", device.completionReason()).field("posting", device.posting());
        elements(json, "completionFields", device.completionFields());
        elements(json, "abilities", device.abilities());
        elements(json, "capabilities", device.capabilities());
        if (device.clock().frequencyKHz() > 0) {
            json.field("completionClockKHz", device.clock().frequencyKHz());
        }
        json.beginObject("limits");
        device.limits().forEach(json::field);
        json.endObject().beginArray("ports");
        device.ports().forEach(port -> port(json, port));
        json.endArray().endObject();
    }

    private static void elements(final Json json, final String name, final List<String> values) {
        json.beginArray(name);
        values.forEach(json::element);
        json.endArray();
    }

    private static void port(final Json json, final PortDescription port) {
        json.beginObject().field("number", port.number()).field("state", port.state())
            .field("linkLayer", port.linkLayer()).field("activeMtuBytes", port.activeMtuBytes())
            .field("maxMtuBytes", port.maxMtuBytes()).field("lid", port.lid())
            .field("asksForGlobalRoute", port.asksForGlobalRoute()).beginArray("gids");
        for (final GidDescription gid : port.gids()) {
            json.beginObject().field("index", gid.index()).field("address", gid.address()).field("type", gid.type())
                .field("networkInterface", gid.networkInterface()).field("chosen", gid.isChosen()).endObject();
        }
        json.endArray().endObject();
    }
}
