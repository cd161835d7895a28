package io.sluice.samples;

import io.sluice.transport.status.ErrorReading;
import io.sluice.transport.status.TransportStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last ten minutes of the streams of a host, in samples: rates, how full windows and rings are, and what was seen
 * last. Any thread; the methods exclude each other.
 */
final class HostHistory {
    /** The time between two samples; a page that shows who is slow within two seconds needs it. */
    static final long INTERVAL_MS = 500;
    /** Samples of ten minutes. */
    static final int LENGTH = 1200;
    /** Publications, and subscribers, that have samples or rows: of more nobody reads the plots. 20 KB each. */
    static final int MAX_SERIES = 200;
    private static final int MAX_ERRORS = 50;
    private static final int MAX_ERROR_LENGTH = 300;

    /** Values of one publication or subscriber at the times of all samples. */
    private static final class Series {
        private final String id;
        private String label;
        private final Map<String, long[]> values = new HashMap<>();
        private long lastSample;

        Series(final String id, final List<String> names) {
            this.id = id;
            for (final String name : names) {
                final long[] unknown = new long[LENGTH];
                Arrays.fill(unknown, Backlog.NOT_KNOWN);
                values.put(name, unknown);
            }
        }
    }

    /** The series of one kind. */
    private final class AllSeries {
        private final List<String> names;
        private final Map<String, Series> byId = new HashMap<>();

        AllSeries(final String... names) {
            this.names = List.of(names);
        }

        /** Begins a sample: values are unknown, and who had none for ten minutes is forgotten. */
        void begin(final int slot) {
            byId.values().removeIf(series -> samples - series.lastSample >= LENGTH);
            byId.values().forEach(series -> series.values.values().forEach(each -> each[slot] = Backlog.NOT_KNOWN));
        }

        /** Sets values in the order of their names. Who is gone makes room for who has come. */
        void set(final int slot, final String id, final String label, final long... values) {
            if (byId.size() == MAX_SERIES && !byId.containsKey(id)) {
                byId.values().stream().filter(series -> series.lastSample < samples).findAny()
                    .ifPresent(series -> byId.remove(series.id));
            }
            final Series series = byId.size() < MAX_SERIES
                ? byId.computeIfAbsent(id, key -> new Series(key, names)) : byId.get(id);
            if (series != null) {
                series.lastSample = samples;
                series.label = label;
                for (int i = 0; i < values.length; i++) {
                    series.values.get(names.get(i))[slot] = values[i];
                }
            }
        }

        void add(final Json json, final List<Integer> slots) {
            for (final Series series : byId.values()) {
                json.beginObject().field("id", series.id).field("label", series.label);
                for (final String name : names) {
                    json.beginArray(name);
                    slots.forEach(slot -> json.element(series.values.get(name)[slot]));
                    json.endArray();
                }
                json.endObject();
            }
        }
    }

    private final long[] timesMs = new long[LENGTH];
    private final GrowthRates rates = new GrowthRates();
    private final AllSeries publications = new AllSeries("rates");
    private final AllSeries subscribers = new AllSeries("windows", "rings");
    private long samples;
    private long lastTimeMs;
    private StatusSnapshot snapshot;
    private List<StreamRow> rows = List.of();
    private int omitted;

    /**
     * Takes a sample.
     *
     * @param timeMs  of a clock that does not go back, in milliseconds.
     * @param taken   at that time.
     * @param current rows of it, those first that matter most.
     */
    synchronized void add(final long timeMs, final StatusSnapshot taken, final List<StreamRow> current) {
        snapshot = taken;
        lastTimeMs = timeMs;
        // stable: whoever is held up comes first, and is not among those that are left out
        rows = current.stream().sorted(Comparator.comparing(StreamRow::isHeldUp).reversed()).limit(MAX_SERIES).toList();
        omitted = current.size() - rows.size();
        final int slot = (int) (samples % LENGTH);
        timesMs[slot] = timeMs;
        samples++;
        publications.begin(slot);
        subscribers.begin(slot);
        rates.begin();
        final Map<String, StreamRow> offered = new HashMap<>();
        for (final StreamRow row : rows) {
            offered.putIfAbsent(row.offeredId(), row);
            subscribers.set(slot, row.id(), row.names().subscriber() + " " + row.stream(),
                row.lag().windowPerMille(), row.lag().ringPerMille());
        }
        offered.remove("");
        offered.forEach((id, row) -> publications.set(slot, id, row.names().publisher() + " " + row.stream(),
            rates.of(id, row.progress().offered(), row.progress().refreshedEpochMs())));
    }

    /**
     * Writes what was seen last, and the samples behind a time.
     *
     * @param nowMs   by the clock of the samples.
     * @param sinceMs the time of the last sample that the reader has; any earlier one for all.
     * @return one JSON object; empty before the first sample.
     */
    synchronized String json(final long nowMs, final long sinceMs) {
        final Json json = new Json().beginObject();
        if (snapshot == null) {
            return json.endObject().toString();
        }
        json.field("directory", snapshot.directory().toString())
            .field("ageMs", nowMs - lastTimeMs)
            .field("epochMs", snapshot.epochMs())
            .field("transports", snapshot.transports().size())
            .field("omitted", omitted);
        json.beginArray("notices");
        snapshot.notices().forEach(json::element);
        json.endArray().beginArray("rows");
        rows.forEach(row -> add(json, row));
        json.endArray().beginArray("errors");
        errors().forEach(json::element);
        final List<Integer> slots = slotsAfter(sinceMs);
        json.endArray().beginArray("times");
        slots.forEach(slot -> json.element(timesMs[slot]));
        json.endArray().beginArray("publications");
        publications.add(json, slots);
        json.endArray().beginArray("subscribers");
        subscribers.add(json, slots);
        return json.endArray().endObject().toString();
    }

    private static void add(final Json json, final StreamRow row) {
        json.beginObject()
            .field("stream", row.stream())
            .field("publisher", row.names().publisher())
            .field("subscriber", row.names().subscriber())
            .field("consumer", row.names().consumer())
            .field("pressure", row.pressure())
            .field("heldUp", row.isHeldUp())
            .field("publication", row.offeredId())
            .field("windowPerMille", row.lag().windowPerMille())
            .field("ringPerMille", row.lag().ringPerMille())
            .field("bytes", row.lag().bytes())
            .field("events", row.lag().events())
            .endObject();
    }

    private List<String> errors() {
        record Told(long lastEpochMs, String text) {
        }
        final List<Told> all = new ArrayList<>();
        for (final TransportStatus status : snapshot.transports()) {
            for (final ErrorReading error : status.errors()) {
                final String first = error.text().lines().findFirst().orElse("");
                all.add(new Told(error.lastEpochMs(), "pid " + status.processId() + ": " + error.count()
                    + " times, last " + Instant.ofEpochMilli(error.lastEpochMs()) + ": "
                    + first.substring(0, Math.min(MAX_ERROR_LENGTH, first.length()))));
            }
        }
        return all.stream().sorted(Comparator.comparingLong(Told::lastEpochMs).reversed()).limit(MAX_ERRORS)
            .map(Told::text).toList();
    }

    /** The places of the samples behind a time, the oldest first. */
    private List<Integer> slotsAfter(final long sinceMs) {
        final List<Integer> slots = new ArrayList<>();
        for (long sample = Math.max(0, samples - LENGTH); sample < samples; sample++) {
            final int slot = (int) (sample % LENGTH);
            if (timesMs[slot] > sinceMs) {
                slots.add(slot);
            }
        }
        return slots;
    }
}
