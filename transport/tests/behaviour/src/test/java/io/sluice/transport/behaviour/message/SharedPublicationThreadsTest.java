package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads write to one stream: each one's messages arrive once, whole, and in its order. */
class SharedPublicationThreadsTest {
    private static final int STREAM_ID = 7;
    private static final int THREADS = 4;
    private static final int MESSAGES = 5_000;
    private static final int BREAKS = 5;
    private static final int ROUNDS = 20;
    private static final int MESSAGES_PER_ROUND = 500;
    private static final String CLOSING_PARAMETERS = "window=16k|linger=60s";
    private static final int MAX_LENGTH = 400;
    private static final int HEADER_LENGTH = 8;
    private static final int POLL_LIMIT = 16;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Map<Long, Integer> nextSequences = new HashMap<>();
    private long received;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    /** A message tells its thread and number, and from these follow its length and the rest of its bytes. */
    private static int length(final int thread, final int sequence) {
        return HEADER_LENGTH + (thread * 31 + sequence * 7) % (MAX_LENGTH - HEADER_LENGTH);
    }

    private static void write(final MutableDirectBuffer buffer, final int thread, final int sequence) {
        buffer.putInt(0, thread);
        buffer.putInt(4, sequence);
        for (int i = HEADER_LENGTH; i < length(thread, sequence); i++) {
            buffer.putByte(i, (byte) (sequence + i));
        }
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int thread = buffer.getInt(offset);
        final int sequence = buffer.getInt(offset + 4);
        final long source = (long) header.sessionId() << 32 | thread;
        assertEquals(nextSequences.getOrDefault(source, 0), sequence, "lost, twice, or out of order: thread " + thread);
        nextSequences.put(source, sequence + 1);
        assertEquals(length(thread, sequence), length, "length");
        assertTrue(header.reservedValue() == 0 || header.reservedValue() == sequence, "reserved value");
        for (int i = HEADER_LENGTH; i < length; i++) {
            if (buffer.getByte(offset + i) != (byte) (sequence + i)) {
                throw new AssertionError("content: thread=" + thread + " sequence=" + sequence + " index=" + i);
            }
        }
        received++;
    }

    /** Sends all messages of a thread in every way that there is. */
    private final class Writer implements Runnable {
        private final Publication publication;
        private final int thread;
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
        private final BufferClaim claim = new BufferClaim();
        private final SplittableRandom random;

