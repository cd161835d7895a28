package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.DirectBufferVector;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Header;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.Publication;
import io.sluice.transport.ReservedValueSupplier;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.behaviour.message.GatheredOfferTest.Kind;
import io.sluice.transport.behaviour.message.GatheredOfferTest.Way;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Publications with {@code timestamps=true}, of both kinds: each message says when it was offered. */
class OfferTimestampTest {
    private static final int STREAM_ID = 5;
    private static final int OTHER_STREAM_ID = 6;
    /** The wall clock and the stamps' distance to it are measured one after the other. */
    private static final long BETWEEN_MEASUREMENTS_NS = 1_000_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final BufferClaim claim = new BufferClaim();
    private final List<Long> stamps = new ArrayList<>();
    private final List<Long> reservedValues = new ArrayList<>();
    private Transport transport;
    private Publication publication;
    private Subscription subscription;

    static List<Way> ways() {
        return GatheredOfferTest.ways();
    }

    @BeforeEach
    void launch() {
        transport = transports.launch();
    }

    private void connect(final Way way, final String parameters) {
        subscription = transport.addSubscription(transports.channel(way.parameters()), STREAM_ID);
        publication =
            way.kind().add(transport, transports.channel("window=4k|" + parameters + way.parameters()));
        Transports.awaitImages(subscription, 1);
    }

    private void receive(final Subscription from) {
        Await.until("a message", () -> from.poll((message, offset, length, header) -> {
            stamps.add(header.offerTimestampNs());
            reservedValues.add(header.reservedValue());
        }, 1) == 1);
    }

    private void send(final LongSupplier offer) {
        Await.until("room", () -> offer.getAsLong() > 0);
        receive(subscription);
    }

    private long claimAndCommit() {
        final long end = publication.tryClaim(100, claim);
        if (end > 0) {
            claim.commit();
        }
        return end;
    }

