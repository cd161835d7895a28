package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.ErrorReading;
import io.sluice.transport.status.TransportStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The series of one look at a host. One thread.
 */
final class Scrape {
    private static final double MS_PER_SECOND = 1000;

    /** Between the text of an error of the transport's own and the first line of its stack. */
    private static final String STACK = "\n\tat ";

    private static final MetricFamily UP = MetricFamily.gauge(
        "sluice_transport_up", "1 while the transport's process lives, 0 when it has ended without closing it.");
    private static final MetricFamily STARTED = MetricFamily.seconds(
        "sluice_transport_start_time_seconds", "When the transport was launched, since 1970.", MS_PER_SECOND);
    private static final MetricFamily REFRESHED = MetricFamily.seconds("sluice_transport_refresh_time_seconds",
        "When the transport's conductor brought its counters up to date last, since 1970.", MS_PER_SECOND);
    private static final MetricFamily REFRESH_AGE = MetricFamily.seconds("sluice_transport_refresh_age_seconds",
        "Time since that refresh, by the exporter's clock; absent of a dead transport.", MS_PER_SECOND);
    private static final MetricFamily ERRORS = MetricFamily.counter(
        "sluice_error_observations", "Times that a distinct error was seen, by a hash of its text.");
    private static final MetricFamily ERROR_LAST = MetricFamily.seconds(
        "sluice_error_last_time_seconds", "When a distinct error was seen last, since 1970.", MS_PER_SECOND);

    private static final MetricFamily WINDOW_USED = MetricFamily.ratio("sluice_link_window_used_ratio",
        "Part of the window that is posted on a link and not consumed; absent before the link joins.");

    private static final MetricFamily READABLE = MetricFamily.gauge(
        "sluice_exporter_folder_readable", "Whether the shared folder could be listed.");
    private static final MetricFamily FOLDER_SIZE = MetricFamily.bytes("sluice_exporter_folder_size_bytes",
        "Size of the file system that the shared folder lies on; absent while there is no folder.");
    private static final MetricFamily FOLDER_AVAILABLE = MetricFamily.bytes("sluice_exporter_folder_available_bytes",
        "Room that is left on that file system; absent while there is no folder.");
    private static final MetricFamily UNREADABLE = MetricFamily.gauge(
        "sluice_exporter_unreadable_files", "Transports and files of errors that could not be read.");
    private static final MetricFamily SERIES = MetricFamily.gauge(
        "sluice_exporter_series", "Series of transports in this scrape.");
    private static final MetricFamily LIMIT = MetricFamily.gauge(
        "sluice_exporter_series_limit", "The most series of transports that a scrape has.");
    private static final MetricFamily DROPPED = MetricFamily.gauge("sluice_exporter_series_dropped",
        "Series that this scrape lacks: above the limit, or of a counter that is twice in a file or unknown.");

    /** The metrics that are no counter's. */
    static final List<MetricFamily> OWN = List.of(UP, STARTED, REFRESHED, REFRESH_AGE, ERRORS, ERROR_LAST, WINDOW_USED,
        READABLE, FOLDER_SIZE, FOLDER_AVAILABLE, UNREADABLE, SERIES, LIMIT, DROPPED);

    private final Map<MetricFamily, List<DataPointSnapshot>> points = new LinkedHashMap<>();
    private final int maxSeries;
    private final long nowEpochMs;
    private int series;
    private long dropped;

    /** Errors of one text, summed up. */
    private record ErrorSum(String exception, long count, long lastEpochMs) {
        ErrorSum plus(final ErrorSum other) {
            return new ErrorSum(exception, count + other.count, Math.max(lastEpochMs, other.lastEpochMs));
        }
    }

    /**
     * An empty scrape.
     *
     * @param maxSeries  the most series of transports.
     * @param nowEpochMs when it began, in milliseconds since 1970: what transports refresh later has an age of 0.
     */
    Scrape(final int maxSeries, final long nowEpochMs) {
        this.maxSeries = maxSeries;
        this.nowEpochMs = nowEpochMs;
    }

