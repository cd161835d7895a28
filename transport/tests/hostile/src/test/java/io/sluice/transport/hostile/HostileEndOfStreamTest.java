package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.HostilePublication;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A publication whose announced ends do not add up: nothing hangs, nobody takes its stream for a whole one. */
class HostileEndOfStreamTest {
    private static final int STREAM_ID = 5;
    private static final int MESSAGES = 3;
    private static final int REPETITIONS = 20;
    private static final long RECEIVED = MESSAGES * HostilePublication.FRAME_LENGTH;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final ControlMessages messages = new ControlMessages(0x0101_0101_0101_0101L, 1);
    private final AtomicInteger unavailable = new AtomicInteger();
    private HostilePeer peer;
    private Transport victim;
    private Subscription innocent;
    private ExclusivePublication good;
    private Session session;
    private Subscription subscription;
    private HostilePublication publication;
    private Image image;

    @BeforeEach
    void launch() {
        victim = transports.launch();
        innocent = victim.addSubscription(transports.channel(""), STREAM_ID + 1);
        good = victim.addExclusivePublication(transports.channel("window=64k"), STREAM_ID + 1);
        Transports.awaitImages(innocent, 1);
        peer = new HostilePeer(transports.fabric());
    }

    @AfterEach
    void close() {
        if (publication != null) {
            publication.close();
        }
        if (session != null) {
            session.close();
        }
        peer.close();
    }

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    /** The peer links to a subscription, which receives three messages and consumes all but the last. */
    private void link(final String parameters) {
        subscription = victim.addSubscription(
            transports.channel(parameters), STREAM_ID, started -> { }, ended -> unavailable.incrementAndGet());
        session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        session.send(messages.hello());
        publication = new HostilePublication(peer, session, messages, STREAM_ID, !parameters.endsWith("copied"));
        assertEquals(parameters.endsWith("log=shared"), publication.isSeenInMemory());
        Transports.awaitImages(subscription, 1);
        image = subscription.images().getFirst();
        for (int i = 0; i < MESSAGES; i++) {
            publication.write();
        }
        assertEquals(RECEIVED, publication.position());
        Transports.receive(subscription, MESSAGES - 1);
        final boolean[] isReceived = new boolean[1];
        Await.until("the last message", () -> {
            subscription.controlledPoll((buffer, offset, length, header) -> {
                isReceived[0] = true;
                return ControlledFragmentHandler.Action.ABORT;
            }, 1);
            return isReceived[0];
        });
    }

    private int receiveUntilTheImageIsClosed() {
        final int[] received = new int[1];
        Await.until("the image to go", () -> {
            subscription.poll((buffer, offset, length, header) -> received[0]++, 1);
            return image.isClosed();
        });
        return received[0];
    }

    private void assertOthersGoOn() {
        for (int i = 0; i < 100; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(innocent, 1).getFirst().length);
        }
        assertEquals(1, innocent.imageCount());
        assertFalse(session.isOver(), "its connection goes on, too");
    }

    /** Handlers of images are called on a thread of their own. */
    private void assertImageGoneOnce() {
        Await.until("the handler", () -> unavailable.get() > 0);
        assertEquals(1, unavailable.get());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldEndOnceHoweverOftenItIsTold(final String parameters) {
        link(parameters);
        for (int i = 0; i < REPETITIONS; i++) {
            publication.sayEnd(RECEIVED);
        }
        assertEquals(1, receiveUntilTheImageIsClosed());
        for (int i = 0; i < REPETITIONS; i++) {
            publication.sayEnd(RECEIVED);
        }
        assertTrue(image.isEndOfStream());
        assertEquals(RECEIVED, image.endOfStreamPosition());
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> !heard.endsReceived().isEmpty());
        assertTrue(heard.endsReceived().stream().allMatch(end -> end == RECEIVED), () -> "" + heard.endsReceived());
        assertOthersGoOn();
        assertImageGoneOnce();
        assertEquals(0, subscription.imageCount());
        assertEquals(List.of(), transports.errors());
    }

    static Stream<Arguments> wrongEnds() {
        final long beyond = HostilePublication.FRAME_LENGTH + HostilePublication.WINDOW;
        return Transports.parameters().flatMap(parameters -> LongStream
            .of(0, 64, RECEIVED - 32, beyond + RECEIVED, 1L << 40)
            .mapToObj(end -> Arguments.of(parameters, end)));
    }

    @ParameterizedTest
    @MethodSource("wrongEnds")
    void shouldGiveUpALinkWhoseEndIsNotWhereItCanBe(final String parameters, final long end) {
        link(parameters);
        publication.sayEnd(end);
        assertGivenUp();
        assertEquals(Long.MAX_VALUE, image.endOfStreamPosition());
    }

    private void assertGivenUp() {
        assertEquals(1, receiveUntilTheImageIsClosed(), "what had arrived is handed out");
        assertEquals(RECEIVED, image.position());
        assertFalse(image.isEndOfStream(), "an image that was lost");
        transports.awaitError("BAD_POSITION", "streamId=" + STREAM_ID);
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> !heard.breaks().isEmpty());
        assertEquals(List.of(LinkBrokenReason.BAD_POSITION), heard.breaks());
        assertEquals(List.of(), heard.endsReceived().stream().filter(end -> end > RECEIVED).toList());
        assertOthersGoOn();
        assertImageGoneOnce();
        assertEquals(1, victim.counters().get(TransportCounter.LINKS_BROKEN));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldGiveUpALinkThatTakesItsEndBack(final String parameters) {
        link(parameters);
        publication.sayEnd(RECEIVED + 128);
        publication.sayEnd(RECEIVED);
        assertGivenUp();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldNotWaitForTheRestOfALinkThatIsClosedBeforeTheEndItHadAnnounced(final String parameters) {
        link(parameters);
        publication.sayEnd(RECEIVED + 32);
        publication.sayClosed();
        assertEquals(1, receiveUntilTheImageIsClosed());
        assertEquals(RECEIVED, image.position());
        assertFalse(image.isEndOfStream(), "an image that was lost");
        assertOthersGoOn();
        assertImageGoneOnce();
        assertEquals(List.of(), transports.errors());
    }
}
