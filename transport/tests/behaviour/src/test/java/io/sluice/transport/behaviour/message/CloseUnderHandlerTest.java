package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A subscription that is closed while its handler is at a message: nobody writes over that message before the handler
 * has returned.
 */
class CloseUnderHandlerTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGE_LENGTH = 256;
    private static final int CYCLES = 1_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport publishing;
    private Transport subscribing;

    /** The test's own thread is inside the handler and drives both transports meanwhile. */
    private void drive() {
        publishing.doWork();
        subscribing.doWork();
    }

    private static void consume(final Subscription subscription) {
        subscription.poll((buffer, offset, length, header) -> { }, 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldNotReuseTheBytesOfAMessageWhoseHandlerRunsWhileItsSubscriptionIsClosed(final String mode) {
        publishing = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        subscribing = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final Subscription closed = subscribing.addSubscription(transports.channel("mode=" + mode), STREAM_ID);
        final Subscription other = subscribing.addSubscription(transports.channel("mode=invoker"), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        Await.until("images", () -> {
            drive();
            consume(closed);
            consume(other);
            return closed.imageCount() == 1 && other.imageCount() == 1;
        });
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        message.putLong(0, 1);
        Await.until("the first message", () -> publication.offer(message) > 0);
        message.putLong(0, 2);
        Await.until("its handler", () -> {
            drive();
            return closed.poll((buffer, offset, length, header) -> {
                closeElsewhere(closed);
                for (int i = 0; i < CYCLES; i++) {
                    drive();
                    consume(other);
                    publication.offer(message);
                }
                assertEquals(1, buffer.getLong(offset), "the message under its handler");
            }, 1) == 1;
        });
        assertEquals(List.of(), transports.errors());
        awaitProgress(publication, message, other);
    }

    /** A handler itself must not close its subscription. */
    private static void closeElsewhere(final Subscription subscription) {
        final Thread closing = Thread.ofPlatform().start(subscription::close);
        Await.until("the close", () -> subscription.isClosed() && !closing.isAlive());
    }

    private void awaitProgress(
        final ExclusivePublication publication, final UnsafeBuffer message, final Subscription other) {
        final long reached = publication.position();
        Await.until("the publication to go on without it", () -> {
            drive();
            consume(other);
            publication.offer(message);
            return publication.position() > reached;
        });
    }
}
