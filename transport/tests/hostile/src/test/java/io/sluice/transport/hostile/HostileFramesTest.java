package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody writes nonsense into shared memory: into the frames of a ring, or into a publication's feedback cell. */
class HostileFramesTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 32 * 1024;
    private static final int FRAME = 64;
    private static final int MESSAGES = 10;
    private static final int VICTIM = 4;
    private static final int FEEDBACK_LENGTH = 64;
    private static final int DATA = FrameDescriptor.DATA_TYPE << 16;
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[FRAME - FrameDescriptor.HEADER_LENGTH]);

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport publisher;
    private Transport subscriber;
    private Subscription innocent;
    private ExclusivePublication good;

    @BeforeEach
    void launch() {
        publisher = transports.launch();
        subscriber = transports.launch();
        innocent = subscriber.addSubscription("sluice:ipc", STREAM_ID + 1);
        good = publisher.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID + 1);
        Transports.awaitImages(innocent, 1);
    }

    static Stream<Arguments> badFrames() {
        return Stream.concat(
            Transports.parameters().flatMap(HostileFramesTest::malformedFrames),
            // only completions tell what was received; a log that is looked at ends where its last frame ends
            Transports.parameters().filter(parameters -> !parameters.endsWith("log=shared")).map(parameters ->
                Arguments.of(parameters, "length beyond what was received", 0, (MESSAGES - VICTIM) * FRAME + 1)));
    }

    private static Stream<Arguments> malformedFrames(final String parameters) {
        return Stream.of(
            Arguments.of(parameters, "length=0", 0, 0),
            Arguments.of(parameters, "length=-64, claimed", 0, -64),
            Arguments.of(parameters, "length=MIN", 0, Integer.MIN_VALUE),
            Arguments.of(parameters, "lap word of the next lap", 8, (WINDOW + VICTIM * FRAME) / 32),
            Arguments.of(parameters, "lap word of the next frame", 8, (VICTIM + 1) * FRAME / 32),
            Arguments.of(parameters, "length=23", 0, 23),
            Arguments.of(parameters, "length=MAX", 0, Integer.MAX_VALUE),
            Arguments.of(parameters, "length of the whole ring", 0, WINDOW),
            Arguments.of(parameters, "version=0", 4, DATA),
            Arguments.of(parameters, "version=2", 4, DATA | 2),
            Arguments.of(parameters, "version=255", 4, DATA | 255),
            Arguments.of(parameters, "type=2", 4, 2 << 16 | FrameDescriptor.FRAME_VERSION),
            Arguments.of(parameters, "type=65535", 4, 65535 << 16 | FrameDescriptor.FRAME_VERSION));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("badFrames")
    void shouldDeliverWhatCameBeforeABadFrameAndGiveTheImageUp(
        final String parameters, final String what, final int fieldOffset, final int value) {
        // the ring of two events keeps the poller from walking up to the frame before it is spoilt
        final Subscription subscription = subscriber.addSubscription("sluice:ipc?ring=2|" + parameters, STREAM_ID);
        final ExclusivePublication publication =
            publisher.addExclusivePublication("sluice:ipc?window=32k|" + parameters, STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.images().getFirst();
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(publication.offer(MESSAGE, 0, MESSAGE.capacity()) > 0);
        }
        regions(WINDOW).forEach(region -> writeInt(region, VICTIM * FRAME + fieldOffset, value));
        final int[] received = new int[1];
        Await.until("the image to be given up", () -> {
            subscription.poll((buffer, offset, length, header) -> received[0]++, 3);
            return image.isClosed();
        });
        assertEquals(VICTIM, received[0]);
        assertFalse(image.isEndOfStream());
        assertEquals(VICTIM * FRAME, image.position());
        assertEquals(1, subscriber.counters().get(TransportCounter.FRAMES_REJECTED));
        transports.awaitError("IMAGE_LOST",
            "BAD_FRAME", "streamId=" + STREAM_ID, "position=" + VICTIM * FRAME, "expected lapWord=");
        Await.until("the publisher to be told", () ->
            publication.offer(MESSAGE, 0, MESSAGE.capacity()) == Publication.NOT_CONNECTED);
        assertOthersGoOn();
        assertEquals(0, subscription.imageCount(), "its bytes were wrong: it is not tried again");
    }

    private void assertOthersGoOn() {
        for (int i = 0; i < 100; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(innocent, 1).getFirst().length);
        }
        assertEquals(1, innocent.imageCount());
    }

    static Stream<Arguments> badFeedback() {
        final int consumed = FeedbackDescriptor.CONSUMED_POSITION_OFFSET;
        final int receives = FeedbackDescriptor.RECEIVES_POSTED_OFFSET;
        return Stream.concat(
            Stream.of("memory", "queue").flatMap(completion -> Stream.of(
                Arguments.of(completion, "consumed beyond what was posted", consumed, 1L << 40),
                Arguments.of(completion, "consumed=MAX", consumed, Long.MAX_VALUE),
                Arguments.of(completion, "consumed=-1", consumed, -1L),
                Arguments.of(completion, "consumed=MIN", consumed, Long.MIN_VALUE),
                Arguments.of(completion, "consumed goes back", consumed, 32L))),
            Stream.of(
                Arguments.of("queue", "receives beyond what can be", receives, 1L << 40),
                Arguments.of("queue", "receives=MAX", receives, Long.MAX_VALUE),
                Arguments.of("queue", "receives=-1", receives, -1L),
                Arguments.of("queue", "receives go back", receives, 1L)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("badFeedback")
    void shouldGiveALinkUpWhoseFeedbackDoesNotAddUp(
        final String completion, final String what, final int wordOffset, final long value) {
        final Subscription subscription =
            subscriber.addSubscription("sluice:ipc?receive-depth=8|completion=" + completion, STREAM_ID);
        final List<Path> before = regions(FEEDBACK_LENGTH);
        final ExclusivePublication publication =
            publisher.addExclusivePublication("sluice:ipc?window=32k|writes-in-flight=2", STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final FileChannel cell = open(
            regions(FEEDBACK_LENGTH).stream().filter(file -> !before.contains(file)).findFirst().orElseThrow());
        final Image image = subscription.images().getFirst();
        for (int i = 0; i < WINDOW / FRAME; i++) {
            Transports.offer(publication, new byte[MESSAGE.capacity()]);
            Transports.receive(subscription, 1);
        }
        Await.until("a report", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return publication.positionLimit() > WINDOW;
        });
        final LongSupplier rejected = () -> publisher.counters().get(TransportCounter.FEEDBACK_REJECTED);
        Await.until("the feedback to be rejected", () -> {
            write(cell, wordOffset, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value));
            publication.offer(MESSAGE, 0, MESSAGE.capacity());
            return rejected.getAsLong() > 0;
        });
        assertEquals(1, rejected.getAsLong());
        transports.awaitError("SUBSCRIBER_LOST", "BAD_FEEDBACK", "streamId=" + STREAM_ID);
        Await.until("the image to go", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 10);
            return image.isClosed();
        });
        // the subscriber hears of it first, and the publisher lets the link go when it has told everybody
        Await.until("the link to go",
            () -> publication.offer(MESSAGE, 0, MESSAGE.capacity()) == Publication.NOT_CONNECTED);
        assertOthersGoOn();
    }

    /** The data files of all regions of a length. */
    private List<Path> regions(final int length) {
        try (Stream<Path> files = Files.walk(transports.fabric().directory())) {
            return files.filter(file -> file.toString().endsWith(".d") && file.toFile().length() == length).toList();
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    private static void writeInt(final Path region, final int offset, final int value) {
        write(open(region), offset, ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, value));
    }

    private static FileChannel open(final Path region) {
        try {
            return FileChannel.open(region, StandardOpenOption.WRITE);
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    private static void write(final FileChannel region, final int offset, final ByteBuffer bytes) {
        try {
            region.write(bytes, offset);
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }
}
