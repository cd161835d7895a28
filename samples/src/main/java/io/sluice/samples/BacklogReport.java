package io.sluice.samples;

import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far each subscriber is behind its publication, put together from the counters of both. Stateless.
 */
final class BacklogReport {
    private static final long NOT_KNOWN = -1;

    /** A publication and those that read it; bytes are {@link #NOT_KNOWN} while nobody is connected. */
    record Stream(
        TransportStatus transport, CounterReading counter, long position, long bytesToBackPressure,
        List<Subscriber> subscribers) {
    }

    /** The other end of a link; the distance is {@link #NOT_KNOWN} before it has joined. */
    record Subscriber(String peer, String state, long distance) {
    }

    private BacklogReport() {
    }

    /** All publications of living transports. */
    static List<Stream> of(final StatusSnapshot snapshot, final CounterFilter filter) {
        final List<Stream> streams = new ArrayList<>();
        for (final TransportStatus status : snapshot.transports()) {
            for (final CounterReading reading : status.counters()) {
                if (status.isAlive() && reading.type() == CounterType.PUBLICATION_POSITION && filter.accepts(reading)) {
                    streams.add(stream(snapshot, status, reading));
                }
            }
        }
        return streams;
    }

    private static Stream stream(
        final StatusSnapshot snapshot, final TransportStatus status, final CounterReading position) {
        long limit = NOT_KNOWN;
        final List<Subscriber> subscribers = new ArrayList<>();
        for (final CounterReading reading : status.counters()) {
            if (reading.type() == CounterType.PUBLICATION_LIMIT && reading.key().group() == position.key().group()) {
                limit = reading.value();
            } else if (reading.type() == CounterType.LINK_CONSUMED
                && reading.key().streamId() == position.key().streamId()
                && reading.key().sessionId() == position.key().sessionId()
                && reading.channel().equals(position.channel())) {
                subscribers.add(subscriber(snapshot, status, reading, position.value()));
            }
        }
        return new Stream(status, position, position.value(),
            limit == NOT_KNOWN ? NOT_KNOWN : Math.max(0, limit - position.value()), subscribers);
    }

    private static Subscriber subscriber(
        final StatusSnapshot snapshot, final TransportStatus publisher, final CounterReading link,
        final long position) {
        final long state = publisher.counters().stream()
            .filter(reading -> reading.type() == CounterType.LINK_STATE
                && reading.key().group() == link.key().group())
            .mapToLong(CounterReading::value).findFirst().orElse(NOT_KNOWN);
        // what the subscriber itself says is fresher: it reports now and then only
        final long consumed = snapshot.transports().stream().filter(TransportStatus::isAlive)
            .flatMap(status -> status.counters().stream())
            .filter(reading -> reading.type() == CounterType.IMAGE_CONSUMED && reading.key().isSameLink(link.key()))
            .mapToLong(CounterReading::value).reduce(link.value(), Math::max);
        final long distance = link.value() == NOT_KNOWN ? NOT_KNOWN : Math.max(0, position - consumed);
        return new Subscriber(link.peer(), LinkState.nameOf(state), distance);
    }

    /** Lines, each ended. */
    static String text(final StatusSnapshot snapshot, final List<Stream> streams) {
        final StringBuilder text = new StringBuilder();
        for (final Stream stream : streams) {
            text.append(String.format(Locale.ROOT, "%s, %s%n  position %,d, %s%n", stream.counter().subject(),
                snapshot.describe(stream.transport()), stream.position(),
                stream.bytesToBackPressure() == NOT_KNOWN
                    ? "nobody connected"
                    : String.format(Locale.ROOT, "%,d bytes to back-pressure", stream.bytesToBackPressure())));
            for (final Subscriber subscriber : stream.subscribers()) {
                text.append(String.format("  %s (%s): %s%n", subscriber.peer(), subscriber.state(),
                    subscriber.distance() == NOT_KNOWN
                        ? "has not joined yet"
                        : String.format(Locale.ROOT, "%,d bytes behind", subscriber.distance())));
            }
        }
        snapshot.skipped().forEach(line -> text.append(String.format("unreadable: %s%n", line)));
        text.append(String.format("%d publications in %s%n", streams.size(), snapshot.directory()));
        return text.toString();
    }

    /** One object in one line. */
    static String json(final StatusSnapshot snapshot, final List<Stream> streams) {
        final Json json = new Json().beginObject()
            .field("directory", snapshot.directory().toString())
            .field("epochMs", snapshot.epochMs())
            .beginArray("publications");
        for (final Stream stream : streams) {
            json.beginObject()
                .field("pid", stream.transport().processId())
                .field("name", stream.transport().clientName())
                .field("channel", stream.counter().channel())
                .field("stream", stream.counter().key().streamId())
                .field("session", stream.counter().key().sessionId())
                .field("position", stream.position())
                .field("bytesToBackPressure", stream.bytesToBackPressure())
                .beginArray("subscribers");
            for (final Subscriber subscriber : stream.subscribers()) {
                json.beginObject().field("peer", subscriber.peer()).field("state", subscriber.state())
                    .field("distance", subscriber.distance()).endObject();
            }
            json.endArray().endObject();
        }
        return StatReport.end(json, snapshot);
    }
}
