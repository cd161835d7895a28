package io.sluice.samples;

import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.TransportStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.agrona.concurrent.status.CountersReader;

/**
 * The backlog of each subscriber, and of each consumer there, behind its publication, put together from the counters of
 * all transports that can be read. Stateless.
 */
final class Backlog {
    /** Bytes of the longest character: a label that is cut may lack one less. */
    private static final int MAX_CHARACTER_LENGTH = 4;

    static final long NOT_KNOWN = -1;

    static final long PER_MILLE = 1000;

    /** A publication and those that read it; bytes are {@link #NOT_KNOWN} while nobody is connected. */
    record Stream(
        TransportStatus transport, CounterReading counter, long position, long bytesToBackPressure,
        long windowExhausted, String pressure, List<Subscriber> subscribers) {
        /** The subscriber that is the furthest behind; null when none is. */
        Subscriber slowest() {
            return furthest(subscribers, Subscriber::distanceBytes);
        }
    }

    /**
     * The other end of a link; the distance is {@link #NOT_KNOWN} before it has joined. Without an image its counters
     * cannot be read; without a ring messages are handled where they are polled.
     */
    record Subscriber(
        CounterReading link, CounterReading image, String state, long distanceBytes, Ring ring,
        List<Consumer> consumers) {
        String peer() {
            return link.peer();
        }

        /** The consumer that is the furthest behind; null when none is. */
        Consumer slowest() {
            return furthest(consumers, Consumer::distanceEvents);
        }
    }

    /** A ring between poller and consumers, in events. */
    record Ring(long capacity, long occupancy, long maxOccupancy, long full) {
    }

    /** A consumer of a ring; bytes are {@link #NOT_KNOWN} of quick ones whose ring serves several publications. */
    record Consumer(String name, String state, long distanceEvents, long distanceBytes) {
    }

    private Backlog() {
    }

    /** Whether a consumer is behind, and the furthest of the several that its subscription has. */
    static boolean isSlowest(final TransportStatus status, final CounterKey consumer) {
        final List<CounterReading> distances = consumerDistances(status, consumer.subscriptionId());
        final CounterReading furthest = furthest(distances, CounterReading::value);
        return distances.size() > 1 && furthest != null && furthest.key().group() == consumer.group();
    }

    /**
     * The one that is furthest behind: of several that are so far the first, since the others may wait for it; null
     * when none is behind.
     */
    private static <T> T furthest(final List<T> all, final ToLongFunction<T> distance) {
        return all.stream().filter(one -> distance.applyAsLong(one) > 0)
            .max(Comparator.comparingLong(distance)).orElse(null);
    }

    private static List<CounterReading> consumerDistances(final TransportStatus status, final long subscriptionId) {
        return status.counters().stream()
            .filter(reading -> reading.type() == CounterType.CONSUMER_DISTANCE
                && reading.key().subscriptionId() == subscriptionId).toList();
    }

