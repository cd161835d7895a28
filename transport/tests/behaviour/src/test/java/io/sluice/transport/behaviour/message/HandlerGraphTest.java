package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerGraphTest {
    private static final int STREAM_ID = 8;
    private static final int WINDOW = 4096;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final HandlerGraph graph = new HandlerGraph();
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription subscription;

    static Stream<String> logs() {
        return Stream.of("log=shared", "log=shared|completion=queue", "log=copied");
    }

    private void connect(final String parameters) {
        transport = transports.launch();
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID, graph);
        publication = transport.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        Await.until("an image", () -> subscription.imageCount() == 1 && publication.isConnected());
    }

    private void send(final int messages) {
        for (int i = 0; i < messages; i++) {
            final int value = i;
            Await.until("room", () -> {
                fill(value);
                return publication.offer(buffer, 0, length(value)) > 0;
            });
        }
    }

    private static int length(final int value) {
        return 8 + value * 31 % 400;
    }

    private void fill(final int value) {
        buffer.setMemory(0, buffer.capacity(), (byte) value);
        buffer.putInt(0, value);
    }

    private static long checksum(final MessageEvent event) {
        long sum = event.reservedValue() + event.length();
        for (int i = 0; i < event.length(); i++) {
            sum = sum * 31 + event.buffer().getByte(event.offset() + i);
        }
        return sum;
    }

    private record Named(String name) implements MessageEventHandler {
        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            // only its name is looked at
        }
    }

    /** Checks order and bytes of all messages, slowly now and then, and keeps where it is. */
    private static class Checker implements MessageEventHandler {
        private final AtomicInteger seen = new AtomicInteger();
        private final AtomicLong checksum = new AtomicLong();
        private final AtomicBoolean wrong = new AtomicBoolean();
        private final List<Checker> before;

        Checker(final Checker... before) {
            this.before = List.of(before);
        }

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            final int value = event.buffer().getInt(event.offset());
            boolean right = value == seen.get() && sequence == value && event.length() == length(value)
                && event.buffer().capacity() == event.length();
            for (int i = 4; i < event.length(); i++) {
                right &= event.buffer().getByte(i) == (byte) value;
            }
            for (final Checker other : before) {
                right &= other.seen.get() > value;
            }
            if (value % 97 == 0) {
                Thread.yield();
            }
            if (!right) {
                wrong.set(true);
            }
            checksum.set(checksum.get() * 31 + HandlerGraphTest.checksum(event));
            seen.incrementAndGet();
        }
    }

    @Test
    void shouldShowAnEventUntilItIsReleased() {
        final List<String> shown = new CopyOnWriteArrayList<>();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            shown.add(event.toString());
            event.release();
            shown.add(event.toString());
        });
        connect("");
        send(1);
        Await.until("both", () -> shown.size() == 2);
        final String begin = "MessageEvent{sequence=0 sessionId=" + publication.sessionId() + " position=";
        assertTrue(shown.getFirst().startsWith(begin), shown::toString);
        assertEquals("MessageEvent{sequence=0 released}", shown.getLast());
    }

    @Test
    void shouldTellWhenAMessageWasReceivedIfAskedTo() {
        final AtomicLong receivedNs = new AtomicLong();
        graph.handleEventsWith((event, sequence, endOfBatch) -> receivedNs.set(event.receiveTimestampNs()));
        connect("receive-timestamps=true");
        final long beforeNs = transport.context().environment().epochNs();
        send(1);
        Await.until("the message", () -> receivedNs.get() != 0);
        final long now = transport.context().environment().epochNs();
        assertTrue(receivedNs.get() >= beforeNs && receivedNs.get() <= now, beforeNs + " " + receivedNs + " " + now);
    }

    @Test
    void shouldTellNoTimeUnlessAskedTo() {
        final AtomicLong receivedNs = new AtomicLong();
        graph.handleEventsWith((event, sequence, endOfBatch) -> receivedNs.set(event.receiveTimestampNs()));
        connect("");
        send(1);
        Await.until("the message", () -> receivedNs.get() == MessageEvent.NO_TIMESTAMP);
    }

    private static void awaitSeen(final int messages, final Checker... checkers) {
        for (final Checker checker : checkers) {
            Await.until(() -> messages + " messages instead of " + checker.seen.get(),
                () -> checker.seen.get() == messages, Await.DEADLINE_SECONDS);
            assertFalse(checker.wrong.get(), "order, bytes and order of handlers");
        }
    }

    private void awaitAllReported() {
        Await.until("all bytes to be given back", () -> publication.availableWindow() == WINDOW);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void shouldKeepTheOrderOfADiamondUnderLoad(final String log) {
        final Checker first = new Checker();
        final Checker second = new Checker();
        final Checker last = new Checker(first, second);
        graph.handleEventsWith(first, second).then(last);
        connect("ring=16|" + log);
        send(20_000);
        awaitSeen(20_000, first, second, last);
        assertEquals(first.checksum.get(), second.checksum.get());
        assertEquals(first.checksum.get(), last.checksum.get());
        awaitAllReported();
        assertEquals(publication.position(), subscription.images().getFirst().position());
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy-spin", "yielding", "backoff", "sleeping", "blocking"})
    void shouldRunChainsWithEveryWaitStrategy(final String waitStrategy) {
        final Checker first = new Checker();
        final Checker second = new Checker(first);
        final Checker third = new Checker(second);
        final Checker alone = new Checker();
        graph.waitStrategy(waitStrategy).handleEventsWith(first, alone);
        graph.after(first).handleEventsWith(second).then(third);
        connect("ring=8");
        send(300);
        awaitSeen(300, first, second, third, alone);
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldTellOfWhatAHandlerThrowsAndGoOnBehindTheMessage() {
        final AtomicInteger seen = new AtomicInteger();
        final Checker other = new Checker();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            if (seen.incrementAndGet() % 1000 == 0) {
                throw new IllegalArgumentException("bad " + seen.get());
            }
        }, other);
        connect("ring=64");
        send(5000);
        awaitSeen(5000, other);
        Await.until("all messages", () -> seen.get() == 5000);
        awaitAllReported();
        assertEquals(List.of("bad 1000", "bad 2000", "bad 3000", "bad 4000", "bad 5000"),
            transports.errors().stream().map(Throwable::getMessage).toList());
    }

    /** The thread ends as soon as its handler is back and no message waits; what depends on it leaves with it. */
    @Test
    void shouldNotBeGatedByAConsumerWhoseThreadHasDied() {
        final Checker survivor = new Checker();
        final MessageEventHandler dying = (event, sequence, endOfBatch) -> Thread.currentThread().interrupt();
        final Checker dependant = new Checker();
        graph.handleEventsWith(survivor, dying);
        graph.after(dying).then(dependant);
        connect("ring=8");
        send(1);
        transports.awaitError("sluice-consumer-8-1", "its thread has ended");
        transports.awaitError("sluice-consumer-8-2", "a handler that it waits for has left");
        final int before = survivor.seen.get();
        assertTrue(before <= 1);
        for (int i = 1; i < 1000; i++) {
            fill(i);
            final int length = length(i);
            Await.until("room", () -> publication.offer(buffer, 0, length) > 0);
        }
        awaitSeen(1000, survivor);
        awaitAllReported();
        assertFalse(subscription.isClosed());
    }

    @Test
    void shouldCloseASubscriptionWhoseLastConsumerHasDied() {
        graph.handleEventsWith((event, sequence, endOfBatch) -> Thread.currentThread().interrupt());
        connect("ring=8");
        send(1);
        transports.awaitError("it was the last one");
        assertTrue(subscription.isClosed());
        Await.until("the publisher to be told", () -> publication.offer(buffer, 0, 8) == Publication.NOT_CONNECTED);
    }

    @Test
    void shouldGateOnABlockedHandlerOnly() {
        final CountDownLatch blocked = new CountDownLatch(1);
        final Checker other = new Checker();
        final AtomicInteger seen = new AtomicInteger();
        graph.handleEventsWith(other, (event, sequence, endOfBatch) -> {
            blocked.await();
            seen.incrementAndGet();
        });
        connect("ring=8");
        int sent = 0;
        fill(0);
        while (sent < 8) {
            fill(sent);
            final int length = length(sent);
            Await.until("room", () -> publication.offer(buffer, 0, length) > 0);
            sent++;
        }
        awaitSeen(8, other);
        assertEquals(0, subscription.images().getFirst().position(), "nothing is given back under the handler");
        blocked.countDown();
        Await.until("the other messages", () -> seen.get() == 8);
        awaitAllReported();
    }

    @Test
    void shouldGiveBackWhatAHandlerReleasesEarly() {
        final CountDownLatch blocked = new CountDownLatch(1);
        final AtomicInteger seen = new AtomicInteger();
        final Checker dependant = new Checker();
        graph.handleEventsWith((event, sequence, endOfBatch) -> {
            if (event.buffer().getInt(event.offset()) == 2) {
                event.release();
                assertThrows(RuntimeException.class, event::length);
                assertEquals(0, event.buffer().capacity());
                blocked.await();
            }
            seen.incrementAndGet();
        }).then(dependant);
        connect("ring=8");
        send(3);
        awaitSeen(3, dependant);
        awaitAllReported();
        assertEquals(2, seen.get(), "the handler is still running");
        blocked.countDown();
        Await.until("the handler to return", () -> seen.get() == 3);
        assertEquals(List.of(), transports.errors());
    }

    /** Stands still in its first message, and keeps what it is told of batches. */
    private static final class Watcher implements MessageEventHandler {
        private final CountDownLatch blocked = new CountDownLatch(1);
        private final AtomicLong batch = new AtomicLong();
        private final AtomicLong depth = new AtomicLong();
        private final AtomicLong behindSecond = new AtomicLong(-1);
        private final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger lifeCycle = new AtomicInteger();

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch)
            throws Exception {
            if (sequence == 0) {
                blocked.await();
            }
            if (sequence == 1) {
                behindSecond.set(event.queueDepth());
            }
            ends.addAndGet(endOfBatch ? 1 : 0);
        }

        @Override
        public void onBatchStart(final long batchSize, final long queueDepth) {
            batch.set(batchSize);
            depth.set(queueDepth);
        }

        @Override
        public void onStart() {
            lifeCycle.addAndGet(1);
        }

        @Override
        public void onShutdown() {
            lifeCycle.addAndGet(10);
        }

        @Override
        public String name() {
            return "watcher";
        }
    }

    @Test
    void shouldShowBatchesAndQueueDepth() {
        final Watcher watcher = new Watcher();
        final Checker other = new Checker();
        graph.handleEventsWith(watcher, other);
        connect("ring=8");
        send(1);
        Await.until("the first batch", () -> watcher.batch.get() == 1);
        for (int i = 1; i < 8; i++) {
            fill(i);
            final int length = length(i);
            Await.until("room", () -> publication.offer(buffer, 0, length) > 0);
        }
        awaitSeen(8, other);
        assertTrue(Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals("sluice-consumer-8-watcher")));
        watcher.blocked.countDown();
        awaitAllReported();
        assertEquals(7, watcher.batch.get());
        assertEquals(7, watcher.depth.get());
        assertEquals(6, watcher.behindSecond.get());
        assertEquals(2, watcher.ends.get());
        subscription.close();
        Await.until("the end of the consumer", () -> watcher.lifeCycle.get() == 11);
    }

    @Test
    void shouldRunHandlersInsideTheCallersThreadWithoutThreads() {
        transport = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final Thread caller = Thread.currentThread();
        final Checker checker = new Checker();
        final AtomicBoolean elsewhere = new AtomicBoolean();
        graph.handleEventsWith(checker).then((event, sequence, endOfBatch) ->
            elsewhere.compareAndSet(false, Thread.currentThread() != caller));
        subscription = transport.addSubscription(transports.channel("ring=8"), STREAM_ID, graph);
        publication = transport.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
        final int[] sent = new int[1];
        Await.until("all messages", () -> {
            fill(sent[0]);
            if (sent[0] < 500 && publication.offer(buffer, 0, length(sent[0])) > 0) {
                sent[0]++;
            }
            transport.doWork();
            return checker.seen.get() == 500;
        });
        assertFalse(checker.wrong.get() || elsewhere.get());
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldRefuseWhatMakesNoGraph() {
        final MessageEventHandler handler = (event, sequence, endOfBatch) -> { };
        transport = transports.launch();
        assertThrows(IllegalStateException.class, () -> transport.addSubscription(
            transports.channel(""), STREAM_ID, graph));
        assertThrows(IllegalStateException.class, () -> graph.handleEventsWith());
        graph.handleEventsWith(handler);
        assertThrows(IllegalArgumentException.class, () -> graph.handleEventsWith(handler));
        final String twice = assertThrows(IllegalArgumentException.class,
            () -> graph.handleEventsWith(new Named("risk"), new Named("risk"))).getMessage();
        assertTrue(twice.contains("a name is in a graph once: name=risk"), twice);
        assertThrows(IllegalArgumentException.class, () -> graph.after((event, sequence, endOfBatch) -> { }));
        assertThrows(IllegalArgumentException.class, () -> graph.waitStrategy("lazy"));
        assertThrows(IllegalArgumentException.class,
            () -> transport.addSubscription(transports.channel("mode=invoker"), STREAM_ID, graph));
        subscription = transport.addSubscription(transports.channel(""), STREAM_ID, graph);
        assertThrows(IllegalStateException.class, () -> transport.addSubscription(
            transports.channel(""), STREAM_ID, graph));
        final Exception ex = assertThrows(
            IllegalStateException.class, () -> subscription.poll((message, offset, length, header) -> { }, 1));
        assertTrue(ex.getMessage().contains("handlers of its own"), ex.getMessage());
    }
}