    /** More than the window holds, so that frames behind padding are among them. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldTellWhenEachMessageWasOffered(final Way way) {
        final DirectBufferVector[] vectors = {new DirectBufferVector(buffer, 0, 100)};
        connect(way, "timestamps=true|");
        final long beforeNs = transport.context().environment().epochNs() - BETWEEN_MEASUREMENTS_NS;
        for (int i = 0; i < 20; i++) {
            send(() -> publication.offer(buffer, 0, 200));
            send(() -> publication.offer(buffer, 0, 100, buffer, 100, 100));
            send(() -> publication.offer(vectors));
            send(this::claimAndCommit);
        }
        final long afterNs = transport.context().environment().epochNs() + BETWEEN_MEASUREMENTS_NS;

        assertEquals(stamps.stream().sorted().toList(), stamps);
        assertTrue(stamps.getFirst() >= beforeNs && stamps.getLast() <= afterNs,
            () -> beforeNs + " " + stamps + " " + afterNs);
        assertTrue(reservedValues.stream().allMatch(value -> value == 0), reservedValues::toString);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldStampAClaimWhenItIsCommitted(final Way way) {
        connect(way, "timestamps=true|");
        final Subscription others = transport.addSubscription(transports.channel(way.parameters()), OTHER_STREAM_ID);
        final Publication other = transport.addPublication(
            transports.channel("window=4k|timestamps=true|" + way.parameters()), OTHER_STREAM_ID);
        Transports.awaitImages(others, 1);

        assertTrue(publication.tryClaim(8, claim) > 0);
        assertTrue(other.offer(buffer, 0, 8) > 0);
        claim.commit();
        assertTrue(other.offer(buffer, 0, 8) > 0);
        receive(others);
        receive(subscription);
        receive(others);

        assertEquals(stamps.stream().sorted().toList(), stamps);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldSkipAClaimThatWasAborted(final Way way) {
        connect(way, "timestamps=true|");
        assertTrue(publication.tryClaim(100, claim) > 0);
        claim.abort();
        send(() -> publication.offer(buffer, 0, 8));

        assertTrue(stamps.getFirst() != Header.NO_TIMESTAMP);
        assertEquals(1, stamps.size());
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldTellNoTimeUnlessAskedTo(final Way way) {
        connect(way, "");
        send(() -> publication.offer(buffer, 0, 8, 77L));
        send(this::claimAndCommit);

        assertEquals(List.of(Header.NO_TIMESTAMP, Header.NO_TIMESTAMP), stamps);
        assertEquals(List.of(77L, 0L), reservedValues);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldRefuseAReservedValueBesideATimestamp(final Kind kind) {
        final ReservedValueSupplier supplier = (termBuffer, termOffset, frameLength) -> {
            throw new AssertionError("asked for a value that has no place");
        };
        final DirectBufferVector[] vectors = {new DirectBufferVector(buffer, 0, 100)};
        connect(new Way(kind, "mode=invoker"), "timestamps=true|");

        assertRefused("reservedValue", () -> publication.offer(buffer, 0, 8, 77L));
        assertRefused("reservedValueSupplier", () -> publication.offer(buffer, 0, 8, supplier));
        assertRefused("reservedValueSupplier", () -> publication.offer(buffer, 0, 8, buffer, 8, 8, supplier));
        assertRefused("reservedValueSupplier", () -> publication.offer(vectors, supplier));
        assertEquals(0, publication.position(), "nothing was claimed");

        assertTrue(publication.tryClaim(8, claim) > 0);
        assertRefused("reservedValue", () -> claim.reservedValue(77));
        claim.reservedValue(0).commit();
        receive(subscription);
        send(() -> publication.offer(buffer, 0, 8, 0L));
        assertEquals(List.of(0L, 0L), reservedValues);
        assertEquals(stamps.stream().sorted().toList(), stamps);
        assertTrue(stamps.getFirst() != Header.NO_TIMESTAMP);
    }

    private static void assertRefused(final String given, final Executable call) {
        final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains("given=" + given + " ") && message.contains("timestamps=true"), message);
    }

    @Test
    void shouldRefuseAFurtherHandleThatWantsNoTimestamps() {
        connect(new Way(Kind.SHARED, "mode=invoker"), "timestamps=true|");
        final String otherwise = transports.channel("window=4k|mode=invoker");

        final Exception ex =
            assertThrows(IllegalArgumentException.class, () -> transport.addPublication(otherwise, STREAM_ID));
        assertTrue(ex.getMessage().contains("timestamps=true"), ex.getMessage());
    }

    /** A consumer that may be evicted is shown a copy of its event. */
    @ParameterizedTest
    @ValueSource(strings = {"", "slow=evict"})
    void shouldTellHandlersOfAGraph(final String parameters) {
        final List<Long> ofEvents = new CopyOnWriteArrayList<>();
        final List<Long> ofHeaders = new CopyOnWriteArrayList<>();
        final List<Integer> flags = new CopyOnWriteArrayList<>();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            flags.add(event.flags());
            ofHeaders.add(event.header().offerTimestampNs());
            ofHeaders.add(event.header().reservedValue());
            ofEvents.add(event.offerTimestampNs());
            ofEvents.add(event.reservedValue());
        });
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID, graph);
        final Publication stamped =
            transport.addPublication(transports.channel("window=4k|timestamps=true"), STREAM_ID);
        Await.until("an image", () -> subscription.imageCount() == 1 && stamped.isConnected());
        final long beforeNs = transport.context().environment().epochNs() - BETWEEN_MEASUREMENTS_NS;
        assertTrue(stamped.offer(buffer, 0, 8) > 0);
        Await.until("the stamped message", () -> ofEvents.size() == 2);
        final long afterNs = transport.context().environment().epochNs() + BETWEEN_MEASUREMENTS_NS;

        assertTrue(ofEvents.getFirst() >= beforeNs && ofEvents.getFirst() <= afterNs, ofEvents::toString);
        assertEquals(0L, ofEvents.getLast());
        assertEquals(ofEvents, ofHeaders);
        assertEquals(List.of(1), flags);

        stamped.close();
        final Publication plain = transport.addPublication(transports.channel("window=4k"), STREAM_ID);
        Await.until("the other image", () -> plain.offer(buffer, 0, 8, 77L) > 0);
        Await.until("the plain message", () -> ofEvents.size() == 4);
        assertEquals(List.of(MessageEvent.NO_TIMESTAMP, 77L), ofEvents.subList(2, 4));
        assertEquals(ofEvents, ofHeaders);
    }
}