    /** Takes up whether a transport lives, and its errors: those of a dead one still tell why it died. */
    void addState(final TransportStatus status) {
        final TransportLabels labels = new TransportLabels(status);
        final Labels own = labels.of();
        add(UP, own, status.isAlive() ? 1 : 0);
        add(STARTED, own, status.startedEpochMs());
        if (status.refreshedEpochMs() > 0) {
            add(REFRESHED, own, status.refreshedEpochMs());
            if (status.isAlive()) {
                add(REFRESH_AGE, own, Math.max(0, nowEpochMs - status.refreshedEpochMs()));
            }
        }
        addErrors(labels, status.errors());
    }

    /**
     * Takes up what a living transport counts.
     *
     * @param counters of the transport.
     * @param made     which series they have.
     */
    void addCounters(final List<CounterReading> counters, final TransportSeries made) {
        dropped += made.dropped();
        for (final TransportSeries.Series each : made.all()) {
            add(each.family(), each.labels(), counters.get(each.index()).value());
        }
        final LinkWindows windows = new LinkWindows();
        for (final TransportSeries.Series each : made.ofWindows()) {
            windows.add(counters.get(each.index()), each.labels());
        }
        windows.forEach((link, used) -> add(WINDOW_USED, link, used));
    }

    /**
     * Errors by their text: distinct ones that were cut may have the same, and are one then. Those without a stack are
     * of strangers, who may say something else each time: they are in the transport's count of errors, and in no series
     * of their own.
     */
    private void addErrors(final TransportLabels labels, final List<ErrorReading> errors) {
        final Map<String, ErrorSum> byName = new TreeMap<>();
        for (final ErrorReading error : errors) {
            if (error.text().contains(STACK)) {
                byName.merge(nameOf(error.text()),
                    new ErrorSum(exceptionOf(error.text()), error.count(), error.lastEpochMs()), ErrorSum::plus);
            }
        }
        byName.forEach((name, error) -> {
            final Labels own = labels.of("error", name, "exception", error.exception());
            add(ERRORS, own, error.count());
            add(ERROR_LAST, own, error.lastEpochMs());
        });
    }

    /** Sixteen digits: no two of a host's some thousand errors have the same. */
    private static String nameOf(final String text) {
        return HexFormat.of().toHexDigits(
            UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits());
    }

    /** The class at the beginning of an error's text; empty where there is none. */
    private static String exceptionOf(final String text) {
        int end = 0;
        while (end < text.length() && (Character.isJavaIdentifierPart(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        return text.substring(0, end);
    }

    private void add(final MetricFamily family, final Labels labels, final double value) {
        if (!family.accepts(value)) {
            return;
        }
        if (series == maxSeries) {
            dropped++;
            return;
        }
        series++;
        put(family, labels, value);
    }

    private void put(final MetricFamily family, final Labels labels, final double value) {
        points.computeIfAbsent(family, _ -> new ArrayList<>()).add(family.point(labels, value));
    }

    /** Takes up how large the file system of the shared folder is, in bytes, and what of it is left. */
    void addRoom(final long size, final long available) {
        put(FOLDER_SIZE, Labels.EMPTY, size);
        put(FOLDER_AVAILABLE, Labels.EMPTY, available);
    }

    /**
     * All of it, with what the look itself has met.
     *
     * @param isReadable whether the shared folder could be listed.
     * @param unreadable transports and files of errors that could not be read.
     */
    MetricSnapshots snapshots(final boolean isReadable, final int unreadable) {
        put(READABLE, Labels.EMPTY, isReadable ? 1 : 0);
        put(UNREADABLE, Labels.EMPTY, unreadable);
        put(SERIES, Labels.EMPTY, series);
        put(LIMIT, Labels.EMPTY, maxSeries);
        put(DROPPED, Labels.EMPTY, dropped);
        final List<MetricSnapshot> snapshots = new ArrayList<>();
        points.forEach((family, ofFamily) -> snapshots.add(family.snapshot(ofFamily)));
        return new MetricSnapshots(snapshots);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "Scrape{series=%d dropped=%d}", series, dropped);
    }
}
