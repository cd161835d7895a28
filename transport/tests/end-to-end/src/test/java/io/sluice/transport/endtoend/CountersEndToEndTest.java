package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The counters that transports show to others, read from their files while they live and after they were killed. */
class CountersEndToEndTest {
    private static final String WINDOW = "window=64k";
    private static final int STREAM_ID = 31;
    private static final int MESSAGES = 100;
    private static final int LENGTH = 40;
    private static final int ALIGNED_LENGTH = 64;

    @RegisterExtension
    private final Transports transports = new Transports();

    private List<TransportStatus> read() {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory()).read(problem -> {
                throw new AssertionError(problem);
            });
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The counters of this stream by type; each is there once. */
    private Map<CounterType, CounterReading> counters() {
        return read().stream().flatMap(status -> status.counters().stream())
            .filter(reading -> reading.key().streamId() == STREAM_ID)
            .collect(Collectors.toMap(CounterReading::type, reading -> reading));
    }

    private long value(final CounterType type) {
        final CounterReading reading = counters().get(type);
        return reading == null ? Long.MIN_VALUE : reading.value();
    }

    private static Stream<String> modes() {
        return Transports.parameters();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void shouldShowPositionsMessagesAndBytesOfBothEnds(final String parameters) {
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel(parameters), STREAM_ID);
        final String log = parameters.substring(parameters.indexOf("log="));
        final ExclusivePublication publication =
            transports.launch(context -> context.clientName("pricer"))
                .addExclusivePublication(transports.channel(WINDOW + "|" + log), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        for (int i = 0; i < MESSAGES; i++) {
            Transports.offer(publication, new byte[LENGTH]);
        }
        Transports.receive(subscription, MESSAGES);
        final long end = publication.position();
        assertEquals(MESSAGES * ALIGNED_LENGTH, end);
        Await.until("feedback in the counters", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return value(CounterType.LINK_CONSUMED) == end && value(CounterType.IMAGE_REPORTED) == end
                && value(CounterType.IMAGE_BYTES) == end;
        });
        assertEquals(end, value(CounterType.PUBLICATION_POSITION));
        Await.until("the limit", () -> value(CounterType.PUBLICATION_LIMIT) == end + 65536);
        assertEquals(MESSAGES, value(CounterType.PUBLICATION_MESSAGES));
        assertEquals(MESSAGES * LENGTH, value(CounterType.PUBLICATION_BYTES));
        assertEquals(0, value(CounterType.PUBLICATION_WINDOW_EXHAUSTED));
        assertEquals(LinkState.ACTIVE.ordinal(), value(CounterType.LINK_STATE));
        assertEquals(1, value(CounterType.LINK_EPOCH));
        assertEquals(end, value(CounterType.LINK_POSTED));
        assertEquals(LinkState.ACTIVE.ordinal(), value(CounterType.IMAGE_STATE));
        assertEquals(end, value(CounterType.IMAGE_RECEIVED));
        assertEquals(end, value(CounterType.IMAGE_WALKED));
        assertEquals(end, value(CounterType.IMAGE_CONSUMED));
        assertEquals(MESSAGES, value(CounterType.IMAGE_MESSAGES));
        assertEquals(end, value(CounterType.IMAGE_BYTES));
        assertEquals(1, value(CounterType.SUBSCRIPTION_LINKS));
        assertTrue(value(CounterType.SUBSCRIPTION_POLLS) > 0);
        final Map<CounterType, CounterReading> counters = counters();
        assertTrue(counters.get(CounterType.LINK_STATE).key().isSameLink(counters.get(CounterType.IMAGE_STATE).key()));
        assertEquals(publication.sessionId(), counters.get(CounterType.IMAGE_STATE).key().sessionId());
        assertEquals(publication.channel(), counters.get(CounterType.PUBLICATION_POSITION).channel());
    }

    @Test
    void shouldShowTheWindowOfAPublication() {
        transports.launch().addExclusivePublication(transports.channel(WINDOW), STREAM_ID);
        Await.until("the window", () -> value(CounterType.PUBLICATION_WINDOW) == 65536);
    }

    @Test
    void shouldCountBackPressure() {
        final Subscription subscription = transports.launch().addSubscription(transports.channel(WINDOW), STREAM_ID);
        final ExclusivePublication publication =
            transports.launch().addExclusivePublication(transports.channel(WINDOW + "|linger=0ns"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
        Await.until("back-pressure", () -> publication.offer(message, 0, 1000) == Publication.BACK_PRESSURED);
        publication.offer(message, 0, 1000);
        Await.until("two events", () -> value(CounterType.PUBLICATION_WINDOW_EXHAUSTED) == 2);
    }

    @Test
    void shouldFreeTheCountersOfWhatIsClosed() {
        final Transport one = transports.launch();
        final Subscription subscription = transports.launch().addSubscription(transports.channel(WINDOW), STREAM_ID);
        final ExclusivePublication publication = one.addExclusivePublication(transports.channel(WINDOW), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Await.until("counters", () -> counters().containsKey(CounterType.IMAGE_STATE));
        subscription.close();
        Await.until("its counters to go", () -> counters().keySet().stream().allMatch(
            type -> type.label().startsWith("publication")));
        publication.close();
        Await.until("all counters to go", () -> counters().isEmpty());
    }

    @Test
    void shouldShowTheCountersOfTheTransportAndItsAgents() {
        final Transport transport = transports.launch(context -> context.clientName("pricer"));
        Await.until("the conductor's cycles", () -> read().getFirst().counters().stream().anyMatch(
            reading -> reading.type() == CounterType.AGENT_CYCLES && reading.value() > 0
                && reading.subject().equals("sluice-conductor")));
        final TransportStatus status = read().getFirst();
        assertEquals("pricer", status.clientName());
        assertEquals(5, status.counters().stream().filter(r -> r.type() == CounterType.AGENT_MAX_CYCLE).count());
        assertEquals(
            Stream.of(TransportCounter.values()).map(TransportCounter::label).toList(),
            status.counters().stream().filter(r -> r.type() == CounterType.TRANSPORT).map(CounterReading::name)
                .toList());
        transport.close();
        assertEquals(List.of(), read());
    }

    @Test
    void shouldRecordWhatAHandlerThrows() {
        final Subscription subscription = transports.launch().addSubscription(transports.channel(WINDOW), STREAM_ID);
        final ExclusivePublication publication =
            transports.launch().addExclusivePublication(transports.channel(WINDOW), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[LENGTH]);
        Await.until("the message", () -> subscription.poll((buffer, offset, length, header) -> {
            throw new IllegalStateException("a handler's mistake");
        }, 1) == 1);
        transports.awaitError("a handler's mistake");
        assertEquals(1, read().stream().flatMap(status -> status.errors().stream())
            .filter(error -> error.count() == 1 && error.text().contains("a handler's mistake")).count());
    }

    @Test
    void shouldLeaveTheFilesOfAKilledProcessUntilTheNextOneComes() {
        final ChildJvm child = transports.fabric().start("killed");
        assertEquals(List.of(true), read().stream().map(TransportStatus::isAlive).toList());
        assertEquals(child.pid(), read().getFirst().processId());
        child.kill();
        assertEquals(List.of(false), read().stream().map(TransportStatus::isAlive).toList());
        transports.launch();
        assertEquals(List.of(ProcessHandle.current().pid()), read().stream().map(TransportStatus::processId).toList());
    }
}
