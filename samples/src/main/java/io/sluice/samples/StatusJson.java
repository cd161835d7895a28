package io.sluice.samples;

import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.TransportStatus;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Writes what can be seen of transports as JSON: one object in one line. Stateless.
 */
final class StatusJson {
    private StatusJson() {
    }

    /** Writes the counters of all transports. */
    static String counters(final StatusSnapshot snapshot, final CounterFilter filter) {
        final Json json = begin(snapshot).beginArray("transports");
        for (final TransportStatus status : snapshot.transports()) {
            begin(json, status).beginArray("counters");
            status.counters().stream().filter(filter::accepts).forEach(reading -> add(json, reading));
            json.endArray().endObject();
        }
        return end(json, snapshot);
    }

    /** Writes the beginning of every report. */
    static Json begin(final StatusSnapshot snapshot) {
        return new Json().beginObject()
            .field("directory", snapshot.directory().toString())
            .field("epochMs", snapshot.epochMs());
    }

    /** Writes the part of every report about a transport; the object stays open. */
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
            .field("typeId", reading.typeId())
            .field("group", reading.key().group());
        if (scope == CounterScope.AGENT) {
            json.field("agent", reading.subject());
        }
        if (scope.hasStream()) {
            json.field("stream", reading.key().streamId()).field("channel", reading.channel());
        }
        if (scope.hasSession()) {
            json.field("session", reading.key().sessionId());
        }
        switch (scope) {
            case APPLICATION -> json.field("key", key(reading));
            case LINK -> addLink(json, reading);
            case IMAGE -> addLink(json, reading).field("subscription", reading.key().subscriptionId());
            case SUBSCRIPTION, RING -> json.field("subscription", reading.key().subscriptionId());
            case CONSUMER -> json.field("subscription", reading.key().subscriptionId())
                .field("consumer", reading.consumer());
            case LATENCY -> json.field("subscription", reading.key().subscriptionId())
                .field("stage", reading.stage()).field("consumer", reading.consumer());
            default -> { }
        }
        json.field("value", reading.value()).endObject();
    }

    /** The key of a program's counter, two hexadecimal digits a byte, without the zeros behind it. */
    static String key(final CounterReading reading) {
        final byte[] key = new byte[reading.keyBuffer().capacity()];
        reading.keyBuffer().getBytes(0, key);
        int length = key.length;
        while (length > 0 && key[length - 1] == 0) {
            length--;
        }
        return HexFormat.of().formatHex(key, 0, length);
    }

    private static Json addLink(final Json json, final CounterReading reading) {
        return json.field("peer", reading.peer()).field("linkId", reading.key().linkId());
    }
}
