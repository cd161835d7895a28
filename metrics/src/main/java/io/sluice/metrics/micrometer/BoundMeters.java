package io.sluice.metrics.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.step.StepFunctionCounter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The meters of one registry, a meter for each series of a look. Used under the lock of {@link SluiceMetrics}; the
 * registry reads values from any thread.
 */
final class BoundMeters {
    private static final String DROPPED = "sluice_exporter_series_dropped";
    private static final String UP = "sluice_transport_up";
    private static final String ERRORS = "sluice_error_observations";
    private static final String TRANSPORT = "transport";

    /** The lock while meters are registered, so that of two for one series one is the first, and knows that it is. */
    private static final Object REGISTERING = new Object();

    private final MeterRegistry registry;
    private final Map<Key, Series> registered = new HashMap<>();
    /** Series that the registry has refused, by the meter that is in their place; null where there is none. */
    private final Map<Key, Meter.Id> refused = new HashMap<>();
    /** Whether a look has been taken up: what comes later counts from 0, unless somebody else had its place. */
    private boolean hasLooked;

    /** The name and the labels of a series. */
    private record Key(String name, Labels labels) {
        static Key of(final Point point) {
            return new Key(point.metadata().getName(), point.labels());
        }
    }

    /** One series of a look. */
    private record Point(MetricMetadata metadata, boolean isCounter, Labels labels, double value) {
    }

    /** The value that a meter shows. The registry does not keep it alive, the map does. */
    private static final class Series {
        private volatile double value;
        /** The value that a registry of steps counts from. */
        private volatile double start;
        private Meter meter;

        double value() {
            return value - start;
        }
    }

    BoundMeters(final MeterRegistry registry) {
        this.registry = registry;
    }

    MeterRegistry registry() {
        return registry;
    }

    /**
     * Sets the meters to what a look has found, and removes those of what it has not found, but for counters of files
     * that it could not read.
     *
     * @param snapshots that the look has found; none when it failed.
     * @param isUnread  whether the look may lack series of a transport, by the label.
     * @throws RuntimeException when a listener of the registry throws; all others are set and removed.
     */
    void update(final MetricSnapshots snapshots, final Predicate<String> isUnread) {
        final Map<Key, Point> points = points(snapshots);
        refused.keySet().retainAll(points.keySet());
        final RuntimeException failure = remove(points.keySet(), isUnread);
        final List<Point> missing = new ArrayList<>();
        points.forEach((key, point) -> {
            final Series series = registered.get(key);
            if (series == null) {
                missing.add(point);
            } else {
                series.value = point.value();
            }
        });
        if (!missing.isEmpty()) {
            synchronized (REGISTERING) {
                register(missing);
            }
        }
        hasLooked |= !points.isEmpty();
        registered.forEach((key, series) -> {
            if (key.name().equals(DROPPED)) {
                series.value = points.get(key).value() + refused.size();
            }
        });
        if (failure != null) {
            throw failure;
        }
    }

    private static Map<Key, Point> points(final MetricSnapshots snapshots) {
        final Map<Key, Point> points = new LinkedHashMap<>();
        for (final MetricSnapshot snapshot : snapshots) {
            for (final DataPointSnapshot each : snapshot.getDataPoints()) {
                final Point point = new Point(
                    snapshot.getMetadata(), snapshot instanceof CounterSnapshot, each.getLabels(), valueOf(each));
                points.put(Key.of(point), point);
            }
        }
        return points;
    }

    private static double valueOf(final DataPointSnapshot point) {
        return point instanceof CounterDataPointSnapshot counter
            ? counter.getValue() : ((GaugeDataPointSnapshot) point).getValue();
    }

    private RuntimeException remove(final Set<Key> found, final Predicate<String> isUnread) {
        final Set<String> read = new HashSet<>();
        found.stream().filter(key -> key.name().equals(UP)).forEach(key -> read.add(key.labels().get(TRANSPORT)));
        RuntimeException failure = null;
        final Iterator<Map.Entry<Key, Series>> all = registered.entrySet().iterator();
        while (all.hasNext()) {
            final Map.Entry<Key, Series> each = all.next();
            if (!found.contains(each.getKey()) && !isKept(each, read, isUnread)) {
                all.remove();
                if (each.getValue().meter instanceof Gauge) {
                    // a program that holds it must not take the last value for what is so now
                    each.getValue().value = Double.NaN;
                }
                try {
                    registry.remove(each.getValue().meter);
                } catch (final RuntimeException ex) {
                    if (failure == null) {
                        failure = ex;
                    } else {
                        failure.addSuppressed(ex);
                    }
                }
            }
        }
        return failure;
    }

    /**
     * Whether a series that a look lacks may be there again in the next. A counter that was removed meanwhile would
     * count from 0 again in a registry of steps, all that there is. Files of errors are read by themselves.
     */
    private static boolean isKept(
        final Map.Entry<Key, Series> each, final Set<String> read, final Predicate<String> isUnread) {
        final String transport = each.getKey().labels().get(TRANSPORT);
        return each.getValue().meter instanceof FunctionCounter
            && (each.getKey().name().equals(ERRORS) || !read.contains(transport)) && isUnread.test(transport);
    }

    /** Registers what the registry takes. Names may be changed by its filters: what was there tells by its own. */
    private void register(final List<Point> missing) {
        final Set<Meter.Id> others = new HashSet<>();
        registry.getMeters().forEach(meter -> others.add(meter.getId()));
        for (final Point point : missing) {
            final Key key = Key.of(point);
            if (!others.contains(refused.get(key))) {
                register(key, point, others);
            }
        }
    }

    private void register(final Key key, final Point point, final Set<Meter.Id> others) {
        final Series series = new Series();
        series.value = point.value();
        try {
            series.meter = register(point, series);
            if ((!hasLooked || refused.containsKey(key)) && series.meter instanceof StepFunctionCounter) {
                series.start = point.value();
            }
        } catch (final IllegalArgumentException ex) {
            // the registry's word for a meter of another kind, which has the name
            refused.put(key, null);
            return;
        }
        if (others.contains(series.meter.getId())) {
            refused.put(key, series.meter.getId());
        } else {
            refused.remove(key);
            registered.put(key, series);
        }
    }

    private Meter register(final Point point, final Series series) {
        final MetricMetadata metadata = point.metadata();
        final String name = nameOf(metadata, point.isCounter());
        final String unit = metadata.getUnit() == null ? null : metadata.getUnit().toString();
        final List<Tag> tags = new ArrayList<>();
        for (final Label label : point.labels()) {
            tags.add(Tag.of(withDots(label.getName()), label.getValue()));
        }
        return point.isCounter()
            ? FunctionCounter.builder(name, series, Series::value)
                .description(metadata.getHelp()).baseUnit(unit).tags(tags).register(registry)
            : Gauge.builder(name, series, Series::value)
                .description(metadata.getHelp()).baseUnit(unit).tags(tags).register(registry);
    }

    /** Gives a gauge's unit to the registry to append, and leaves it to a count of bytes, which is nothing without. */
    private static String nameOf(final MetricMetadata metadata, final boolean isCounter) {
        final String name = metadata.getName();
        final Unit unit = metadata.getUnit();
        return withDots(
            isCounter || unit == null ? name : name.substring(0, name.length() - unit.toString().length() - 1));
    }

    private static String withDots(final String name) {
        return name.replace('_', '.');
    }

    @Override
    public String toString() {
        return "BoundMeters{registered=" + registered.size() + " refused=" + refused.size() + "}";
    }
}
