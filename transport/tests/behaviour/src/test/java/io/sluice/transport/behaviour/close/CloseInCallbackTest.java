package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.AvailableImageHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.PressureState;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transport that one of its own callbacks closes, which cannot be: it goes on until another thread does. */
class CloseInCallbackTest {
    private static final int STREAM_ID = 1;
    private static final String OF_HANDLER = "of an image handler";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final AtomicReference<Transport> self = new AtomicReference<>();
    private final List<Throwable> heard = new CopyOnWriteArrayList<>();
    private Subscription subscription;
    private Publication publication;

    private static List<Thread> sluiceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().matches("sluice-(?!file).*")).toList();
    }

    private void close() {
        Await.until("the transport", () -> self.get() != null);
        self.get().close();
    }

    private void connect(final Transport transport, final AvailableImageHandler available) {
        self.set(transport);
        subscription = transport.addSubscription(
            transports.channel("mode=dedicated"), STREAM_ID, available, image -> { });
        publication = transport.addExclusivePublication(transports.channel("window=4k|linger=1ms"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
    }

    private void fill() {
        Await.until("a full window", () -> publication.offer(new UnsafeBuffer(new byte[64])) < 0);
        Await.until("pressure", () -> publication.pressureState() != PressureState.CLEAR);
    }

    /** The transport works as before, and a close by another thread leaves nothing of it. */
    private void assertGoesOnUntilItIsClosed(final Transport transport, final List<Thread> before) {
        assertFalse(subscription.isClosed());
        try (Publication added = transport.addExclusivePublication(transports.channel("linger=1ms"), STREAM_ID)) {
            Transports.awaitConnected(added, subscription);
        }
        transport.close();
        assertTrue(subscription.isClosed());
        Await.until(() -> "its threads to end: " + sluiceThreads(),
            () -> before.containsAll(sluiceThreads()), Await.DEADLINE_SECONDS);
        final Path status = transports.fabric().directory().resolve("status");
        Await.until("its files to be gone",
            () -> !status.toFile().exists() || status.toFile().list().length == 0);
    }

    private void awaitRefusal() {
        transports.awaitError("a transport cannot be closed by its own", "close it from another thread");
    }

    @Test
    void shouldRefuseToBeClosedByABackPressureListener() {
        final List<Thread> before = sluiceThreads();
        final Transport transport = transports.launch(context -> context.backPressureListener(change -> close()));
        connect(transport, image -> { });
        fill();
        awaitRefusal();
        assertGoesOnUntilItIsClosed(transport, before);
    }

    @Test
    void shouldRefuseToBeClosedByAnImageHandler() {
        final List<Thread> before = sluiceThreads();
        final Transport transport = transports.launch();
        connect(transport, image -> close());
        awaitRefusal();
        assertGoesOnUntilItIsClosed(transport, before);
    }

    /** The error handler is told of each image handler, and not of what it throws itself: that would never end. */
    @Test
    void shouldRefuseToBeClosedByTheErrorHandler() {
        final List<Thread> before = sluiceThreads();
        final Transport transport = transports.launch(context -> context.errorHandler(error -> {
            heard.add(error);
            close();
        }));
        connect(transport, image -> {
            throw new IllegalStateException(OF_HANDLER);
        });
        Await.until("the error", () -> heard.size() == 1);
        assertGoesOnUntilItIsClosed(transport, before);
        assertEquals(List.of(OF_HANDLER, OF_HANDLER), heard.stream().map(Throwable::getMessage).toList());
    }
}
