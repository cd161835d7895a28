package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.DyingThread;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exceptions and errors of handlers, and the ways in which a consumer's thread dies: nobody gates a ring for ever.
 */
class HandlerFailureTest {
    private static final int STREAM_ID = 9;
    private static final int WINDOW = 4096;
    private static final int MESSAGES = 1000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final HandlerGraph graph = new HandlerGraph().waitStrategy("yielding");
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription subscription;

    /** Counts messages, those that do not follow the one before, and ends. */
    private static class Recorder implements MessageEventHandler {
        private final AtomicInteger seen = new AtomicInteger();
        private final AtomicInteger misplaced = new AtomicInteger();
        private final AtomicInteger shutDowns = new AtomicInteger();
        private volatile Thread thread;

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) throws Exception {
            thread = Thread.currentThread();
            misplaced.addAndGet(sequence == seen.get() && event.buffer().getInt(0) == seen.get() ? 0 : 1);
            seen.incrementAndGet();
            then(seen.get());
        }

        /** Fails or not, behind the recording of a message, the first of which is 1. */
        void then(final int count) throws Exception {
        }

        @Override
        public void onShutdown() {
            shutDowns.incrementAndGet();
        }
    }

    private void connect() {
        connect(transports.launch());
    }

    private void connect(final Transport launched) {
        transport = launched;
        subscription = transport.addSubscription(transports.channel("ring=8"), STREAM_ID, graph);
        publication = transport.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        Await.until("an image", () -> subscription.imageCount() == 1 && publication.isConnected());
    }

    private void send(final int messages) {
        send(0, messages);
    }

    private void send(final int first, final int end) {
        for (int i = first; i < end; i++) {
            buffer.putInt(0, i);
            Await.until("room", () -> publication.offer(buffer, 0, 4) > 0);
        }
    }

    private void awaitAll(final Recorder... recorders) {
        for (final Recorder recorder : recorders) {
            Await.until(() -> MESSAGES + " messages instead of " + recorder.seen.get(),
                () -> recorder.seen.get() == MESSAGES, Await.DEADLINE_SECONDS);
            assertEquals(0, recorder.misplaced.get());
        }
        Await.until("all bytes to be given back", () -> publication.availableWindow() == WINDOW);
    }

    private void awaitNotConnected() {
        Await.until("the publisher to be told", () -> publication.offer(buffer, 0, 8) == Publication.NOT_CONNECTED);
    }

    private static void overflow(final int depth) {
        overflow(depth + 1);
    }

    private static void raise(final String what) throws Exception {
        switch (what) {
            case "out of memory" -> throw new OutOfMemoryError("pretended");
            case "stack overflow" -> overflow(0);
            case "linkage" -> throw new NoClassDefFoundError("pretended");
            case "termination" -> throw new AgentTerminationException(true);
            case "checked" -> throw new Exception("checked");
            default -> throw new IllegalArgumentException(what);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"out of memory", "stack overflow", "linkage", "termination", "checked", "unchecked"})
    void shouldLiveOnWhateverItsHandlerThrows(final String what) {
        final Recorder throwing = new Recorder() {
            @Override
            void then(final int count) throws Exception {
                if (count % 100 == 0) {
                    raise(what);
                }
            }
        };
        final Recorder other = new Recorder();
        final Recorder dependant = new Recorder();
        graph.handleEventsWith(throwing, other);
        graph.after(throwing).then(dependant);
        connect();
        send(1);
        Await.until("the first message", () -> throwing.seen.get() == 1);
        final Thread thread = throwing.thread;
        send(1, MESSAGES);
        awaitAll(throwing, other, dependant);
        assertSame(thread, throwing.thread);
        assertEquals(MESSAGES / 100, transports.errors().size());
        assertFalse(subscription.isClosed());
    }

    @Test
    void shouldLiveOnWhateverTheOtherCallbacksThrow() {
        final Recorder throwing = new Recorder() {
            @Override
            public void onStart() {
                throw new NoClassDefFoundError("from onStart");
            }

            @Override
            public void onBatchStart(final long batchSize, final long queueDepth) {
                throw new OutOfMemoryError("from onBatchStart");
            }

            @Override
            public void onShutdown() {
                super.onShutdown();
                throw new StackOverflowError("from onShutdown");
            }
        };
        final Recorder dependant = new Recorder();
        graph.handleEventsWith(throwing).then(dependant);
        connect();
        send(MESSAGES);
        awaitAll(throwing, dependant);
        subscription.close();
        Await.until("the ends", () -> throwing.shutDowns.get() == 1 && dependant.shutDowns.get() == 1);
        for (final String callback : List.of("onStart", "onBatchStart", "onShutdown")) {
            transports.awaitError("from " + callback);
        }
    }

    @Test
    void shouldLiveOnWhenTheErrorHandlerThrowsToo() {
        final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        final Recorder throwing = new Recorder() {
            @Override
            public void onStart() {
                Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> uncaught.add(ex));
                throw new IllegalStateException("from handler");
            }

            @Override
            void then(final int count) {
                throw new IllegalStateException("from handler");
            }
        };
        final Recorder dependant = new Recorder();
        graph.handleEventsWith(throwing).then(dependant);
        connect(transports.launch(context -> context.errorHandler(error -> {
            throw new IllegalStateException("from error handler");
        })));
        send(MESSAGES);
        awaitAll(throwing, dependant);
        assertEquals(MESSAGES + 1, uncaught.size());
        for (final Throwable ex : uncaught) {
            assertEquals("from error handler", ex.getMessage());
            assertEquals("from handler", ex.getSuppressed()[0].getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "termination", "interrupt"})
    void shouldLeaveWithItsDependantsWhenItsThreadDiesWhileItWaits(final String what) {
        final DyingThread dying = new DyingThread("-doomed", what);
        final Recorder doomed = new Recorder();
        final Recorder dependant = new Recorder();
        final Recorder survivor = new Recorder();
        final MessageEventHandler first = MessageEventHandler.named("doomed", doomed);
        graph.handleEventsWith(first, survivor);
        graph.after(first).then(MessageEventHandler.named("behind", dependant));
        connect(transports.launch(context -> context.environment(dying)));
        send(1);
        Await.until("the first message", () -> doomed.seen.get() == 1 && dependant.seen.get() == 1);
        dying.die();
        transports.awaitError("CONSUMER_LEFT", "sluice-consumer-9-doomed", "its thread has ended");
        transports.awaitError("CONSUMER_LEFT", "sluice-consumer-9-behind", "a handler that it waits for has left");
        send(1, MESSAGES);
        awaitAll(survivor);
        Await.until("the ends", () -> doomed.shutDowns.get() == 1 && dependant.shutDowns.get() == 1);
        assertEquals(List.of(1, 1), List.of(doomed.seen.get(), dependant.seen.get()));
        assertFalse(subscription.isClosed());
    }

    @Test
    void shouldRefuseASecondReleaseOfAnEventAndHandleWhatFollows() {
        final Recorder twice = new Recorder();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            twice.onEvent(event, sequence, endOfBatch);
            event.release();
            event.release();
        });
        connect();
        send(MESSAGES);
        awaitAll(twice);
        transports.awaitError("release it once, inside its handler: sequence=" + (MESSAGES - 1));
        assertEquals(MESSAGES, transports.errors().size());
    }

    @Test
    void shouldRefuseToReadAnEventThatWasReleased() {
        final Recorder recorder = new Recorder();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            recorder.onEvent(event, sequence, endOfBatch);
            event.release();
            event.length();
        });
        connect();
        send(MESSAGES);
        awaitAll(recorder);
        transports.awaitError("valid inside its handler, until released: sequence=" + (MESSAGES - 1));
        assertEquals(MESSAGES, transports.errors().size());
    }

    @Test
    void shouldLeaveWhenItIsInterruptedInsideItsHandler() {
        final Recorder blocking = new Recorder() {
            @Override
            void then(final int count) throws InterruptedException {
                new CountDownLatch(1).await();
            }
        };
        final Recorder survivor = new Recorder();
        graph.handleEventsWith(MessageEventHandler.named("blocking", blocking), survivor);
        connect();
        send(1);
        Await.until("the handler to block", () -> blocking.seen.get() == 1);
        blocking.thread.interrupt();
        transports.awaitError("CONSUMER_LEFT", "sluice-consumer-9-blocking", "its thread was interrupted");
        transports.awaitError("InterruptedException");
        send(1, MESSAGES);
        awaitAll(survivor);
        assertEquals(1, blocking.seen.get());
        Await.end(blocking.thread);
        assertEquals(1, blocking.shutDowns.get());
    }

    /** Neither may leave it to the other to notice that nobody is left. */
    @RepeatedTest(20)
    void shouldCloseTheSubscriptionWhenAllConsumersLeaveAtOnce() {
        final AtomicInteger ready = new AtomicInteger();
        final MessageEventHandler[] handlers = new MessageEventHandler[4];
        for (int i = 0; i < handlers.length; i++) {
            handlers[i] = (event, sequence, endOfBatch) -> {
                ready.incrementAndGet();
                while (ready.get() < handlers.length) {
                    Thread.onSpinWait();
                }
                throw new InterruptedException("pretended");
            };
        }
        graph.handleEventsWith(handlers);
        connect();
        send(1);
        awaitNotConnected();
        assertTrue(subscription.isClosed());
        transports.awaitError("it was the last one");
    }

    @Test
    void shouldCloseTheSubscriptionWhenAConsumerGetsNoThread() {
        final Recorder started = new Recorder();
        final Recorder doomed = new Recorder();
        graph.handleEventsWith(started).then(MessageEventHandler.named("doomed", doomed));
        final Transport launched =
            transports.launch(context -> context.environment(new DyingThread("-doomed", "start")));
        final Error error = assertThrows(
            OutOfMemoryError.class, () -> launched.addSubscription(transports.channel(""), STREAM_ID, graph));
        assertEquals("unable to create native thread", error.getMessage());
        Await.until("the end of the other", () -> started.shutDowns.get() == 1);
        publication = launched.addExclusivePublication(transports.channel(""), STREAM_ID);
        final Subscription polled = launched.addSubscription(transports.channel("mode=dedicated"), STREAM_ID);
        Transports.awaitConnected(publication, polled);
        Transports.offer(publication, new byte[] {3});
        assertEquals(3, Transports.receive(polled, 1).getFirst()[0]);
        Await.until("the memory to go", () -> launched.pollers().getFirst().subscriptions() == 1);
    }

    @Test
    void shouldOutliveAnInterruptOfTheApplicationsThreadWithoutThreadsOfItsOwn() {
        transport = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final Recorder recorder = new Recorder() {
            @Override
            void then(final int count) {
                if (count == 2) {
                    throw new OutOfMemoryError("pretended");
                }
            }
        };
        graph.handleEventsWith(recorder);
        subscription = transport.addSubscription(transports.channel("ring=8"), STREAM_ID, graph);
        publication = transport.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        Await.until("an image", () -> transport.doWork() >= 0 && subscription.imageCount() == 1);
        final int[] sent = new int[1];
        for (int i = 0; i < 10; i++) {
            Thread.currentThread().interrupt();
            transport.doWork();
            assertTrue(Thread.interrupted());
        }
        Await.until("all messages", () -> {
            buffer.putInt(0, sent[0]);
            if (sent[0] < MESSAGES && publication.offer(buffer, 0, 4) > 0) {
                sent[0]++;
            }
            transport.doWork();
            return recorder.seen.get() == MESSAGES;
        });
        assertEquals(0, recorder.misplaced.get());
        transports.awaitError("pretended");
    }

    @Test
    void shouldNotHoldUpTheCloseOfItsTransportInItsShutdown() {
        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch entered = new CountDownLatch(1);
        final Recorder recorder = new Recorder() {
            @Override
            public void onShutdown() {
                entered.countDown();
                boolean released = false;
                while (!released) {
                    try {
                        released = blocked.await(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
                    } catch (final InterruptedException ex) {
                        // stubborn: only the test lets it go
                        continue;
                    }
                }
            }
        };
        graph.handleEventsWith(recorder);
        connect(transports.launch(
            context -> context.timeouts(new Timeouts().lingerTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200)))));
        send(1);
        Await.until("the message", () -> recorder.seen.get() == 1);
        final Thread closing = Thread.ofPlatform().start(transport::close);
        Await.end(closing);
        assertEquals(0, entered.getCount());
        blocked.countDown();
        Await.end(recorder.thread);
    }
}
