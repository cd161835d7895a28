package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.DirectBufferVector;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.ReservedValueSupplier;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Offers of vectors, and those that ask for the reserved value, of both kinds of publication. */
class GatheredOfferTest {
    private static final int STREAM_ID = 5;
    private static final int MAX_LENGTH = 4096 / 8 - ReservedValueSupplier.HEADER_LENGTH;
    private static final long UNBLOCK_TIMEOUT_NS = 100_000_000L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
    private Transport transport;
    private Publication publication;
    private Subscription subscription;

    /** The way in which a publication is added. */
    enum Kind {
        EXCLUSIVE {
            @Override
            Publication add(final Transport transport, final String channel) {
                return transport.addExclusivePublication(channel, STREAM_ID);
            }
        },
        SHARED {
            @Override
            Publication add(final Transport transport, final String channel) {
                return transport.addPublication(channel, STREAM_ID);
            }
        };

        abstract Publication add(Transport transport, String channel);
    }

    record Way(Kind kind, String parameters) {
    }

    static List<Way> ways() {
        return Transports.parameters()
            .flatMap(parameters -> Stream.of(Kind.values()).map(kind -> new Way(kind, parameters))).toList();
    }

    @BeforeEach
    void fill() {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.putByte(i, (byte) i);
        }
        transport = transports.launch(
            context -> context.timeouts(new Timeouts().unblockTimeoutNs(UNBLOCK_TIMEOUT_NS)));
    }

    private void connect(final Way way) {
        subscription = transport.addSubscription(transports.channel("endpoint=a|" + way.parameters()), STREAM_ID);
        publication = way.kind().add(transport, transports.channel("endpoint=a|window=4k|" + way.parameters()));
        Transports.awaitImages(subscription, 1);
    }

    private void connect(final Kind kind) {
        connect(new Way(kind, "mode=invoker"));
    }

    private byte[] bytes(final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    private DirectBufferVector vector(final int offset, final int length) {
        return new DirectBufferVector(buffer, offset, length);
    }

    private void assertReceived(final long reservedValue, final byte[] message) {
        final List<Long> values = new ArrayList<>();
        Await.until("the message", () -> subscription.poll((received, offset, length, header) -> {
            final byte[] bytes = new byte[length];
            received.getBytes(offset, bytes);
            assertArrayEquals(message, bytes);
            values.add(header.reservedValue());
        }, 1) == 1);
        assertEquals(List.of(), transports.errors());
        assertEquals(List.of(reservedValue), values);
    }

    /** Looks at the message where it lies. */
    private static ReservedValueSupplier sum(final byte[] expected) {
        return (termBuffer, termOffset, frameLength) -> {
            assertEquals(expected.length + ReservedValueSupplier.HEADER_LENGTH, frameLength);
            final byte[] seen = new byte[expected.length];
            termBuffer.getBytes(termOffset + ReservedValueSupplier.HEADER_LENGTH, seen);
            assertArrayEquals(expected, seen);
            long sum = 1;
            for (final byte one : seen) {
                sum = sum * 31 + one;
            }
            return sum;
        };
    }

    private static long sumOf(final byte[] message) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[ReservedValueSupplier.HEADER_LENGTH + message.length]);
        frame.putBytes(ReservedValueSupplier.HEADER_LENGTH, message);
        return sum(message).get(frame, 0, frame.capacity());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldAskForTheReservedValueWithTheMessageInPlace(final Way way) {
        connect(way);
        // more than the window, so that padding and frames at its end are among them
        for (int i = 0; i < 30; i++) {
            final byte[] message = bytes(i, 200 + i);
            Await.until("room", () -> publication.offer(buffer, message[0], message.length, sum(message)) > 0);
            assertReceived(sumOf(message), message);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldAskForTheReservedValueOfTwoBuffers(final Way way) {
        connect(way);
        final byte[] message = bytes(10, 50);
        final UnsafeBuffer second = new UnsafeBuffer(bytes(30, 40));
        assertEquals(96, publication.offer(buffer, 10, 20, second, 0, 30, sum(message)));
        assertReceived(sumOf(message), message);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldGatherVectors(final Way way) {
        connect(way);
        final byte[] message = bytes(7, 60);
        final DirectBufferVector[] vectors = {vector(7, 20), vector(900, 0), vector(27, 39), vector(66, 1)};
        assertEquals(96, publication.offer(vectors));
        assertReceived(0, message);
        assertEquals(192, publication.offer(vectors, sum(message)));
        assertReceived(sumOf(message), message);
        assertEquals(224, publication.offer(new DirectBufferVector[0]));
        assertReceived(0, new byte[0]);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSendZeroWithoutASupplier(final Kind kind) {
        connect(kind);
        assertTrue(publication.offer(buffer, 3, 5, null) > 0);
        assertReceived(0, bytes(3, 5));
        assertTrue(publication.offer(buffer, 3, 5, buffer, 8, 2, null) > 0);
        assertReceived(0, bytes(3, 7));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSendNothingWhenTheSupplierThrows(final Kind kind) {
        connect(kind);
        final RuntimeException thrown = new RuntimeException("planted");
        final ReservedValueSupplier failing = (termBuffer, termOffset, frameLength) -> {
            throw thrown;
        };
        assertSame(thrown, assertThrows(RuntimeException.class, () -> publication.offer(buffer, 0, 40, failing)));
        assertSame(thrown, assertThrows(
            RuntimeException.class, () -> publication.offer(new DirectBufferVector[] {vector(0, 40)}, failing)));
        assertTrue(publication.offer(buffer, 5, 40) > 0, "no claim is left open");
        assertReceived(0, bytes(5, 40));
    }

    /** A buffer that is looked at as another thread changes a part that was looked at before. */
    private static UnsafeBuffer changing(final DirectBufferVector part, final int laterLength) {
        return new UnsafeBuffer(new byte[8]) {
            @Override
            public int capacity() {
                part.length(laterLength);
                return super.capacity();
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSendNothingWhenAVectorIsChangedMeanwhile(final Kind kind) {
        connect(kind);
        for (final int laterLength : new int[] {41, 39, -1, Integer.MAX_VALUE}) {
            final DirectBufferVector part = vector(0, 40);
            final DirectBufferVector[] vectors = {part, new DirectBufferVector(changing(part, laterLength), 0, 8)};
            assertThrows(IllegalArgumentException.class, () -> publication.offer(vectors), "length=" + laterLength);
        }
        assertTrue(publication.offer(buffer, 5, 40) > 0, "no claim is left open");
        assertReceived(0, bytes(5, 40));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldClaimNothingForWhatIsOutOfRange(final Kind kind) {
        connect(kind);
        final ReservedValueSupplier none = (termBuffer, termOffset, frameLength) -> 0;
        assertThrows(IllegalArgumentException.class, () -> publication.offer(buffer, 0, MAX_LENGTH + 1, none));
        assertThrows(IllegalArgumentException.class, () -> publication.offer(buffer, 0, -1, none));
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(buffer, 1000, 100, none));
        final String message = assertThrows(IllegalArgumentException.class,
            () -> publication.offer(new DirectBufferVector[] {vector(0, 400), vector(0, 100)})).getMessage();
        assertTrue(message.contains("length=500") && message.contains("maxMessageLength=" + MAX_LENGTH), message);
        final String outside = assertThrows(IllegalArgumentException.class,
            () -> publication.offer(new DirectBufferVector[] {vector(0, 4), vector(1000, 100)})).getMessage();
        assertTrue(outside.contains("offset=1000 length=100 capacity=1024"), outside);
        assertThrows(NullPointerException.class,
            () -> publication.offer(new DirectBufferVector[] {new DirectBufferVector()}));
        assertEquals(0, publication.position());
        assertEquals(32, publication.offer(buffer, 0, 8));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldNotAskWhenThereIsNoRoom(final Kind kind) {
        connect(kind);
        final int[] asked = new int[1];
        final ReservedValueSupplier counting = (termBuffer, termOffset, frameLength) -> asked[0]++;
        long result = 1;
        int sent = 0;
        while (result > 0) {
            result = publication.offer(buffer, 0, 400, counting);
            sent += result > 0 ? 1 : 0;
        }
        assertEquals(Publication.BACK_PRESSURED, result);
        assertEquals(Publication.BACK_PRESSURED, publication.offer(new DirectBufferVector[] {vector(0, 400)}));
        assertEquals(sent, asked[0]);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSayThatItIsClosed(final Kind kind) {
        connect(kind);
        final ReservedValueSupplier closing = (termBuffer, termOffset, frameLength) -> {
            publication.close();
            return 0;
        };
        assertEquals(Publication.CLOSED, publication.offer(buffer, 0, 8, closing), "closed by its supplier");
        assertEquals(Publication.CLOSED, publication.offer(buffer, 0, 8, closing));
        assertEquals(Publication.CLOSED, publication.offer(new DirectBufferVector[] {vector(0, 1)}));
    }

    @Test
    void shouldRefuseAnOfferOfAnExclusivePublicationInItsSupplier() {
        connect(Kind.EXCLUSIVE);
        final ReservedValueSupplier offering =
            (termBuffer, termOffset, frameLength) -> publication.offer(buffer, 0, 8);
        assertThrows(IllegalStateException.class, () -> publication.offer(buffer, 0, 40, offering));
        assertTrue(publication.offer(buffer, 5, 40) > 0);
        assertReceived(0, bytes(5, 40));
    }

    @Test
    void shouldLetTheSupplierOfASharedPublicationOffer() {
        connect(Kind.SHARED);
        assertEquals(64, publication.offer(buffer, 0, 40, (termBuffer, termOffset, frameLength) ->
            publication.offer(buffer, 5, 10)));
        assertReceived(128, bytes(0, 40));
        assertReceived(0, bytes(5, 10));
    }

    @Test
    void shouldSayThatTheSupplierOfASharedPublicationTookTooLong() {
        connect(Kind.SHARED);
        final ReservedValueSupplier slow = (termBuffer, termOffset, frameLength) -> {
            Await.until("the claim to be given up",
                () -> transport.counters().get(TransportCounter.CLAIMS_UNBLOCKED) == 1);
            return 0;
        };
        final String message =
            assertThrows(IllegalStateException.class, () -> publication.offer(buffer, 0, 40, slow)).getMessage();
        assertTrue(message.contains("given up") && message.contains("unblockTimeoutNs=100000000"), message);
        assertTrue(publication.offer(buffer, 5, 40) > 0);
        assertReceived(0, bytes(5, 40));
    }

    @ParameterizedTest
    @MethodSource("io.sluice.transport.harness.Transports#parameters")
    void shouldSkipPaddingThatIsAppended(final String parameters) {
        connect(new Way(Kind.EXCLUSIVE, parameters));
        final ExclusivePublication exclusive = (ExclusivePublication) publication;
        final Image image = subscription.images().getFirst();
        assertEquals(128, exclusive.appendPadding(100));
        assertEquals(128, exclusive.position());
        assertEquals(192, publication.offer(buffer, 5, 40));
        assertReceived(0, bytes(5, 40));
        assertEquals(224, exclusive.appendPadding(0));
        Await.until("the padding to be skipped", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return image.position() == 224;
        });
        assertThrows(IllegalArgumentException.class, () -> exclusive.appendPadding(MAX_LENGTH + 1));
        final BufferClaim claim = new BufferClaim();
        assertTrue(exclusive.tryClaim(8, claim) > 0);
        assertThrows(IllegalStateException.class, () -> exclusive.appendPadding(8), "a claim is open");
        claim.abort();
        exclusive.close();
        assertEquals(Publication.CLOSED, exclusive.appendPadding(8));
    }

    @Test
    void shouldTellThePayloadThatIsNotFragmented() {
        connect(Kind.EXCLUSIVE);
        assertEquals(MAX_LENGTH, publication.maxPayloadLength());
        assertEquals(publication.maxMessageLength(), publication.maxPayloadLength());
    }

    @Test
    void shouldSetTheRangeOfAVector() {
        final DirectBufferVector vector = new DirectBufferVector().buffer(buffer).offset(3).length(4);
        assertSame(buffer, vector.buffer());
        assertEquals(3, vector.offset());
        assertEquals(4, vector.length());
        assertSame(vector, vector.validate());
        assertThrows(IllegalArgumentException.class, () -> vector.offset(-1).validate());
        assertThrows(IllegalArgumentException.class, () -> vector.reset(buffer, 0, 1025).validate());
        assertThrows(IllegalArgumentException.class, () -> vector.reset(buffer, Integer.MAX_VALUE, 1).validate());
        assertTrue(vector.toString().contains("offset=" + Integer.MAX_VALUE + " length=1"), vector.toString());
    }
}