        Writer(final Publication publication, final int thread) {
            this.publication = publication;
            this.thread = thread;
            random = new SplittableRandom(thread);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < MESSAGES; i++) {
                    final int sequence = i;
                    write(message, thread, sequence);
                    long result = send(sequence);
                    while (result < 0) {
                        assertTrue(result == Publication.BACK_PRESSURED || result == Publication.NOT_CONNECTED
                            || result == Publication.ADMIN_ACTION, () -> "result of " + sequence);
                        Thread.yield();
                        result = send(sequence);
                    }
                }
            } catch (final Throwable ex) {
                synchronized (failures) {
                    failures.add(ex);
                }
            }
        }

        private long send(final int sequence) {
            final int length = length(thread, sequence);
            switch (random.nextInt(4)) {
                case 0 -> {
                    return publication.offer(message, 0, length, sequence);
                }
                case 1 -> {
                    return publication.offer(message, 0, HEADER_LENGTH, message, HEADER_LENGTH, length - HEADER_LENGTH);
                }
                case 2 -> {
                    final long result = publication.tryClaim(random.nextInt(MAX_LENGTH), claim);
                    if (result > 0) {
                        claim.buffer().setMemory(0, claim.length(), (byte) -1);
                        claim.abort();
                    }
                    return Publication.ADMIN_ACTION;
                }
                default -> {
                    final long result = publication.tryClaim(length, claim);
                    if (result > 0) {
                        write(claim.buffer(), thread, sequence);
                        claim.reservedValue(sequence).commit();
                    }
                    return result;
                }
            }
        }
    }

    private void start(final Publication publication, final int thread) {
        threads.add(Thread.ofPlatform().daemon().name("writer-" + thread).start(new Writer(publication, thread)));
    }

    private void awaitWriters(final Subscription subscription, final long messages, final Runnable meanwhile) {
        Await.until(() -> messages + " messages instead of " + received + " " + failures, () -> {
            // never idle: the writers wait for us
            while (subscription.poll(this::onFragment, POLL_LIMIT) > 0) {
                meanwhile.run();
            }
            synchronized (failures) {
                assertEquals(List.of(), failures);
            }
            return received >= messages && threads.stream().noneMatch(Thread::isAlive);
        }, Await.DEADLINE_SECONDS);
    }

    private void assertEnd(final Subscription subscription, final Publication publication, final long position) {
        final Image image = subscription.imageBySessionId(publication.sessionId());
        publication.close();
        Await.until("the end of the stream", () -> {
            subscription.poll(this::onFragment, POLL_LIMIT);
            return image.isClosed();
        });
        assertTrue(image.isEndOfStream());
        assertEquals(position, image.position());
        Await.until("the drain", publication::isDrained);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverWhatSeveralThreadsSendBesideAnExclusivePublication(final String parameters) {
        final Transport publisher = transports.launch();
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel(parameters), STREAM_ID);
        final String channel = transports.channel("window=16k|" + parameters);
        final Publication first = publisher.addPublication(channel, STREAM_ID);
        final Publication second = publisher.addPublication(channel, STREAM_ID);
        final Publication exclusive = publisher.addExclusivePublication(channel, STREAM_ID);
        Transports.awaitConnected(first, subscription);
        Transports.awaitConnected(exclusive, subscription);
        for (int i = 0; i < THREADS; i++) {
            start(i % 2 == 0 ? first : second, i);
        }
        start(exclusive, THREADS);
        awaitWriters(subscription, (THREADS + 1L) * MESSAGES, () -> { });
        final long position = first.position();
        second.close();
        assertEnd(subscription, first, position);
        assertEquals((THREADS + 1L) * MESSAGES, received);
        assertEquals(0, publisher.counters().get(TransportCounter.CLAIMS_UNBLOCKED));
        assertEquals(List.of(), transports.errors());
    }

    /** The link breaks at the publication's end where data is posted, else at the subscription's. */
    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=shared|completion=queue", "log=copied"})
    void shouldLoseNothingWhenTheLinkBreaksUnderSeveralThreads(final String parameters) {
        final FailNextWrite hook = new FailNextWrite(
            parameters.equals("log=shared") ? FailNextWrite.Target.FEEDBACK : FailNextWrite.Target.DATA);
        final boolean breaksData = !parameters.equals("log=shared");
        final Transport publisher = breaksData ? transports.launch(hook) : transports.launch();
        final Transport subscriber = breaksData ? transports.launch() : transports.launch(hook);
        final Subscription subscription = subscriber.addSubscription(transports.channel(parameters), STREAM_ID);
        final Publication publication =
            publisher.addPublication(transports.channel("window=16k|" + parameters), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        for (int i = 0; i < THREADS; i++) {
            start(publication, i);
        }
        awaitWriters(subscription, (long) THREADS * MESSAGES, () -> {
            final long resumed = publisher.counters().get(TransportCounter.LINKS_RESUMED);
            if (resumed == hook.failed() && resumed < BREAKS) {
                hook.arm();
            }
        });
        assertEnd(subscription, publication, publication.position());
        assertEquals((long) THREADS * MESSAGES, received);
        assertTrue(hook.failed() > 0, "the link was broken");
        assertTrue(publisher.counters().get(TransportCounter.LINKS_RESUMED) > 0, "and went on");
    }

    /** Threads that write, a claim that nobody ends, handles that go, and the end, all at once. */
    @Test
    void shouldDeliverWhatWasOfferedWithSuccessWhenHandlesCloseUnderTheirThreads() {
        final Transport publisher = transports.launch();
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker"), STREAM_ID);
        for (int round = 0; round < ROUNDS; round++) {
            final Publication publication = publisher.addPublication(transports.channel(CLOSING_PARAMETERS), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            final Image image = subscription.imageBySessionId(publication.sessionId());
            final AtomicLong sent = new AtomicLong();
            threads.clear();
            for (int i = 0; i < THREADS; i++) {
                final int thread = i;
                final Publication handle = publisher.addPublication(transports.channel(CLOSING_PARAMETERS), STREAM_ID);
                threads.add(Thread.ofPlatform().daemon().start(() -> sent.addAndGet(sendUntilClosed(handle, thread))));
            }
            received = 0;
            pollUntil(subscription, "some messages", () -> received > MESSAGES_PER_ROUND);
            final BufferClaim dead = new BufferClaim();
            pollUntil(subscription, "a claim", () -> publication.tryClaim(100, dead) > 0);
            publication.close();
            threads.forEach(Thread::interrupt);
            pollUntil(subscription, "the end", image::isClosed);
            threads.forEach(Await::end);
            assertEquals(sent.get(), received);
            assertThrows(IllegalStateException.class, dead::commit);
        }
        assertEquals(List.of(), transports.errors());
    }

    private void pollUntil(final Subscription subscription, final String what, final BooleanSupplier condition) {
        Await.until(what, () -> {
            subscription.poll(this::onFragment, POLL_LIMIT);
            return condition.getAsBoolean();
        });
    }

    private static long sendUntilClosed(final Publication handle, final int thread) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
        int sequence = 0;
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                handle.close();
            }
            write(message, thread, sequence);
            final long result = handle.offer(message, 0, length(thread, sequence));
            if (result > 0) {
                sequence++;
            } else if (result == Publication.CLOSED) {
                return sequence;
            } else {
                Thread.yield();
            }
        }
    }
}
