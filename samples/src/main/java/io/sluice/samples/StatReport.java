package io.sluice.samples;

import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counters as text for people, with what they grew by since the last look, or as JSON. One thread.
 */
final class StatReport {
    private record Group(CounterScope scope, long number) {
    }

    private final CounterFilter filter;
    private final Map<String, Long> valuesBefore = new LinkedHashMap<>();
    private long epochMsBefore;

    StatReport(final CounterFilter filter) {
        this.filter = filter;
    }

    /** Lines, each ended. */
    String text(final StatusSnapshot snapshot) {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%tT  %d transports in %s%n", snapshot.epochMs(),
            snapshot.transports().size(), snapshot.directory()));
        for (final TransportStatus status : snapshot.transports()) {
            text.append(String.format("%n%s%n", snapshot.describe(status)));
            groups(status).forEach((group, readings) -> text.append(block(status, group, readings, snapshot)));
        }
        snapshot.skipped().forEach(line -> text.append(String.format("%nunreadable: %s%n", line)));
        remember(snapshot);
        return text.toString();
    }

    private Map<Group, List<CounterReading>> groups(final TransportStatus status) {
        final Map<Group, List<CounterReading>> groups = new LinkedHashMap<>();
        for (final CounterReading reading : status.counters()) {
            if (filter.accepts(reading)) {
                final CounterScope scope = reading.type().scope();
                final long number = scope == CounterScope.TRANSPORT ? 0 : reading.key().group();
                groups.computeIfAbsent(new Group(scope, number), group -> new ArrayList<>()).add(reading);
            }
        }
        return groups;
    }

    private String block(
        final TransportStatus status, final Group group, final List<CounterReading> readings,
        final StatusSnapshot snapshot) {
        final String scope = group.scope().name().toLowerCase(Locale.ROOT);
        final StringBuilder text = new StringBuilder();
        text.append("  ").append(scope).append(' ').append(readings.getFirst().subject()).append(String.format("%n"));
        text.append("   ");
        for (final CounterReading reading : readings) {
            if (group.scope() != CounterScope.TRANSPORT || reading.value() != 0) {
                text.append(' ').append(shortName(reading, scope)).append('=').append(value(reading))
                    .append(growth(status, reading, snapshot.epochMs()));
            }
        }
        return text.append(String.format("%n")).toString();
    }

    /** The scope stands in the line above. */
    private static String shortName(final CounterReading reading, final String scope) {
        final String prefix = scope + "-";
        return reading.name().startsWith(prefix) ? reading.name().substring(prefix.length()) : reading.name();
    }

    private static String value(final CounterReading reading) {
        final boolean isState = reading.type() == CounterType.LINK_STATE || reading.type() == CounterType.IMAGE_STATE;
        return isState ? LinkState.nameOf(reading.value()) : String.format(Locale.ROOT, "%,d", reading.value());
    }

    private String growth(final TransportStatus status, final CounterReading reading, final long epochMs) {
        final Long before = valuesBefore.get(identity(status, reading));
        if (before == null || reading.value() <= before || epochMs <= epochMsBefore) {
            return "";
        }
        final double perSecond = (reading.value() - before) * 1000.0 / (epochMs - epochMsBefore);
        return String.format(Locale.ROOT, " (+%,.0f/s)", perSecond);
    }

    private void remember(final StatusSnapshot snapshot) {
        valuesBefore.clear();
        epochMsBefore = snapshot.epochMs();
        for (final TransportStatus status : snapshot.transports()) {
            status.counters().forEach(reading -> valuesBefore.put(identity(status, reading), reading.value()));
        }
    }

    private static String identity(final TransportStatus status, final CounterReading reading) {
        return status.folder() + " " + reading.type() + " " + reading.key().group();
    }

    /** One object in one line. */
    String json(final StatusSnapshot snapshot) {
        final Json json = new Json().beginObject()
            .field("directory", snapshot.directory().toString())
            .field("epochMs", snapshot.epochMs())
            .beginArray("transports");
        for (final TransportStatus status : snapshot.transports()) {
            begin(json, status).beginArray("counters");
            status.counters().stream().filter(filter::accepts).forEach(reading -> add(json, reading));
            json.endArray().endObject();
        }
        return end(json, snapshot);
    }

    /** What every report tells of a transport; the object stays open. */
    static Json begin(final Json json, final TransportStatus status) {
        return json.beginObject()
            .field("pid", status.processId())
            .field("name", status.clientName())
            .field("alive", status.isAlive())
            .field("startedEpochMs", status.startedEpochMs())
            .field("refreshedEpochMs", status.refreshedEpochMs());
    }

    static String end(final Json json, final StatusSnapshot snapshot) {
        json.endArray().beginArray("unreadable");
        snapshot.skipped().forEach(json::element);
        return json.endArray().endObject() + System.lineSeparator();
    }

    private static void add(final Json json, final CounterReading reading) {
        final CounterScope scope = reading.type().scope();
        json.beginObject()
            .field("name", reading.name())
            .field("scope", scope.name().toLowerCase(Locale.ROOT))
            .field("typeId", reading.type().typeId())
            .field("group", reading.key().group());
        if (scope == CounterScope.AGENT) {
            json.field("agent", reading.subject());
        } else if (scope != CounterScope.TRANSPORT) {
            json.field("stream", reading.key().streamId()).field("channel", reading.channel());
            if (scope != CounterScope.SUBSCRIPTION) {
                json.field("session", reading.key().sessionId());
            }
            if (scope == CounterScope.LINK || scope == CounterScope.IMAGE) {
                json.field("peer", reading.peer()).field("linkId", reading.key().linkId());
            }
        }
        json.field("value", reading.value()).endObject();
    }
}
