package io.sluice.samples;

import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Counters as text for people, with what they grew by since the last look. One thread.
 */
final class StatReport {
    private static final int WIDTH = 80;
    /** Counters that go up and down, or hardly ever up, so that a rate of them says nothing. */
    private static final Set<CounterType> LEVELS = EnumSet.of(
        CounterType.AGENT_MAX_CYCLE, CounterType.LINK_STATE, CounterType.LINK_EPOCH, CounterType.SUBSCRIPTION_LINKS,
        CounterType.IMAGE_STATE, CounterType.RING_CAPACITY, CounterType.RING_OCCUPANCY,
        CounterType.RING_MAX_OCCUPANCY, CounterType.CONSUMER_STATE, CounterType.CONSUMER_DISTANCE,
        CounterType.PUBLICATION_PRESSURE, CounterType.PUBLICATION_PRESSURE_CAUSE, CounterType.SUBSCRIPTION_PRESSURE,
        CounterType.SUBSCRIPTION_PRESSURE_CAUSE, CounterType.LATENCY_RECENT_P50, CounterType.LATENCY_RECENT_P99,
        CounterType.LATENCY_RECENT_P999, CounterType.LATENCY_RECENT_MAX, CounterType.LATENCY_P50,
        CounterType.LATENCY_P99, CounterType.LATENCY_P999, CounterType.LATENCY_MAX);

    private record Group(CounterScope scope, long number) {
    }

    private final CounterFilter filter;
    private final Map<String, Long> valuesBefore = new LinkedHashMap<>();
    private long epochMsBefore;

    StatReport(final CounterFilter filter) {
        this.filter = filter;
    }

    /** The text of the report: lines, each ended. */
    String text(final StatusSnapshot snapshot) {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%tT  %d transports in %s%n", snapshot.epochMs(),
            snapshot.transports().size(), snapshot.directory()));
        for (final TransportStatus status : snapshot.transports()) {
            text.append(String.format(Locale.ROOT, "%n%s%n", snapshot.describe(status)));
            groups(status).forEach((group, readings) -> text.append(block(status, group, readings, snapshot)));
        }
        snapshot.skipped().forEach(line -> text.append(String.format(Locale.ROOT, "%nunreadable: %s%n", line)));
        remember(snapshot);
        return text.toString();
    }

    private Map<Group, List<CounterReading>> groups(final TransportStatus status) {
        final Map<Group, List<CounterReading>> groups = new LinkedHashMap<>();
        for (final CounterReading reading : status.counters()) {
            if (filter.accepts(reading)) {
                final CounterScope scope = reading.type().scope();
                final boolean isOne = scope == CounterScope.TRANSPORT || scope == CounterScope.APPLICATION;
                final long number = isOne ? 0 : reading.key().group();
                groups.computeIfAbsent(new Group(scope, number), group -> new ArrayList<>()).add(reading);
            }
        }
        return groups;
    }

    private String block(
        final TransportStatus status, final Group group, final List<CounterReading> readings,
        final StatusSnapshot snapshot) {
        final String scope = group.scope().name().toLowerCase(Locale.ROOT);
        final List<String> values = new ArrayList<>();
        for (final CounterReading reading : readings) {
            if (group.scope() != CounterScope.TRANSPORT || reading.value() != 0) {
                values.add(shortName(reading, scope) + difference(reading, readings) + "=" + value(reading)
                    + growth(status, reading, snapshot.epochMs()));
            }
        }
        final boolean isSlowest =
            group.scope() == CounterScope.CONSUMER && Backlog.isSlowest(status, readings.getFirst().key());
        final String title = "  " + scope + " " + readings.getFirst().subject() + (isSlowest ? " (the slowest)" : "");
        return group.scope().hasStream()
            ? title + System.lineSeparator() + wrapped("   ", values)
            : wrapped(title.stripTrailing(), values);
    }

    /** Wraps values, as many on a line as a narrow terminal has room for. */
    private static String wrapped(final String beginning, final List<String> values) {
        final StringBuilder text = new StringBuilder();
        String line = beginning;
        for (final String value : values) {
            if (line.length() + 1 + value.length() > WIDTH) {
                text.append(line).append(System.lineSeparator());
                line = "   ";
            }
            line += " " + value;
        }
        return text.append(line).append(System.lineSeparator()).toString();
    }

    /**
     * The name of a counter without its scope, which stands in the line above; what a program calls its counter is left
     * as it is.
     */
    private static String shortName(final CounterReading reading, final String scope) {
        final String prefix = reading.type() == CounterType.APPLICATION ? "" : scope + "-";
        return reading.name().startsWith(prefix) ? reading.name().substring(prefix.length()) : reading.name();
    }

    /** Type and key of a counter of a program that has another one with that label; else nothing. */
    private static String difference(final CounterReading reading, final List<CounterReading> readings) {
        if (reading.type() != CounterType.APPLICATION
            || readings.stream().filter(other -> other.label().equals(reading.label())).count() == 1) {
            return "";
        }
        final String key = StatusJson.key(reading);
        return "[" + reading.typeId() + (key.isEmpty() ? "" : " key=" + key) + "]";
    }

    private static String value(final CounterReading reading) {
        return switch (reading.type()) {
            case LINK_STATE, IMAGE_STATE -> LinkState.nameOf(reading.value());
            case CONSUMER_STATE -> ConsumerState.nameOf(reading.value());
            case PUBLICATION_PRESSURE, SUBSCRIPTION_PRESSURE -> PressureState.nameOf(reading.value());
            case PUBLICATION_PRESSURE_CAUSE, SUBSCRIPTION_PRESSURE_CAUSE -> BackPressureCause.nameOf(reading.value());
            default -> String.format(Locale.ROOT, "%,d", reading.value());
        };
    }

    private String growth(final TransportStatus status, final CounterReading reading, final long epochMs) {
        final Long before = valuesBefore.get(identity(status, reading));
        if (before == null || reading.value() <= before || epochMs <= epochMsBefore
            || LEVELS.contains(reading.type())) {
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
}
