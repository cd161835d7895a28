package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stream.PublicationState;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A shared log that is reused under a handler, as it happens to a process that stood still for too long.
 */
class OverwrittenMessageTest {
    @RegisterExtension
    private final Transports transports = new Transports();

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldTellTheErrorHandlerWhenTheLogIsReusedUnderAHandler(final String mode) throws Exception {
        final Transport transport = transports.launch();
        final Subscription subscription = transport.addSubscription("sluice:ipc?mode=" + mode, 1);
        final ExclusivePublication publication = transport.addExclusivePublication("sluice:ipc", 1);
        Transports.awaitConnected(publication, subscription);
        final SendLog log = log(publication);

        Transports.offer(publication, new byte[8]);
        assertEquals(1, Transports.receive(subscription, 1).size());
        assertEquals(List.of(), transports.errors());

        final long framePosition = log.tail();
        Transports.offer(publication, new byte[8]);
        Await.until("the message", () -> subscription.poll(
            (buffer, offset, length, header) -> log.buffer().putInt(
                log.offset(framePosition) + FrameDescriptor.LAP_WORD_OFFSET, -1), 1) == 1);
        transports.awaitError("MESSAGE_MISREAD", "changed under its handler", "position=" + framePosition);
    }

    /** Bytes are wrong though nobody went on without the image: the message must not be skipped in silence for ever. */
    @Test
    void shouldEndALiveLinkWhoseMessageIsOverwritten() throws Exception {
        final Transport transport = transports.launch();
        final List<Image> gone = new CopyOnWriteArrayList<>();
        final Subscription subscription =
            transport.addSubscription("sluice:ipc?mode=dedicated", 1, image -> { }, gone::add);
        final ExclusivePublication publication = transport.addExclusivePublication("sluice:ipc", 1);
        Transports.awaitConnected(publication, subscription);
        final SendLog log = log(publication);
        final long framePosition = log.tail();
        Transports.offer(publication, new byte[8]);
        Await.until("the end of the image", () -> {
            subscription.poll((buffer, offset, length, header) -> log.buffer().putInt(
                log.offset(framePosition) + FrameDescriptor.LAP_WORD_OFFSET, -1), 1);
            return gone.size() == 1;
        });
        transports.awaitError("IMAGE_LOST", "link given up: reason=BAD_FRAME");
    }

    private static SendLog log(final ExclusivePublication publication) throws Exception {
        final Field field = Publication.class.getDeclaredField("state");
        field.setAccessible(true);
        return ((PublicationState) field.get(publication)).log();
    }
}
