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
    /** Publications, and subscribers, that have samples: the plots of more nobody could read. 30 KB each. */
    static final int MAX_SERIES = 200;
    private static final int MAX_ERRORS = 50;
    private static final int MAX_ERROR_LENGTH = 300;
    private static final long NONE = -1;

    /** Values of one publication or subscriber at the times of all samples; {@link #NONE} where it has none. */
    private static final class Series {
        private final String id;
        private final String label;
        private final long[] rates = unknown();
        private final long[] windows = unknown();
        private final long[] rings = unknown();
        private long positionBefore = NONE;
        private long lastSample;

        Series(final String id, final String label) {
            this.id = id;
            this.label = label;
        }

        private static long[] unknown() {
            final long[] values = new long[LENGTH];
            Arrays.fill(values, NONE);
            return values;
        }

        void clear(final int slot) {
            rates[slot] = NONE;
            windows[slot] = NONE;
            rings[slot] = NONE;
        }

        void moved(final int slot, final long position, final long elapsedMs) {
            if (positionBefore != NONE && position != NONE && elapsedMs > 0) {
                rates[slot] = Math.max(0, position - positionBefore) * Backlog.PER_MILLE / elapsedMs;
            }
            positionBefore = position;
        }
    }

    private final long[] epochMs = new long[LENGTH];
    private final Map<String, Series> publications = new HashMap<>();
    private final Map<String, Series> subscribers = new HashMap<>();
    private long samples;
    private StatusSnapshot snapshot;
    private List<Backlog.Stream> streams = List.of();

    /**
     * Takes a sample.
     *
     * @param taken   now; one that is no later than the last one is left out.
     * @param current its publications.
     */
    synchronized void add(final StatusSnapshot taken, final List<Backlog.Stream> current) {
        final long elapsedMs = snapshot == null ? 0 : taken.epochMs() - snapshot.epochMs();
        if (snapshot != null && elapsedMs <= 0) {
            return;
        }
        snapshot = taken;
        streams = current.stream().sorted(Comparator.comparingLong(HostHistory::distance).reversed())
            .limit(MAX_SERIES).toList();
        final int slot = (int) (samples % LENGTH);
        epochMs[slot] = taken.epochMs();
        samples++;
        publications.values().forEach(series -> series.clear(slot));
        subscribers.values().forEach(series -> series.clear(slot));
        for (final Backlog.Stream stream : streams) {
            final Series series = series(publications, id(stream), "pid " + stream.transport().processId() + " "
                + stream.counter().key().streamId() + " " + stream.counter().channel());
            if (series != null) {
                series.moved(slot, stream.position(), elapsedMs);
            }
            stream.subscribers().forEach(subscriber -> add(slot, stream, subscriber, elapsedMs));
        }
        publications.values().removeIf(series -> samples - series.lastSample >= LENGTH);
        subscribers.values().removeIf(series -> samples - series.lastSample >= LENGTH);
    }

    private void add(
        final int slot, final Backlog.Stream stream, final Backlog.Subscriber subscriber, final long elapsedMs) {
        final Series series = series(subscribers, id(stream, subscriber),
            subscriber.peer() + " " + stream.counter().key().streamId() + " " + stream.counter().channel());
        if (series == null) {
            return;
        }
        final long behind = subscriber.distanceBytes();
        series.moved(slot, behind == Backlog.NOT_KNOWN ? NONE : stream.position() - behind, elapsedMs);
        series.windows[slot] = subscriber.windowPerMille();
        final Backlog.Ring ring = subscriber.ring();
        if (ring != null && ring.capacity() > 0) {
            series.rings[slot] = ring.occupancy() * Backlog.PER_MILLE / ring.capacity();
        }
    }

    /** The series of an id, made when there is room for one more; else null. */
    private Series series(final Map<String, Series> all, final String id, final String label) {
        final Series series = all.size() < MAX_SERIES
            ? all.computeIfAbsent(id, key -> new Series(key, label)) : all.get(id);
        if (series != null) {
            series.lastSample = samples;
        }
        return series;
    }

    private static long distance(final Backlog.Stream stream) {
        return stream.slowest() == null ? 0 : stream.slowest().distanceBytes();
    }

    private static String id(final Backlog.Stream stream) {
        return stream.transport().folder().getFileName() + "-" + stream.counter().key().group();
    }

    private static String id(final Backlog.Stream stream, final Backlog.Subscriber subscriber) {
        return id(stream) + "-" + subscriber.link().key().group();
    }

    /**
     * Writes what was seen last, and the samples behind a time.
     *
     * @param sinceEpochMs the time of the last sample that the reader has; any earlier one for all.
     * @return one JSON object.
     */
    synchronized String json(final long sinceEpochMs) {
        final Json json = new Json().beginObject();
        if (snapshot == null) {
            return json.endObject().toString();
        }
        json.field("directory", snapshot.directory().toString())
            .field("epochMs", snapshot.epochMs())
            .field("transports", snapshot.transports().size());
        addNotices(json);
        json.beginArray("publications");
        streams.forEach(stream -> add(json, stream));
        json.endArray().beginArray("errors");
        errors().forEach(json::element);
        final List<Integer> slots = slotsAfter(sinceEpochMs);
        json.endArray().beginArray("times");
        slots.forEach(slot -> json.element(epochMs[slot]));
        json.endArray().beginArray("offered");
        publications.values().forEach(series -> add(json, series, slots));
        json.endArray().beginArray("consumed");
        subscribers.values().forEach(series -> add(json, series, slots));
        return json.endArray().endObject().toString();
    }

    private void addNotices(final Json json) {
        json.beginArray("notices");
        for (final TransportStatus status : snapshot.transports()) {
            if (!snapshot.isWell(status)) {
                json.element(snapshot.describe(status));
            }
        }
        snapshot.skipped().forEach(line -> json.element("unreadable: " + line));
        json.endArray();
    }

    private void add(final Json json, final Backlog.Stream stream) {
        json.beginObject()
            .field("publisher", snapshot.describe(stream.transport()))
            .field("stream", stream.counter().key().streamId())
            .field("channel", stream.counter().channel())
            .field("pressure", stream.pressure())
            .beginArray("subscribers");
        for (final Backlog.Subscriber subscriber : stream.subscribers()) {
            final Backlog.Consumer slowest = subscriber.slowest();
            json.beginObject()
                .field("id", id(stream, subscriber))
                .field("peer", subscriber.peer())
                .field("state", subscriber.state())
                .field("behindBytes", subscriber.distanceBytes())
                .field("windowPerMille", subscriber.windowPerMille())
                .field("slowest", subscriber == stream.slowest())
                .field("consumer", slowest == null ? "" : slowest.name())
                .field("behindEvents", slowest == null ? 0 : slowest.distanceEvents())
                .endObject();
        }
        json.endArray().endObject();
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
    private List<Integer> slotsAfter(final long sinceEpochMs) {
        final List<Integer> slots = new ArrayList<>();
        for (long sample = Math.max(0, samples - LENGTH); sample < samples; sample++) {
            final int slot = (int) (sample % LENGTH);
            if (epochMs[slot] > sinceEpochMs) {
                slots.add(slot);
            }
        }
        return slots;
    }

    private static void add(final Json json, final Series series, final List<Integer> slots) {
        json.beginObject().field("id", series.id).field("label", series.label).beginArray("rates");
        slots.forEach(slot -> json.element(series.rates[slot]));
        json.endArray().beginArray("windows");
        slots.forEach(slot -> json.element(series.windows[slot]));
        json.endArray().beginArray("rings");
        slots.forEach(slot -> json.element(series.rings[slot]));
        json.endArray().endObject();
    }
}
