package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 4096;
    private static final int MAX_LENGTH = WINDOW / 8 - FrameDescriptor.HEADER_LENGTH;
    private static final long RESERVED = 0x0102_0304_0506_0708L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
    private final BufferClaim claim = new BufferClaim();
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription subscription;

    @BeforeEach
    void fill() {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.putByte(i, (byte) i);
        }
        transport = transports.launch();
    }

    private void connect(final String parameters) {
        subscription = transport.addSubscription(transports.channel("endpoint=a|" + parameters), STREAM_ID);
        publication =
            transport.addExclusivePublication(transports.channel("endpoint=a|window=4k|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
    }

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private byte[] bytes(final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    @Test
    void shouldNotForgetAClaimOfAnotherPublication() {
        connect("mode=invoker");
        final ExclusivePublication other =
            transport.addExclusivePublication(transports.channel("endpoint=a|window=4k"), STREAM_ID);
        Transports.awaitImages(subscription, 2);
        assertTrue(publication.tryClaim(8, claim) > 0);
        final Exception ex = assertThrows(IllegalStateException.class, () -> other.tryClaim(8, claim));
        assertTrue(ex.getMessage().contains("position=0 length=8"), ex.getMessage());
        claim.commit();
        assertTrue(other.tryClaim(8, claim) > 0);
        claim.abort();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverWhatWasOffered(final String parameters) {
        connect(parameters);
        final long position = publication.offer(buffer, 3, 100, RESERVED);
        assertEquals(128, position);
        assertEquals(position, publication.position());
        final List<Long> seen = new ArrayList<>();
        Await.until("the message", () -> subscription.poll((message, offset, length, header) -> {
            final byte[] bytes = new byte[length];
            message.getBytes(offset, bytes);
            assertArrayEquals(bytes(3, 100), bytes);
            assertEquals(100, message.capacity() - offset, "bounded to the message");
            assertEquals(position, header.position());
            assertEquals(publication.sessionId(), header.sessionId());
            assertEquals(STREAM_ID, header.streamId());
            assertEquals(RESERVED, header.reservedValue());
            assertEquals(0, header.flags());
            assertEquals(subscription.imageBySessionId(publication.sessionId()), header.image());
            seen.add(header.position());
        }, 10) > 0);
        assertEquals(List.of(position), seen);
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverEveryLengthFromZeroToTheMaximum(final String parameters) {
        connect(parameters);
        assertEquals(MAX_LENGTH, publication.maxMessageLength());
        for (int length = 0; length <= MAX_LENGTH; length++) {
            final byte[] message = bytes(length % 7, length);
            Transports.offer(publication, message);
            assertArrayEquals(message, Transports.receive(subscription, 1).getFirst());
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldGatherTwoBuffersIntoOneMessage(final String parameters) {
        connect(parameters);
        final UnsafeBuffer second = new UnsafeBuffer(bytes(500, 300));
        assertEquals(352, publication.offer(buffer, 10, 20, second, 5, 295));
        final byte[] message = Transports.receive(subscription, 1).getFirst();
        assertEquals(315, message.length);
        for (int i = 0; i < message.length; i++) {
            assertEquals((byte) (i < 20 ? 10 + i : 505 + i - 20), message[i]);
        }
        assertTrue(publication.offer(buffer, 0, 0, second, 0, 0) > 0);
        assertEquals(0, Transports.receive(subscription, 1).getFirst().length);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverAClaimWhenItIsCommitted(final String parameters) {
        connect(parameters);
        assertEquals(64, publication.tryClaim(40, claim));
        assertEquals(40, claim.length());
        assertEquals(40, claim.buffer().capacity(), "bounded to the message");
        assertSame(claim, claim.putBytes(buffer, 7, 40));
        assertThrows(IndexOutOfBoundsException.class, () -> claim.putBytes(buffer, 0, 41));
        assertEquals(0, claim.reservedValue());
        assertEquals(RESERVED, claim.reservedValue(RESERVED).reservedValue());
        assertEquals(0, publication.position(), "nothing is sent before the commit");
        assertEquals(0, subscription.poll((message, offset, length, header) -> { }, 1));
        claim.commit();
        assertEquals(64, publication.position());
        Await.until("the message", () -> subscription.poll((message, offset, length, header) -> {
            assertEquals(40, length);
            assertEquals(RESERVED, header.reservedValue());
            assertEquals(7, message.getByte(offset));
        }, 1) == 1);
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldSkipAClaimThatIsAborted(final String parameters) {
        connect(parameters);
        for (int i = 0; i < 300; i++) {
            final byte[] message = bytes(i % 256, 30);
            Await.until("room", () -> publication.tryClaim(100, claim) > 0);
            claim.buffer().setMemory(0, 100, (byte) -1);
            claim.abort();
            Transports.offer(publication, message);
            assertArrayEquals(message, Transports.receive(subscription, 1).getFirst());
        }
    }

    @Test
    void shouldAllowOneOpenClaimOnly() {
        connect("mode=invoker");
        publication.tryClaim(8, claim);
        assertThrows(IllegalStateException.class, () -> publication.tryClaim(8, new BufferClaim()));
        assertThrows(IllegalStateException.class, () -> publication.offer(buffer, 0, 8));
        claim.commit();
        assertThrows(IllegalStateException.class, claim::commit, "once");
        assertThrows(IllegalStateException.class, claim::abort, "once");
        assertEquals(0, claim.buffer().capacity(), "its memory is out of reach");
        assertTrue(publication.offer(buffer, 0, 8) > 0);
        assertEquals(2, Transports.receive(subscription, 2).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX_LENGTH + 1, 4096, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void shouldNameALengthOutOfRange(final int length) {
        connect("mode=invoker");
        assertNamed(length, () -> publication.offer(buffer, 0, length));
        assertNamed(length, () -> publication.offer(buffer, 0, length, 0L));
        assertNamed(length, () -> publication.tryClaim(length, claim));
        assertNamed(length, () -> publication.offer(buffer, 0, length, buffer, 0, 0));
        assertNamed(length, () -> publication.offer(buffer, 0, 0, buffer, 0, length));
        assertEquals(0, publication.position());
        assertEquals(32, publication.offer(buffer, 0, 8), "the publication goes on");
    }

    private static void assertNamed(final int length, final org.junit.jupiter.api.function.Executable offer) {
        final String message = assertThrows(IllegalArgumentException.class, offer).getMessage();
        assertTrue(message.contains("length=" + length), message);
        assertTrue(message.contains("maxMessageLength=" + MAX_LENGTH), message);
    }

    @Test
    void shouldNameTheSumOfGatheredLengthsOutOfRange() {
        connect("mode=invoker");
        assertNamed(MAX_LENGTH + 1, () -> publication.offer(buffer, 0, MAX_LENGTH, buffer, 0, 1));
        assertNamed(MAX_LENGTH + 2, () -> publication.offer(buffer, 0, 2, buffer, 0, MAX_LENGTH));
    }

    @Test
    void shouldSendNothingOfARangeOutsideItsBuffer() {
        connect("mode=invoker");
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(buffer, 1000, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(buffer, -1, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(buffer, 0, 10, buffer, 1020, 10));
        assertEquals(0, publication.position());
        publication.offer(buffer, 9, 10);
        assertArrayEquals(bytes(9, 10), Transports.receive(subscription, 1).getFirst());
    }

    @Test
    void shouldNotBeConnectedWithoutASubscription() {
        publication = transport.addExclusivePublication(transports.channel("endpoint=a"), STREAM_ID);
        assertEquals(Publication.NOT_CONNECTED, publication.offer(buffer, 0, 8));
        assertEquals(Publication.NOT_CONNECTED, publication.tryClaim(8, claim));
        assertFalse(publication.isConnected());
        assertEquals(0, publication.position());
        assertEquals(Publication.NOT_CONNECTED, publication.positionLimit());
        assertEquals(0, publication.availableWindow());
    }

    @Test
    void shouldSayThatItIsClosed() {
        connect("mode=invoker");
        publication.close();
        publication.close();
        assertTrue(publication.isClosed());
        assertFalse(publication.isConnected());
        assertEquals(Publication.CLOSED, publication.offer(buffer, 0, 8));
        assertEquals(Publication.CLOSED, publication.offer(buffer, 0, 8, buffer, 0, 8));
        assertEquals(Publication.CLOSED, publication.tryClaim(8, claim));
        assertEquals(Publication.CLOSED, publication.position());
        assertEquals(Publication.CLOSED, publication.positionLimit());
        assertEquals(Publication.CLOSED, publication.availableWindow());
        Await.until("the drain of nothing", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return publication.isDrained();
        });
    }

    @Test
    void shouldNameItsResults() {
        assertEquals("NOT_CONNECTED", Publication.errorString(-1));
        assertEquals("BACK_PRESSURED", Publication.errorString(-2));
        assertEquals("ADMIN_ACTION", Publication.errorString(-3));
        assertEquals("CLOSED", Publication.errorString(-4));
        assertEquals("MAX_POSITION_EXCEEDED", Publication.errorString(-5));
        assertEquals("NONE", Publication.errorString(0));
        assertEquals("NONE", Publication.errorString(Long.MAX_VALUE));
        assertEquals("UNKNOWN", Publication.errorString(-6));
        assertEquals("UNKNOWN", Publication.errorString(Long.MIN_VALUE));
        assertEquals("UNKNOWN", Publication.errorString(-(1L << 32) - 2));
    }

    @Test
    void shouldDescribeItself() {
        publication = transport.addExclusivePublication(transports.channel("endpoint=a|session-id=-77"), STREAM_ID);
        assertEquals(-77, publication.sessionId());
        assertEquals(STREAM_ID, publication.streamId());
        assertEquals(transports.channel("endpoint=a|session-id=-77"), publication.channel());
        assertFalse(publication.isClosed());
        assertFalse(publication.isDrained());
    }

    @Test
    void shouldCommitWhatWasClaimedThoughTheClaimsBufferIsWrappedAnew() {
        connect("mode=invoker");
        assertTrue(publication.tryClaim(8, claim) > 0);
        claim.buffer().putLong(0, 42);
        claim.buffer().wrap(new byte[100]);
        claim.commit();
        assertEquals(8, Transports.receive(subscription, 1).getFirst().length);
    }
}