    /** Reads all publications of living transports. */
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
        final List<Subscriber> subscribers = new ArrayList<>();
        for (final CounterReading reading : status.counters()) {
            if (reading.type() == CounterType.LINK_CONSUMED
                && reading.key().streamId() == position.key().streamId()
                && reading.key().sessionId() == position.key().sessionId()
                && isSameChannel(reading, position)) {
                subscribers.add(subscriber(snapshot, status, reading, position));
            }
        }
        final long limit = value(status, CounterType.PUBLICATION_LIMIT, position.key());
        return new Stream(status, position, position.value(),
            limit == NOT_KNOWN ? NOT_KNOWN : Math.max(0, limit - position.value()),
            value(status, CounterType.PUBLICATION_WINDOW_EXHAUSTED, position.key()), StreamRow.pressure(
                value(status, CounterType.PUBLICATION_PRESSURE, position.key()),
                value(status, CounterType.PUBLICATION_PRESSURE_CAUSE, position.key())),
            subscribers);
    }

    /** The counter of a type of an image's subscription. */
    static long ofSubscription(final TransportStatus status, final CounterType type, final CounterKey image) {
        return status.counters().stream()
            .filter(reading -> reading.type() == type && reading.key().subscriptionId() == image.subscriptionId())
            .mapToLong(CounterReading::value).findFirst().orElse(NOT_KNOWN);
    }

    /** The consumer of an image that is the furthest behind; null when none is. */
    static Consumer slowestConsumer(final TransportStatus status, final CounterKey image) {
        return furthest(consumers(status, image, NOT_KNOWN, NOT_KNOWN), Consumer::distanceEvents);
    }

    /** A long channel is cut at the end of each label, of which that of a link has the peer's name before it. */
    private static boolean isSameChannel(final CounterReading link, final CounterReading position) {
        return link.channel().equals(position.channel())
            || isCut(link) && position.channel().startsWith(whole(link));
    }

    private static boolean isCut(final CounterReading reading) {
        return reading.label().getBytes(StandardCharsets.UTF_8).length
            > CountersReader.MAX_LABEL_LENGTH - MAX_CHARACTER_LENGTH;
    }

    /** The channel without half a character at its end. */
    private static String whole(final CounterReading reading) {
        return reading.channel().replaceFirst("\\uFFFD+$", "");
    }

    /** The counter of a type in the same group. */
    static long value(final TransportStatus status, final CounterType type, final CounterKey key) {
        return status.counters().stream()
            .filter(reading -> reading.type() == type && reading.key().group() == key.group())
            .mapToLong(CounterReading::value).findFirst().orElse(NOT_KNOWN);
    }

    private static Subscriber subscriber(
        final StatusSnapshot snapshot, final TransportStatus publisher, final CounterReading link,
        final CounterReading publication) {
        final long position = publication.value();
        final String state = LinkState.nameOf(value(publisher, CounterType.LINK_STATE, link.key()));
        for (final TransportStatus status : snapshot.transports()) {
            for (final CounterReading image : status.counters()) {
                if (status.isAlive() && image.type() == CounterType.IMAGE_CONSUMED
                    && image.key().isSameLink(link.key())) {
                    final long distance = distance(link.value(), consumed(link, image, position), position);
                    return new Subscriber(link, image, state, distance, ring(status, image.key()),
                        consumers(status, image.key(), position, distance));
                }
            }
        }
        return new Subscriber(
            link, null, state, distance(link.value(), link.value(), position), null, List.of());
    }

    /**
     * The consumed position as the subscriber itself tells it, which is fresher: reports come now and then only. Files
     * of two processes may be a tenth of a second apart, in which a fast stream moves on by more than a window: a
     * position beyond the publication's own tells nothing.
     */
    private static long consumed(final CounterReading link, final CounterReading image, final long position) {
        return image.value() > position ? link.value() : Math.max(link.value(), image.value());
    }

    private static long distance(final long reported, final long consumed, final long position) {
        return reported == NOT_KNOWN ? NOT_KNOWN : Math.max(0, position - consumed);
    }

    /** The ring of an image; null where it has none. */
    static Ring ring(final TransportStatus status, final CounterKey image) {
        return status.counters().stream()
            .filter(reading -> reading.type() == CounterType.RING_CAPACITY
                && reading.key().subscriptionId() == image.subscriptionId())
            .map(reading -> new Ring(reading.value(), value(status, CounterType.RING_OCCUPANCY, reading.key()),
                value(status, CounterType.RING_MAX_OCCUPANCY, reading.key()),
                value(status, CounterType.RING_FULL, reading.key())))
            .findFirst().orElse(null);
    }

    private static List<Consumer> consumers(
        final TransportStatus status, final CounterKey image, final long position, final long slowestBytes) {
        final List<CounterReading> found = consumerDistances(status, image.subscriptionId());
        final long most = found.stream().mapToLong(CounterReading::value).max().orElse(0);
        final List<Consumer> consumers = new ArrayList<>();
        for (final CounterReading distance : found) {
            final long at = value(status, CounterType.CONSUMER_POSITION, distance.key());
            // of a later time than the publication's position, as above
            final boolean isKnown = at != NOT_KNOWN && at <= position;
            // the bytes of an image are those of its slowest consumer
            final long bytes = isKnown ? distance(at, at, position)
                : distance.value() == most && most > 0 ? slowestBytes : NOT_KNOWN;
            consumers.add(new Consumer(distance.consumer(),
                ConsumerState.nameOf(value(status, CounterType.CONSUMER_STATE, distance.key())), distance.value(),
                bytes));
        }
        return consumers;
    }
}
