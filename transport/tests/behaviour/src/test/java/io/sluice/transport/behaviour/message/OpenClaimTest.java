package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim that is open when its publication closes: the application may still write to the log's memory. */
class OpenClaimTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 32 * 1024;
    private static final int LENGTH = 1000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final BufferClaim claim = new BufferClaim();
    private Transport publisher;
    private Transport subscriber;
    private Subscription subscription;
    private ExclusivePublication publication;
    private Image image;

    @BeforeEach
    void launch() {
        publisher = transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(50_000_000L)));
        subscriber = transports.launch();
    }

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    /** One message is received, and the claim behind it is open. */
    private void claim(final String linger, final String parameters) {
        subscription = subscriber.addSubscription(transports.channel(parameters), STREAM_ID);
        publication = publisher.addExclusivePublication(
            transports.channel("window=32k|linger=" + linger + "|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        image = subscription.images().getFirst();
        Transports.offer(publication, new byte[40]);
        assertEquals(1, Transports.receive(subscription, 1).size());
        assertTrue(publication.tryClaim(LENGTH, claim) > 0);
    }

    private void awaitEnd() {
        Await.until("the image to go", () -> {
            assertEquals(0, subscription.poll((buffer, offset, length, header) -> { }, 1));
            return image.isClosed();
        });
        assertTrue(image.isEndOfStream(), "what was never committed does not count");
        assertEquals(64, image.position());
    }

    /** The conductors have gone round many times when another stream has come and gone. */
    private void exchange() {
        final Subscription other = subscriber.addSubscription(transports.channel("mode=invoker"), STREAM_ID + 1);
        final ExclusivePublication next =
            publisher.addExclusivePublication(transports.channel("window=4k"), STREAM_ID + 1);
        Transports.awaitImages(other, 1);
        final Image last = other.images().getFirst();
        assertEquals(64, next.offer(new UnsafeBuffer(new byte[40])));
        next.close();
        Await.until("the end", () -> {
            other.poll((buffer, offset, length, header) -> { }, 1);
            return last.isClosed();
        });
        other.close();
    }

    private void writeAndRead() {
        claim.buffer().setMemory(claim.offset(), LENGTH, (byte) 7);
        assertEquals(7, claim.buffer().getByte(claim.offset() + LENGTH - 1));
    }

    private void closeWithAnOpenClaim(final String parameters) {
        // not after the claim, which would keep the transport for a minute
        TestMedium.assumeSoftware();
        claim("60s", parameters);
        publication.close();
        awaitEnd();
        Await.until("the drain", publication::isDrained);
        // released by the thread that polls, which may have polled last before it was asked to
        Await.until("the image's ring to go", () -> {
            assertEquals(0, subscription.poll((buffer, offset, length, header) -> { }, 1));
            return transports.fabric().regions(WINDOW) <= 1;
        });
        exchange();
        assertEquals(1, transports.fabric().regions(WINDOW), "its log is still there");
        writeAndRead();
    }

    private void assertReleased() {
        assertEquals(0, claim.buffer().capacity(), "the memory is out of reach");
        Await.until("the log to go", () -> transports.fabric().regions(WINDOW) == 0);
        assertThrows(IllegalStateException.class, claim::commit, "once");
        assertEquals(Publication.CLOSED, publication.tryClaim(LENGTH, claim));
        assertEquals(0, publisher.counters().get(TransportCounter.MEMORY_ABANDONED));
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldKeepTheLogOfAClosedPublicationUntilItIsCommittedInVain(final String parameters) {
        closeWithAnOpenClaim(parameters);
        assertThrows(IllegalStateException.class, claim::commit);
        assertReleased();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldKeepTheLogOfAClosedPublicationUntilItIsAborted(final String parameters) {
        closeWithAnOpenClaim(parameters);
        claim.abort();
        assertReleased();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldLeaveTheLogOfAClosedTransportToItsClaim(final String parameters) {
        claim("1ms", parameters);
        publisher.close();
        assertEquals(1, publisher.counters().get(TransportCounter.MEMORY_ABANDONED));
        transports.awaitError("ABANDONED", "memory abandoned", "streamId=" + STREAM_ID, "claim");
        awaitImageGone();
        writeAndRead();
        assertThrows(IllegalStateException.class, claim::commit);
        assertEquals(0, claim.buffer().capacity(), "the memory is out of reach");
        publisher.close();
        assertEquals(1, publisher.counters().get(TransportCounter.MEMORY_ABANDONED));
        assertOthersGoOn();
    }

    private void awaitImageGone() {
        Await.until("the image to go", () -> {
            assertEquals(0, subscription.poll((buffer, offset, length, header) -> { }, 1));
            return image.isClosed();
        });
        assertEquals(64, image.position());
    }

    private void assertOthersGoOn() {
        final ExclusivePublication next =
            subscriber.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        Transports.awaitConnected(next, subscription);
        Transports.offer(next, new byte[10]);
        assertEquals(10, Transports.receive(subscription, 1).getFirst().length);
        assertFalse(subscription.isClosed());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldBeHarmlessWhenItIsAbortedAfterItsTransport(final String parameters) {
        claim("1ms", parameters);
        publisher.close();
        writeAndRead();
        claim.abort();
        assertEquals(0, claim.buffer().capacity(), "the memory is out of reach");
        assertEquals(Publication.CLOSED, publication.tryClaim(LENGTH, claim));
        awaitImageGone();
        assertOthersGoOn();
    }
}
