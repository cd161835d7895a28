package io.sluice.samples;

import java.util.List;
import java.util.Locale;

/**
 * Backlogs as text for people or as JSON. Stateless.
 */
final class BacklogReport {
    private static final String SLOWEST = ", the slowest";
    private static final String ALIVE = "alive";

    private BacklogReport() {
    }

    /** The text of the report: lines, each ended. */
    static String text(final StatusSnapshot snapshot, final List<Backlog.Stream> streams) {
        final StringBuilder text = new StringBuilder();
        streams.forEach(stream -> append(text, snapshot, stream));
        snapshot.skipped().forEach(line -> text.append(String.format(Locale.ROOT, "unreadable: %s%n", line)));
        text.append(String.format(Locale.ROOT, "%d publications in %s%n", streams.size(), snapshot.directory()));
        return text.toString();
    }

    private static void append(
        final StringBuilder text, final StatusSnapshot snapshot, final Backlog.Stream stream) {
        text.append(format("%s%n  publisher %s: at %,d, %s%n", stream.counter().subject(),
            snapshot.describe(stream.transport()), stream.position(),
            stream.bytesToBackPressure() == Backlog.NOT_KNOWN
                ? "nobody connected" : format("%,d bytes to back-pressure", stream.bytesToBackPressure())));
        if (stream.windowExhausted() > 0) {
            text.append(format("    offers back-pressured so far, the window exhausted: %,d%n",
                stream.windowExhausted()));
        }
        for (final Backlog.Subscriber subscriber : stream.subscribers()) {
            text.append(format("  subscriber %s (%s): %s%s%n", subscriber.peer(), subscriber.state(),
                subscriber.distanceBytes() == Backlog.NOT_KNOWN
                    ? "has not joined yet" : format("%,d bytes behind", subscriber.distanceBytes()),
                subscriber == stream.slowest() && stream.subscribers().size() > 1 ? SLOWEST : ""));
            append(text, subscriber);
        }
    }

    private static void append(final StringBuilder text, final Backlog.Subscriber subscriber) {
        final Backlog.Ring ring = subscriber.ring();
        if (ring == null) {
            return;
        }
        text.append(format("    ring: %,d of %,d events, at most %,d so far, full %,d times%n",
            ring.occupancy(), ring.capacity(), ring.maxOccupancy(), ring.full()));
        for (final Backlog.Consumer consumer : subscriber.consumers()) {
            text.append(format("    consumer %s: %,d events%s behind%s%s%n", consumer.name(),
                consumer.distanceEvents(),
                consumer.distanceBytes() == Backlog.NOT_KNOWN ? "" : format(", %,d bytes", consumer.distanceBytes()),
                consumer.state().equals(ALIVE) ? "" : ", " + consumer.state(),
                consumer == subscriber.slowest() && subscriber.consumers().size() > 1 ? SLOWEST : ""));
        }
    }

    private static String format(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** One object in one line. */
    static String json(final StatusSnapshot snapshot, final List<Backlog.Stream> streams) {
        final Json json = StatusJson.begin(snapshot).beginArray("publications");
        for (final Backlog.Stream stream : streams) {
            json.beginObject()
                .field("pid", stream.transport().processId())
                .field("name", stream.transport().clientName())
                .field("channel", stream.counter().channel())
                .field("stream", stream.counter().key().streamId())
                .field("session", stream.counter().key().sessionId())
                .field("position", stream.position())
                .field("bytesToBackPressure", stream.bytesToBackPressure())
                .field("windowExhausted", stream.windowExhausted())
                .beginArray("subscribers");
            stream.subscribers().forEach(subscriber -> add(json, subscriber));
            json.endArray();
            addSlowest(json, stream.slowest());
            json.endObject();
        }
        return StatusJson.end(json, snapshot);
    }

    private static void add(final Json json, final Backlog.Subscriber subscriber) {
        json.beginObject().field("peer", subscriber.peer()).field("state", subscriber.state())
            .field("distanceBytes", subscriber.distanceBytes());
        final Backlog.Ring ring = subscriber.ring();
        if (ring != null) {
            json.beginObject("ring").field("capacity", ring.capacity()).field("occupancy", ring.occupancy())
                .field("maxOccupancy", ring.maxOccupancy()).field("full", ring.full()).endObject();
        }
        json.beginArray("consumers");
        for (final Backlog.Consumer consumer : subscriber.consumers()) {
            json.beginObject().field("name", consumer.name()).field("state", consumer.state())
                .field("distanceEvents", consumer.distanceEvents()).field("distanceBytes", consumer.distanceBytes())
                .endObject();
        }
        json.endArray().endObject();
    }

    private static void addSlowest(final Json json, final Backlog.Subscriber subscriber) {
        if (subscriber != null) {
            json.beginObject("slowest").field("peer", subscriber.peer());
            if (subscriber.slowest() != null) {
                json.field("consumer", subscriber.slowest().name());
            }
            json.endObject();
        }
    }
}
