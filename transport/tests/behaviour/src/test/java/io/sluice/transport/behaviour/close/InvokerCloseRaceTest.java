package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.ReentrantCallException;
import io.sluice.transport.SubscriptionMode;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One thread runs a transport's agents while another one closes it: one of them at a time is inside. */
class InvokerCloseRaceTest {
    private static final int ROUNDS = 100;
    private static final int STREAM_ID = 1;

    @RegisterExtension
    private final Transports transports = new Transports();

    @Test
    void shouldCloseWhileAnotherThreadRunsTheAgents() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Transport transport = transports.launch(
                context -> context.threadingMode(ThreadingMode.INVOKER).subscriptionMode(SubscriptionMode.INVOKER));
            transport.addSubscription(transports.channel(""), STREAM_ID);
            transport.addExclusivePublication(transports.channel("window=4k|linger=1ms"), STREAM_ID);
            final List<Throwable> thrown = new CopyOnWriteArrayList<>();
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread running = new Thread(() -> run(transport, isOver, thrown), "running");
            running.start();
            Await.until("an end", () -> isClosed(transport));
            isOver.set(true);
            running.join();
            assertEquals(List.of(), thrown);
            assertEquals(0, transport.doWork());
        }
        assertEquals(List.of(), transports.errors());
    }

    /** Neither is anything done twice, nor does memory go under the thread that uses it. */
    @Test
    void shouldRefuseOtherThreadsWhileOneIsInside() throws InterruptedException {
        final Transport transport = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final CountDownLatch isInside = new CountDownLatch(1);
        final CountDownLatch isSeen = new CountDownLatch(1);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            isInside.countDown();
            assertTrue(isSeen.await(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
        });
        transport.addSubscription(transports.channel(""), STREAM_ID, graph);
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("window=4k|linger=1ms"), STREAM_ID);
        Await.until("the link", () -> {
            transport.doWork();
            return publication.isConnected();
        });
        Await.until("room", () -> publication.offer(new UnsafeBuffer(new byte[Long.BYTES])) > 0);
        final List<Throwable> thrown = new CopyOnWriteArrayList<>();
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread running = new Thread(() -> run(transport, isOver, thrown), "running");
        running.start();
        assertTrue(isInside.await(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
        try {
            assertThrows(ReentrantCallException.class, transport::doWork);
            assertThrows(ReentrantCallException.class, transport::close);
        } finally {
            isSeen.countDown();
            isOver.set(true);
            running.join();
        }
        assertEquals(List.of(), thrown);
        transport.close();
        assertEquals(List.of(), transports.errors());
    }

    /** The closing thread may be inside when it comes, which it is told; then it comes again. */
    private static void run(final Transport transport, final AtomicBoolean isOver, final List<Throwable> thrown) {
        while (!isOver.get()) {
            try {
                transport.doWork();
            } catch (final ReentrantCallException ex) {
                Thread.onSpinWait();
            } catch (final Throwable ex) {
                thrown.add(ex);
                return;
            }
        }
    }

    private static boolean isClosed(final Transport transport) {
        try {
            transport.close();
            return true;
        } catch (final ReentrantCallException ex) {
            return false;
        }
    }
}
