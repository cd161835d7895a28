package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The metric and the labels of each counter of one transport. A scrape that finds the counters of the one before takes
 * their values only: making labels and sorting them takes longer than reading the files. Files of others are not
 * believed: a counter that comes twice, or is none that this version knows, has no series and is counted. Immutable.
 */
final class TransportSeries {
    private static final TransportCounter[] TRANSPORT_COUNTERS = TransportCounter.values();
    private static final List<MetricFamily> OF_TRANSPORT = ofTransport();

    private final String clientName;
    private final List<CounterReading> counters;
    private final List<Series> series;
    private final List<Series> ofWindows;
    private final int dropped;

    /** The metric and the labels of the counter that is so many in the list. */
    record Series(int index, MetricFamily family, Labels labels) {
    }

    /** The subject of counters: those of a group have one scope, stream and channel. */
    private record Group(CounterScope scope, long number) {
    }

    /** The labels of a group's counters, and which types were met. */
    private static final class Subject {
        private final Labels labels;
        private long typesSeen;

        Subject(final Labels labels) {
            this.labels = labels;
        }

        /** Marks a type as met. Returns whether it is the first of that type, or of that counter of the transport. */
        boolean isFirst(final int number) {
            final long bit = 1L << number;
            final boolean isFirst = (typesSeen & bit) == 0;
            typesSeen |= bit;
            return isFirst;
        }
    }

    /** Makes the series of a transport's counters. */
    TransportSeries(final TransportStatus status) {
        clientName = status.clientName();
        counters = status.counters();
        final TransportLabels labels = new TransportLabels(status);
        final Subject transport = new Subject(labels.of());
        final Map<Group, Subject> subjects = new HashMap<>();
        final List<Series> first = new ArrayList<>();
        final List<Series> others = new ArrayList<>(counters.size());
        for (int i = 0; i < counters.size(); i++) {
            final CounterReading reading = counters.get(i);
            final CounterType type = reading.type();
            if (type == CounterType.TRANSPORT) {
                final long number = reading.key().group();
                if (number >= 0 && number < TRANSPORT_COUNTERS.length && transport.isFirst((int) number)) {
                    first.add(new Series(i, OF_TRANSPORT.get((int) number), transport.labels));
                }
            } else {
                final Subject subject = subjects.computeIfAbsent(
                    new Group(type.scope(), reading.key().group()), _ -> new Subject(labels.of(reading)));
                if (subject.isFirst(type.ordinal())) {
                    others.add(new Series(
                        i, CounterMetric.of(type).family(), CounterMetric.labels(type, subject.labels)));
                }
            }
        }
        dropped = counters.size() - first.size() - others.size();
        // the Prometheus client sorts each metric's series so, which is soon done where they are sorted
        others.sort(Comparator.comparing(Series::labels));
        ofWindows = others.stream().filter(each -> LinkWindows.needs(counters.get(each.index).type())).toList();
        first.addAll(others);
        series = first;
    }

    private static List<MetricFamily> ofTransport() {
        final List<MetricFamily> families = new ArrayList<>();
        for (final TransportCounter counter : TRANSPORT_COUNTERS) {
            families.add(MetricFamily.counter("sluice_transport_" + counter.label().replace('-', '_'),
                "The transport's count " + counter.label() + "."));
        }
        return families;
    }

    /**
     * Whether these are the series of a transport's counters, too: all that names and labels are made of is the same. A
     * counter that was freed, and another one in its place, differ in it or have the same series.
     *
     * @param status of the same folder, at another moment.
     */
    boolean areOf(final TransportStatus status) {
        final List<CounterReading> others = status.counters();
        boolean isSame = clientName.equals(status.clientName()) && counters.size() == others.size();
        for (int i = 0; isSame && i < others.size(); i++) {
            final CounterReading own = counters.get(i);
            final CounterReading other = others.get(i);
            isSame = own.type() == other.type() && own.typeId() == other.typeId() && own.key().equals(other.key())
                && own.label().equals(other.label()) && own.keyBuffer().equals(other.keyBuffer());
        }
        return isSame;
    }

    /** {@return the series: those of the transport as a whole, and then the others in the order of their labels} */
    List<Series> all() {
        return series;
    }

    /** {@return the series that a link's used part of its window is worked out of} */
    List<Series> ofWindows() {
        return ofWindows;
    }

    /** {@return the number of counters without a series} */
    int dropped() {
        return dropped;
    }

    @Override
    public String toString() {
        return "TransportSeries{series=" + series.size() + " dropped=" + dropped + "}";
    }
}
