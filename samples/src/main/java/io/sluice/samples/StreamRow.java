package io.sluice.samples;

import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A publication and one of its subscribers, as far as this host can see them; unknown numbers are
 * {@link Backlog#NOT_KNOWN}.
 *
 * @param id        other than that of any other row of the host.
 * @param offeredId of the publication; empty where it is on another host.
 * @param stream    id and channel.
 * @param names     of those who take part.
 * @param pressure  of the publication, or of the subscription where the publication is on another host.
 * @param lag       of the subscriber.
 * @param progress  of both.
 */
record StreamRow(
    String id, String offeredId, String stream, Names names, String pressure, Lag lag, Progress progress) {
    /** The row whose subscriber takes most of the window or of its ring, and may hold up others next. */
    static final Comparator<StreamRow> FURTHEST_FIRST = Comparator.comparingLong((StreamRow row) -> row.lag().share())
        .thenComparingLong(row -> row.lag().bytes()).thenComparingLong(row -> row.lag().events()).reversed();
    private static final String CLEAR = PressureState.nameOf(PressureState.CLEAR.ordinal());
    private static final String ACTIVE = "active";
    private static final String NOBODY = "nobody connected";

    /** Names for people: the subscriber's has its state, if that is not active; the consumer is its slowest one. */
    record Names(String publisher, String subscriber, String consumer) {
    }

    /** Thousandth parts of window and ring, bytes and events behind. */
    record Lag(long windowPerMille, long ringPerMille, long bytes, long events) {
        private static final Lag NONE =
            new Lag(Backlog.NOT_KNOWN, Backlog.NOT_KNOWN, Backlog.NOT_KNOWN, Backlog.NOT_KNOWN);

        long share() {
            return Math.max(windowPerMille, ringPerMille);
        }
    }

    /** Positions, and when the conductor brought them up to date, in milliseconds since 1970. */
    record Progress(long offered, long consumed, long refreshedEpochMs) {
    }

    /** A link as both its ends know it. */
    private record Link(long linkId, long publisherHigh, long publisherLow) {
        static Link of(final CounterKey key) {
            return new Link(key.linkId(), key.publisherHigh(), key.publisherLow());
        }
    }

    /** Whether offers, or what arrives, is held up or soon to be. */
    boolean isHeldUp() {
        return !pressure.equals(CLEAR);
    }

    /** Returns the rows of all living transports, {@link #FURTHEST_FIRST}. */
    static List<StreamRow> of(final StatusSnapshot snapshot, final CounterFilter filter) {
        final List<StreamRow> rows = new ArrayList<>();
        for (final Backlog.Stream stream : Backlog.of(snapshot, filter)) {
            if (stream.subscribers().isEmpty()) {
                final String id = id(stream.transport(), stream.counter());
                rows.add(new StreamRow(id, id, nameOf(stream.counter()),
                    new Names(nameOf(stream.transport()), NOBODY, ""), stream.pressure(),
                    Lag.NONE, new Progress(
                        stream.position(), Backlog.NOT_KNOWN, stream.transport().refreshedEpochMs())));
            }
            stream.subscribers().forEach(subscriber -> rows.add(of(stream, subscriber)));
        }
        addImages(rows, snapshot, filter);
        rows.sort(FURTHEST_FIRST);
        return rows;
    }

    private static StreamRow of(final Backlog.Stream stream, final Backlog.Subscriber subscriber) {
        final TransportStatus transport = stream.transport();
        final long window = Backlog.value(transport, CounterType.PUBLICATION_WINDOW, stream.counter().key());
        final long consumed = consumed(stream, subscriber);
        final long behind = consumed == Backlog.NOT_KNOWN ? consumed : Math.max(0, stream.position() - consumed);
        final String offeredId = id(transport, stream.counter());
        return new StreamRow(
            offeredId + "-" + subscriber.link().key().group(), offeredId, nameOf(stream.counter()),
            new Names(nameOf(transport), nameOf(subscriber.peer(), subscriber.state()), nameOf(subscriber.slowest())),
            stream.pressure(),
            new Lag(behind == Backlog.NOT_KNOWN ? behind : perMille(behind, window), perMille(subscriber.ring()),
                behind, events(subscriber.ring(), subscriber.slowest())),
            new Progress(stream.position(), consumed, transport.refreshedEpochMs()));
    }

    /**
     * The consumed position as the subscriber itself tells it, which is fresher than its reports. Its file may also be
     * the later one of the two: what it has consumed beyond the publication's position is not behind that.
     */
    private static long consumed(final Backlog.Stream stream, final Backlog.Subscriber subscriber) {
        final long reported = subscriber.link().value();
        return subscriber.image() == null || reported == Backlog.NOT_KNOWN
            ? reported : Math.max(reported, Math.min(subscriber.image().value(), stream.position()));
    }

    /** Adds the images whose publication is on another host. */
    private static void addImages(
        final List<StreamRow> rows, final StatusSnapshot snapshot, final CounterFilter filter) {
        final Set<Link> own = new HashSet<>();
        for (final TransportStatus status : snapshot.transports()) {
            for (final CounterReading reading : status.counters()) {
                if (status.isAlive() && reading.type() == CounterType.LINK_CONSUMED) {
                    own.add(Link.of(reading.key()));
                }
            }
        }
        for (final TransportStatus status : snapshot.transports()) {
            for (final CounterReading image : status.counters()) {
                if (status.isAlive() && image.type() == CounterType.IMAGE_CONSUMED && filter.accepts(image)
                    && !own.contains(Link.of(image.key()))) {
                    rows.add(of(status, image));
                }
            }
        }
    }

    private static StreamRow of(final TransportStatus status, final CounterReading image) {
        final Backlog.Ring ring = Backlog.ring(status, image.key());
        final Backlog.Consumer slowest = Backlog.slowestConsumer(status, image.key());
        final String state = LinkState.nameOf(Backlog.value(status, CounterType.IMAGE_STATE, image.key()));
        return new StreamRow(
            id(status, image), "", nameOf(image),
            new Names(image.peer(), nameOf(nameOf(status), state), nameOf(slowest)),
            pressure(Backlog.ofSubscription(status, CounterType.SUBSCRIPTION_PRESSURE, image.key()),
                Backlog.ofSubscription(status, CounterType.SUBSCRIPTION_PRESSURE_CAUSE, image.key())),
            new Lag(Backlog.NOT_KNOWN, perMille(ring), Backlog.NOT_KNOWN, events(ring, slowest)),
            new Progress(Backlog.NOT_KNOWN, image.value(), status.refreshedEpochMs()));
    }

    /** The name of a pressure, with its cause while there is one. */
    static String pressure(final long state, final long cause) {
        return PressureState.nameOf(state)
            + (state == PressureState.CLEAR.ordinal() ? "" : " " + BackPressureCause.nameOf(cause));
    }

    private static String id(final TransportStatus status, final CounterReading counter) {
        return status.folder().getFileName() + "-" + counter.type().scope() + "-" + counter.key().group();
    }

    private static String nameOf(final CounterReading counter) {
        return counter.key().streamId() + " " + counter.channel();
    }

    private static String nameOf(final TransportStatus status) {
        return "pid " + status.processId() + (status.clientName().isEmpty() ? "" : " (" + status.clientName() + ")");
    }

    private static String nameOf(final String name, final String state) {
        return state.equals(ACTIVE) ? name : name + " " + state;
    }

    private static String nameOf(final Backlog.Consumer consumer) {
        return consumer == null ? "" : consumer.name();
    }

    private static long events(final Backlog.Ring ring, final Backlog.Consumer slowest) {
        return slowest != null ? slowest.distanceEvents() : ring == null ? Backlog.NOT_KNOWN : 0;
    }

    private static long perMille(final Backlog.Ring ring) {
        return ring == null || ring.occupancy() < 0 ? Backlog.NOT_KNOWN : perMille(ring.occupancy(), ring.capacity());
    }

    /** Positions are of two moments: a fast stream may be further on than its window is long. */
    private static long perMille(final long part, final long whole) {
        return whole <= 0 ? Backlog.NOT_KNOWN
            : Math.min(Backlog.PER_MILLE, Math.round((double) Backlog.PER_MILLE * part / whole));
    }
}
