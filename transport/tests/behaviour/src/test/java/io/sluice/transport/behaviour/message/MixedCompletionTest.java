package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.verbs.software.FaultHook;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscriptions that are sent completions, and others that look at the frames; one publication serves both kinds. */
class MixedCompletionTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 500;

    @RegisterExtension
    private final Transports transports = new Transports();
    private final AtomicInteger posted = new AtomicInteger();

    private Transport publishing() {
        final SoftwareDevice device = SoftwareDevice.open(
            SystemEnvironment.instance(), transports.fabric().directory(), new FaultHook() {
                @Override
                public int onOperation(
                    final int queuePairNumber,
                    final Operation operation,
                    final long workRequestId,
                    final int length,
                    final int immediate) {
                    if (operation == Operation.WRITE_WITH_IMMEDIATE) {
                        posted.incrementAndGet();
                    }
                    return PASS;
                }
            });
        return transports.launch(context -> context.device(device));
    }

    /** Each message is the number of its publication and its own. */
    private static void offer(final ExclusivePublication publication, final int index, final int message) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        buffer.putInt(0, index);
        buffer.putInt(4, message);
        Transports.offer(publication, buffer.byteArray());
    }

    @ParameterizedTest
    @CsvSource({
        "memory, memory, false", "memory, queue, true", "queue, memory, true", "queue, queue, true"
    })
    void shouldPostUnlessBothSidesLookAtTheMemory(
        final String publisher, final String subscriber, final boolean isPosted) {
        final Subscription subscription =
            transports.launch().addSubscription("sluice:ipc?completion=" + subscriber, STREAM_ID);
        final ExclusivePublication publication =
            publishing().addExclusivePublication("sluice:ipc?completion=" + publisher, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        offer(publication, 0, 0);
        assertEquals(1, Transports.receive(subscription, 1).size());
        assertEquals(isPosted, posted.get() > 0);
    }

    @ParameterizedTest
    @CsvSource({"invoker", "dedicated"})
    void shouldServeBothKindsFromOneLog(final String mode) {
        final Transport subscribing = transports.launch();
        final List<Subscription> subscriptions = new ArrayList<>();
        for (final String parameters : List.of("completion=memory", "completion=queue", "log=copied")) {
            subscriptions.add(subscribing.addSubscription("sluice:ipc?mode=" + mode + "|" + parameters, STREAM_ID));
        }
        final ExclusivePublication publication =
            publishing().addExclusivePublication("sluice:ipc?window=4k", STREAM_ID);
        Transports.awaitConnected(publication, subscriptions.toArray(Subscription[]::new));
        for (int message = 0; message < MESSAGES; message++) {
            offer(publication, 0, message);
            for (final Subscription subscription : subscriptions) {
                final byte[] received = Transports.receive(subscription, 1).getFirst();
                assertEquals(message, new UnsafeBuffer(received).getInt(4));
            }
        }
    }

    /** Completions tell of one publication's messages, only frames of the other's: neither waits for another. */
    @ParameterizedTest
    @CsvSource({"invoker, memory", "invoker, queue", "dedicated, memory", "dedicated, queue"})
    void shouldHaveBothKindsOnOneSubscription(final String mode, final String sendingFirst) {
        final Subscription subscription =
            transports.launch().addSubscription("sluice:ipc?completion=memory|mode=" + mode, STREAM_ID);
        final Transport publishing = publishing();
        final List<ExclusivePublication> publications = new ArrayList<>();
        for (final String completion : List.of(sendingFirst, "memory".equals(sendingFirst) ? "queue" : "memory")) {
            publications.add(publishing.addExclusivePublication(
                "sluice:ipc?window=4k|completion=" + completion, STREAM_ID));
            Transports.awaitConnected(publications.getLast(), subscription);
        }
        for (int message = 0; message < MESSAGES; message++) {
            // alone for a while, in turn, and at once
            final boolean isFirst = message < MESSAGES / 4 || message % 2 == 0;
            final boolean isSecond = message >= MESSAGES / 2 || !isFirst;
            final int expected = (isFirst ? 1 : 0) + (isSecond ? 1 : 0);
            if (isFirst) {
                offer(publications.getFirst(), 0, message);
            }
            if (isSecond) {
                offer(publications.getLast(), 1, message);
            }
            for (final byte[] received : Transports.receive(subscription, expected)) {
                assertEquals(message, new UnsafeBuffer(received).getInt(4));
            }
        }
        assertTrue(posted.get() > 0);
    }

    @ParameterizedTest
    @CsvSource({"invoker", "dedicated"})
    void shouldLookAtAllLogsHoweverManyThereAre(final String mode) {
        final int publications = 12;
        final Subscription subscription =
            transports.launch().addSubscription("sluice:ipc?mode=" + mode, STREAM_ID);
        final Transport publishing = publishing();
        final List<ExclusivePublication> added = new ArrayList<>();
        for (int i = 0; i < publications; i++) {
            added.add(publishing.addExclusivePublication("sluice:ipc?window=4k", STREAM_ID));
            Transports.awaitConnected(added.get(i), subscription);
        }
        final int before = posted.get();
        IntStream.range(0, publications).forEach(index -> offer(added.get(index), index, 0));
        final Map<Integer, Integer> last = new HashMap<>();
        Await.until("a message of each", () -> {
            subscription.poll((buffer, offset, length, header) ->
                assertNull(last.put(buffer.getInt(offset), buffer.getInt(offset + 4))), publications);
            return last.size() == publications;
        });
        assertEquals(0, posted.get() - before);
        assertTrue(last.values().stream().allMatch(message -> message == 0));
    }
}
