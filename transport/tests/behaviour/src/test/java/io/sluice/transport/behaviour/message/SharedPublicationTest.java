package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handles on one stream, its claims, and its end, as the application sees them. */
class SharedPublicationTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 32 * 1024;
    private static final long UNBLOCK_TIMEOUT_NS = 100_000_000L;
    private static final String PARAMETERS = "window=32k|linger=60s";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final BufferClaim claim = new BufferClaim();
    private Transport publisher;
    private Subscription subscription;
    private Publication publication;

    @BeforeEach
    void launch() {
        publisher = transports.launch(context ->
            context.timeouts(new Timeouts().unblockTimeoutNs(UNBLOCK_TIMEOUT_NS).lingerTimeoutNs(50_000_000L)));
    }

    /** A publisher that gives no claim up while a test is held up with it. */
    private void launchPatient() {
        publisher = transports.launch();
    }

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void connect(final String parameters) {
        subscription = transports.launch().addSubscription(transports.channel(parameters), STREAM_ID);
        publication = publisher.addPublication(transports.channel(PARAMETERS + "|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
    }

    private void assertReceived(final byte[]... messages) {
        final List<byte[]> received = Transports.receive(subscription, messages.length);
        for (int i = 0; i < messages.length; i++) {
            assertArrayEquals(messages[i], received.get(i));
        }
    }

    private static byte[] message(final int value) {
        return new byte[] {(byte) value, 1, 2, 3, 4};
    }

    private void awaitImageGone(final Image image) {
        Await.until("the image to go", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 10);
            return image.isClosed();
        });
        assertTrue(image.isEndOfStream());
    }

    @Test
    void shouldShareOneStreamBetweenAllHandles() {
        connect("mode=invoker");
        final Publication other =
            publisher.addPublication(transports.channel(PARAMETERS + "|mode=invoker|alias=other"), STREAM_ID);
        assertEquals(publication.sessionId(), other.sessionId());
        assertEquals(64, publication.offer(new UnsafeBuffer(new byte[40])));
        assertEquals(128, other.offer(new UnsafeBuffer(new byte[40])));
        assertEquals(128, publication.position());
        assertEquals(1, subscription.imageCount());
        assertEquals(publication.channel(), other.channel());
        assertEquals(publication.maxMessageLength(), WINDOW / 8 - 24);
    }

    @Test
    void shouldEndTheStreamWithItsLastHandle() {
        connect("mode=invoker");
        final Image image = subscription.images().getFirst();
        final Publication other = publisher.addPublication(transports.channel(PARAMETERS + "|mode=invoker"), STREAM_ID);
        publication.close();
        publication.close();
        assertTrue(publication.isClosed());
        assertFalse(publication.isConnected());
        final UnsafeBuffer message = new UnsafeBuffer(message(1));
        assertEquals(Publication.CLOSED, publication.offer(message));
        assertEquals(Publication.CLOSED, publication.offer(message, 0, 2, message, 2, 3));
        assertEquals(Publication.CLOSED, publication.tryClaim(5, claim));
        assertEquals(Publication.CLOSED, publication.position());
        assertEquals(Publication.CLOSED, publication.positionLimit());
        assertEquals(Publication.CLOSED, publication.availableWindow());
        assertFalse(other.isClosed());
        Transports.offer(other, message(2));
        assertReceived(message(2));
        assertFalse(image.isClosed());
        other.close();
        awaitImageGone(image);
        Await.until("the drain", () -> publication.isDrained() && other.isDrained());
    }

    @Test
    void shouldBeginANewStreamWhenTheOneBeforeIsClosed() {
        connect("mode=invoker");
        Transports.offer(publication, message(1));
        publication.close();
        final Publication next = publisher.addPublication(transports.channel(PARAMETERS + "|mode=invoker"), STREAM_ID);
        assertNotEquals(publication.sessionId(), next.sessionId());
        assertEquals(Publication.CLOSED, publication.offer(new UnsafeBuffer(message(2))));
        Transports.awaitConnected(next, subscription);
        Transports.offer(next, message(3));
        publication.close();
        assertFalse(next.isClosed(), "a handle counts once, and on its own stream");
        assertEquals(32, next.position());
    }

    @Test
    void shouldHaveStreamsOfItsOwnForEveryChannelAndStreamIdAndBesideExclusiveOnes() {
        connect("mode=invoker");
        final int session = publication.sessionId();
        assertNotEquals(session, publisher.addPublication(transports.channel(PARAMETERS), STREAM_ID + 1).sessionId());
        assertNotEquals(
            session,
            publisher.addPublication(transports.channel(PARAMETERS + "|endpoint=other"), STREAM_ID).sessionId());
        assertNotEquals(
            session, publisher.addExclusivePublication(transports.channel(PARAMETERS), STREAM_ID).sessionId());
    }

    @ParameterizedTest
    @ValueSource(strings = {"window=64k", "window=32k|linger=1s", "window=32k|log=copied", "window=32k|session-id=4"})
    void shouldRefuseOtherValuesThanThoseOfTheHandlesThatThereAre(final String values) {
        if (values.contains("log=")) {
            TestMedium.assumeIpc();
        }
        publisher.addPublication(transports.channel("window=32k|session-id=3"), STREAM_ID);
        final Exception ex = assertThrows(IllegalArgumentException.class, () ->
            publisher.addPublication(transports.channel(values), STREAM_ID));
        assertTrue(ex.getMessage().contains(values), ex.getMessage());
        assertTrue(ex.getMessage().contains("sessionId=3"), ex.getMessage());
        assertEquals(3, publisher.addPublication(transports.channel("window=32k"), STREAM_ID).sessionId());
        assertEquals(3, publisher.addPublication(transports.channel("window=32k|session-id=3"), STREAM_ID).sessionId());
    }

    @Test
    void shouldCloseAllHandlesWithTheirTransport() {
        connect("mode=invoker");
        subscription.close();
        publisher.close();
        assertTrue(publication.isClosed());
        assertEquals(Publication.CLOSED, publication.offer(new UnsafeBuffer(message(1))));
        publication.close();
        assertThrows(
            IllegalStateException.class, () -> publisher.addPublication(transports.channel(PARAMETERS), STREAM_ID));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldBackPressureWhenTheWindowIsFull(final String parameters) {
        connect(parameters);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
        assertEquals(0, publication.position());
        int sent = 0;
        while (publication.offer(message) > 0) {
            sent++;
        }
        assertEquals(WINDOW / 1024, sent);
        assertEquals(Publication.BACK_PRESSURED, publication.tryClaim(0, claim));
        assertEquals(WINDOW, publication.position());
        Await.until("the limit to be seen", () -> publication.positionLimit() == WINDOW);
        assertEquals(0, publication.availableWindow());
        Transports.receive(subscription, sent);
        Await.until("room", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return publication.offer(message) > 0;
        });
    }

    @Test
    void shouldNotSendWithoutSubscribers() {
        publication = publisher.addPublication(transports.channel(PARAMETERS), STREAM_ID);
        assertFalse(publication.isConnected());
        assertEquals(Publication.NOT_CONNECTED, publication.offer(new UnsafeBuffer(message(1))));
        assertEquals(Publication.NOT_CONNECTED, publication.tryClaim(1, claim));
        assertEquals(Publication.NOT_CONNECTED, publication.positionLimit());
        assertEquals(0, publication.availableWindow());
        assertEquals(0, publication.position());
    }

    @Test
    void shouldNameALengthOutOfRange() {
        publication = publisher.addPublication(transports.channel(PARAMETERS), STREAM_ID);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[WINDOW]);
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> publication.offer(buffer, 0, WINDOW / 8));
        assertTrue(ex.getMessage().contains("length=" + WINDOW / 8), ex.getMessage());
        assertThrows(IllegalArgumentException.class, () -> publication.offer(buffer, 0, 4000, buffer, 0, 4000));
        assertThrows(IllegalArgumentException.class, () -> publication.tryClaim(-1, claim));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldSkipAnOfferWhoseMessageCannotBeRead(final String parameters) {
        connect(parameters);
        final UnsafeBuffer tooShort = new UnsafeBuffer(new byte[10]);
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(tooShort, 5, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> publication.offer(tooShort, 0, 10, tooShort, 5, 100));
        assertThrows(NullPointerException.class, () -> publication.offer(null, 5, 100));
        Transports.offer(publication, message(1));
        assertReceived(message(1));
    }

    @Test
    void shouldEndAClaimOnce() {
        launchPatient();
        connect("mode=invoker");
        assertTrue(publication.tryClaim(5, claim) > 0);
        assertThrows(IllegalStateException.class, () -> publication.tryClaim(5, claim), "it would be lost");
        claim.buffer().putBytes(0, message(1));
        claim.commit();
        assertThrows(IllegalStateException.class, claim::commit);
        assertThrows(IllegalStateException.class, claim::abort);
        assertTrue(publication.tryClaim(5, claim) > 0);
        claim.abort();
        assertThrows(IllegalStateException.class, claim::commit);
        assertReceived(message(1));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldSendNothingBeforeAnOpenClaimIsOver(final String parameters) {
        launchPatient();
        connect(parameters);
        final BufferClaim other = new BufferClaim();
        assertTrue(publication.tryClaim(5, claim) > 0);
        assertTrue(publication.tryClaim(1000, other) > 0);
        Transports.offer(publication, message(3));
        assertEquals(0, subscription.poll((buffer, offset, length, header) -> { }, 10));
        claim.buffer().putBytes(0, message(1));
        claim.commit();
        assertReceived(message(1));
        other.abort();
        assertReceived(message(3));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldGiveUpADeadClaimWhileOthersGoOn(final String parameters) {
        connect(parameters);
        assertTrue(publication.tryClaim(1000, claim) > 0);
        for (int i = 0; i < 20; i++) {
            Transports.offer(publication, message(i));
        }
        for (int i = 0; i < 20; i++) {
            assertReceived(message(i));
        }
        // messages behind it may be here before it is counted
        Await.until("the count", () -> publisher.counters().get(TransportCounter.CLAIMS_UNBLOCKED) == 1);
        final Exception ex = assertThrows(IllegalStateException.class, claim::commit);
        assertTrue(ex.getMessage().contains("unblockTimeoutNs=" + UNBLOCK_TIMEOUT_NS), ex.getMessage());
        assertEquals(0, claim.buffer().capacity(), "the memory is out of reach");
        assertTrue(publication.tryClaim(5, claim) > 0, "the thread may go on");
        claim.buffer().putBytes(0, message(21));
        claim.commit();
        assertReceived(message(21));
        assertEquals(1, publisher.counters().get(TransportCounter.CLAIMS_UNBLOCKED));
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldTakeALateAbortForWhatItIs() {
        connect("mode=invoker");
        assertTrue(publication.tryClaim(1000, claim) > 0);
        Transports.offer(publication, message(1));
        assertReceived(message(1));
        claim.abort();
        Transports.offer(publication, message(2));
        assertReceived(message(2));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverWhatStandsBehindAClaimThatIsOpenWhenTheStreamIsClosed(final String parameters) {
        // not after the claim, which would keep the transport for a minute
        TestMedium.assumeSoftware();
        connect(parameters);
        final Image image = subscription.images().getFirst();
        assertTrue(publication.tryClaim(1000, claim) > 0);
        Transports.offer(publication, message(1));
        publication.close();
        assertReceived(message(1));
        awaitImageGone(image);
        assertEquals(1024 + 32, image.position());
        Await.until("the drain", publication::isDrained);
        assertTrue(transports.fabric().regions(WINDOW) >= 1, "its log is still there");
        claim.buffer().setMemory(0, 1000, (byte) 7);
        assertThrows(IllegalStateException.class, claim::commit);
        Await.until("the log to go", () -> {
            // where the log is copied the subscriber has a ring as long, which it leaves in a poll
            subscription.poll((buffer, offset, length, header) -> { }, 10);
            return transports.fabric().regions(WINDOW) == 0;
        });
        assertEquals(0, publisher.counters().get(TransportCounter.MEMORY_ABANDONED));
    }

    @Test
    void shouldLeaveTheLogToAClaimThatIsNeverOver() {
        connect("mode=invoker|linger=1ms");
        assertTrue(publication.tryClaim(1000, claim) > 0);
        subscription.close();
        publisher.close();
        assertEquals(1, publisher.counters().get(TransportCounter.MEMORY_ABANDONED));
        claim.buffer().setMemory(0, 1000, (byte) 7);
        assertThrows(IllegalStateException.class, claim::commit);
    }

    @Test
    void shouldRefuseASecondPublicationThatNamesTheSameSessionUntilTheFirstIsClosed() {
        final String channel = transports.channel("window=32k|session-id=3");
        final String other = transports.channel("window=64k|session-id=3");
        final Publication first = publisher.addExclusivePublication(channel, STREAM_ID);

        for (int i = 0; i < 2; i++) {
            final Exception ex = assertThrows(
                IllegalArgumentException.class, () -> publisher.addExclusivePublication(other, STREAM_ID));
            assertTrue(ex.getMessage().contains("session-id=3 streamId=5 channel=" + other), ex.getMessage());
            assertTrue(ex.getMessage().endsWith("channel=" + channel), ex.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> publisher.addPublication(other, STREAM_ID));

        assertEquals(3, publisher.addExclusivePublication(other, STREAM_ID + 1).sessionId());
        first.close();
        assertEquals(3, publisher.addExclusivePublication(other, STREAM_ID).sessionId());
    }
}
