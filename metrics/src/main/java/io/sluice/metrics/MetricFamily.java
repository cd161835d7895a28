package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A metric by its name, with what all its series have in common. Immutable; any thread. Compared by identity.
 */
final class MetricFamily {
    /** The kind of its values. */
    private enum Kind { COUNTER, GAUGE }

    private static final double NS_PER_SECOND = 1e9;

    private final Kind kind;
    private final MetricMetadata metadata;
    private final double minimum;
    private final double unitsPerValue;

    /** Names a counter's values. */
    @FunctionalInterface
    interface StateNames {
        /** The name of an ordinal, which is its number when no constant has it. */
        String nameOf(long ordinal);
    }

    private MetricFamily(
        final Kind kind, final MetricMetadata metadata, final double minimum, final double unitsPerValue) {
        this.kind = kind;
        this.metadata = metadata;
        this.minimum = minimum;
        this.unitsPerValue = unitsPerValue;
    }

    /** A count that only grows; the text shows the name with {@code _total} behind it. */
    static MetricFamily counter(final String name, final String help) {
        return new MetricFamily(Kind.COUNTER, new MetricMetadata(name, help), 0, 1);
    }

    /** A count of bytes that only grows. */
    static MetricFamily byteCounter(final String name, final String help) {
        return new MetricFamily(Kind.COUNTER, new MetricMetadata(name, help, Unit.BYTES), 0, 1);
    }

    /** A value that goes up and down. */
    static MetricFamily gauge(final String name, final String help) {
        return new MetricFamily(Kind.GAUGE, new MetricMetadata(name, help), Double.NEGATIVE_INFINITY, 1);
    }

    /** A value in bytes, such as a position. */
    static MetricFamily bytes(final String name, final String help) {
        return new MetricFamily(Kind.GAUGE, new MetricMetadata(name, help, Unit.BYTES), 0, 1);
    }

    /** A value in seconds, of which a counter's value has so many. */
    static MetricFamily seconds(final String name, final String help, final double unitsPerSecond) {
        return new MetricFamily(
            Kind.GAUGE, new MetricMetadata(name, help, Unit.SECONDS), 0, unitsPerSecond);
    }

    /** A value in seconds, of a counter in nanoseconds. */
    static MetricFamily nanoseconds(final String name, final String help) {
        return seconds(name, help, NS_PER_SECOND);
    }

    /** A part of a whole, from 0 to 1. */
    static MetricFamily ratio(final String name, final String help) {
        return new MetricFamily(Kind.GAUGE, new MetricMetadata(name, help, Unit.RATIO), 0, 1);
    }

    /** The ordinal of an enumeration's constant; the help says which is which. */
    static MetricFamily state(final String name, final String help, final int count, final StateNames names) {
        return new MetricFamily(Kind.GAUGE, new MetricMetadata(name, help + " " + LongStream.range(0, count)
            .mapToObj(ordinal -> ordinal + " " + names.nameOf(ordinal)).collect(Collectors.joining(", ")) + "."), 0, 1);
    }

    /** {@return the name without {@code _total}} */
    String name() {
        return metadata.getName();
    }

    /** Whether a value has a meaning: a position below 0 says that there is none, and no count is below 0. */
    boolean accepts(final double value) {
        return value >= minimum;
    }

    DataPointSnapshot point(final Labels labels, final double value) {
        return switch (kind) {
            case COUNTER -> new CounterDataPointSnapshot(value / unitsPerValue, labels, null, 0);
            case GAUGE -> new GaugeDataPointSnapshot(value / unitsPerValue, labels, null);
        };
    }

    /** All series at a moment, of points that {@link #point} has made. */
    MetricSnapshot snapshot(final List<DataPointSnapshot> points) {
        return switch (kind) {
            case COUNTER -> new CounterSnapshot(
                metadata, points.stream().map(CounterDataPointSnapshot.class::cast).toList());
            case GAUGE -> new GaugeSnapshot(metadata, points.stream().map(GaugeDataPointSnapshot.class::cast).toList());
        };
    }

    @Override
    public String toString() {
        return "MetricFamily{name=" + name() + " kind=" + kind + "}";
    }
}
