package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.AvailableImageHandler;
import io.sluice.transport.Context;
import io.sluice.transport.Publication;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** User code that does not return, interrupted or not, while its transport is closed. */
class StuckCallbackTest {
    private static final int STREAM_ID = 1;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final CountDownLatch entered = new CountDownLatch(1);
    private final List<Throwable> heard = new CopyOnWriteArrayList<>();
    private volatile boolean mayReturn;

    @AfterEach
    void release() {
        mayReturn = true;
    }

    private void hang() {
        entered.countDown();
        while (!mayReturn) {
            LockSupport.parkNanos(1_000_000L);
        }
    }

    private Context impatient(final Context context) {
        return context.timeouts(new Timeouts().lingerTimeoutNs(1_000_000L));
    }

    private void connect(final Transport transport, final AvailableImageHandler available) throws InterruptedException {
        transport.addSubscription(transports.channel(""), STREAM_ID, available, image -> { });
        final Publication publication =
            transport.addExclusivePublication(transports.channel("window=4k|linger=1ms"), STREAM_ID);
        Await.until("a connection", publication::isConnected);
        Await.until("a full window", () -> publication.offer(new UnsafeBuffer(new byte[64])) < 0);
        entered.await();
    }

    private void close(final Transport transport) {
        Await.end(Thread.ofPlatform().start(transport::close));
        assertEquals(1, transport.counters().get(TransportCounter.CALLBACKS_ABANDONED));
    }

    @Test
    void shouldCloseThoughABackPressureListenerDoesNotReturnAndNameIt() throws InterruptedException {
        final Transport transport =
            transports.launch(context -> impatient(context).backPressureListener(change -> hang()));
        connect(transport, image -> { });
        close(transport);
        transports.awaitError("ABANDONED", "agent has not stopped", "roleName=sluice-listeners");
    }

    @Test
    void shouldCloseThoughAnImageHandlerDoesNotReturnAndNameIt() throws InterruptedException {
        final Transport transport = transports.launch(this::impatient);
        connect(transport, image -> hang());
        close(transport);
        transports.awaitError("ABANDONED", "agent has not stopped", "roleName=sluice-callbacks");
    }

    @Test
    void shouldCallTheNextImageHandlerThoughOneLeavesItsThreadInterrupted() {
        final AtomicInteger called = new AtomicInteger();
        final Transport transport = transports.launch();
        transport.addSubscription(transports.channel(""), STREAM_ID, image -> {
            called.incrementAndGet();
            Thread.currentThread().interrupt();
        }, image -> { });
        for (int i = 1; i <= 3; i++) {
            final int due = i;
            transport.addExclusivePublication(transports.channel("window=4k|linger=1ms"), STREAM_ID);
            Await.until("call " + due, () -> called.get() == due);
        }
    }

    /** The error handler is told of what hangs on the other thread, since it is the same handler. */
    @Test
    void shouldCloseThoughTheErrorHandlerDoesNotReturn() throws InterruptedException {
        final Transport transport = transports.launch(context -> impatient(context).errorHandler(error -> {
            heard.add(error);
            if (heard.size() == 1) {
                hang();
            }
        }));
        connect(transport, image -> {
            throw new IllegalStateException("of an image handler");
        });
        close(transport);
        assertEquals(2, heard.size(), heard::toString);
    }
}
