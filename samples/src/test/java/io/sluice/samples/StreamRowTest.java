package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Rows of made-up transports: a publisher, and a subscriber here or elsewhere. */
class StreamRowTest {
    private static final CounterKey PUBLICATION = new CounterKey(1, 77, 5, 0, 0, 0, 0);
    private static final CounterKey LINK = new CounterKey(2, 77, 5, 3, 10, 20, 0);
    private static final CounterKey IMAGE = new CounterKey(4, 77, 5, 3, 10, 20, 9);
    private static final CounterKey SUBSCRIPTION = new CounterKey(9, 77, 0, 0, 0, 0, 9);
    private static final CounterKey CONSUMER = new CounterKey(6, 77, 0, 0, 0, 0, 9);

    private final List<CounterReading> ofPublisher = new ArrayList<>();
    private final List<CounterReading> ofSubscriber = new ArrayList<>();

    private static void add(
        final List<CounterReading> counters, final CounterType type, final CounterKey key, final String label,
        final long value) {
        counters.add(new CounterReading(type, type.typeId(), key, new UnsafeBuffer(0, 0),
            type.label() + label + " channel=sluice:ipc", value));
    }

    private void addPublication(final long position, final long window) {
        add(ofPublisher, CounterType.PUBLICATION_POSITION, PUBLICATION, "", position);
        add(ofPublisher, CounterType.PUBLICATION_WINDOW, PUBLICATION, "", window);
    }

    private void addLink(final long consumed) {
        add(ofPublisher, CounterType.LINK_STATE, LINK, " peer=pid 2", 2);
        add(ofPublisher, CounterType.LINK_CONSUMED, LINK, " peer=pid 2", consumed);
    }

    private void addImage(final long consumed) {
        add(ofSubscriber, CounterType.IMAGE_STATE, IMAGE, " peer=pid 1", 2);
        add(ofSubscriber, CounterType.IMAGE_CONSUMED, IMAGE, " peer=pid 1", consumed);
    }

    private List<StreamRow> rows() {
        final TransportStatus publisher =
            new TransportStatus(Path.of("status/1-aa"), true, 1, "prices", 0, 1000, 0, 0, ofPublisher, List.of());
        final TransportStatus subscriber =
            new TransportStatus(Path.of("status/2-bb"), true, 2, "risk", 0, 1000, 0, 0, ofSubscriber, List.of());
        return StreamRow.of(
            new StatusSnapshot(Path.of("shared"), 1000, List.of(publisher, subscriber), List.of()),
            new CounterFilter());
    }

    @Test
    void shouldTellThePartOfTheWindowByTheSubscribersOwnPosition() {
        addPublication(1000, 4000);
        addLink(0);
        addImage(600);

        final StreamRow row = rows().getFirst();

        assertEquals(new StreamRow.Lag(100, Backlog.NOT_KNOWN, 400, Backlog.NOT_KNOWN), row.lag());
        assertEquals(new StreamRow.Progress(1000, 600, 1000), row.progress());
        assertEquals(1, rows().size());
    }

    /** The subscriber's file is of a later moment: it keeps up. */
    @Test
    void shouldTellNothingBehindWhoIsFurtherThanThePublicationWas() {
        addPublication(1000, 4000);
        addLink(0);
        addImage(1500);

        assertEquals(0, rows().getFirst().lag().bytes());
        assertEquals(1000, rows().getFirst().progress().consumed());
    }

    @Test
    void shouldShowASubscriberWhosePublisherIsElsewhere() {
        addImage(600);
        add(ofSubscriber, CounterType.SUBSCRIPTION_PRESSURE, SUBSCRIPTION, "", 2);
        add(ofSubscriber, CounterType.SUBSCRIPTION_PRESSURE_CAUSE, SUBSCRIPTION, "", 1);
        add(ofSubscriber, CounterType.RING_CAPACITY, SUBSCRIPTION, "", 8);
        add(ofSubscriber, CounterType.RING_OCCUPANCY, SUBSCRIPTION, "", 8);
        add(ofSubscriber, CounterType.CONSUMER_DISTANCE, CONSUMER, " consumer=settlement", 8);

        final StreamRow row = rows().getFirst();

        assertEquals(new StreamRow.Names("pid 1", "pid 2 (risk)", "settlement"), row.names());
        assertEquals("blocked ring-full", row.pressure());
        assertTrue(row.isHeldUp());
        assertEquals(new StreamRow.Lag(Backlog.NOT_KNOWN, 1000, Backlog.NOT_KNOWN, 8), row.lag());
    }

    @Test
    void shouldTellNoPartOfARingWhoseEventsAreNotKnown() {
        addImage(600);
        add(ofSubscriber, CounterType.RING_CAPACITY, SUBSCRIPTION, "", 4096);

        assertEquals(Backlog.NOT_KNOWN, rows().getFirst().lag().ringPerMille());
    }

    @Test
    void shouldShowAPublicationThatNobodyReads() {
        addPublication(1000, 4000);
        add(ofPublisher, CounterType.PUBLICATION_PRESSURE, PUBLICATION, "", 0);

        assertEquals("nobody connected", rows().getFirst().names().subscriber());
        assertFalse(rows().getFirst().isHeldUp());
    }
}
