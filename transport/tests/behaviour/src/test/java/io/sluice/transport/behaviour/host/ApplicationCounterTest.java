package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Configuration;
import io.sluice.transport.Counter;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's counters are shown beside those of its transport, and hurt nobody when either is gone. */
class ApplicationCounterTest {
    private static final int TYPE_ID = 1001;

    @RegisterExtension
    private final Transports transports = new Transports();

    private List<CounterReading> shown() {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory()).read(skipped -> { })
                .stream().flatMap(status -> status.counters().stream())
                .filter(reading -> reading.type() == CounterType.APPLICATION).toList();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void awaitShown(final String label, final long value) {
        Await.until(() -> label + "=" + value + " among " + shown(), () -> shown().stream()
            .anyMatch(reading -> reading.label().equals(label) && reading.value() == value), Await.DEADLINE_SECONDS);
    }

    @Test
    void shouldShowWhatTheProgramCounts() {
        final Transport transport = transports.launch();
        final Counter sent = transport.addCounter(TYPE_ID, "orders: sent");
        final Counter level = transport.addCounter(Integer.MAX_VALUE, "");
        awaitShown("orders: sent", 0);
        assertEquals(0, sent.increment());
        assertEquals(1, sent.getAndAdd(41));
        assertTrue(sent.compareAndSet(42, 43));
        assertFalse(sent.compareAndSet(42, 44));
        assertEquals(43, sent.decrement());
        level.set(-7);
        awaitShown("orders: sent", 42);
        awaitShown("", -7);
        level.setRelease(Long.MIN_VALUE);
        awaitShown("", Long.MIN_VALUE);
        assertEquals(TYPE_ID, sent.typeId());
        assertEquals("orders: sent", sent.label());
        assertTrue(sent.toString().contains("orders: sent"), sent::toString);

        final CounterReading reading = shown().getFirst();
        assertEquals(TYPE_ID, reading.typeId());
        assertEquals("orders: sent", reading.name());
        assertEquals("", reading.subject());
        assertEquals(sent.registrationId(), reading.key().group());
    }

    @Test
    void shouldTakeAndRaiseWhatWasCounted() {
        final Counter counter = transports.launch().addCounter(TYPE_ID, "level");
        assertEquals(0, counter.incrementRelease());
        assertEquals(1, counter.incrementRelease());
        assertEquals(2, counter.getAndSet(5));
        assertFalse(counter.proposeMax(5));
        assertTrue(counter.proposeMax(6));
        assertFalse(counter.proposeMax(Long.MIN_VALUE));
        assertEquals(6, counter.get());
        assertEquals(0, counter.keyBuffer().capacity());
    }

    /** The smaller one of each two that race may come first or be refused. */
    @Test
    void shouldKeepTheGreatestOfWhatManyThreadsPropose() throws InterruptedException {
        final Counter counter = transports.launch().addCounter(TYPE_ID, "greatest");
        final int threads = 4;
        final long values = 20_000;
        final List<Thread> proposing = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            final int first = thread;
            proposing.add(Thread.ofPlatform().start(() -> {
                for (long value = first; value < values; value += threads) {
                    counter.proposeMax(value);
                    if (counter.get() < value) {
                        counter.set(Long.MAX_VALUE);
                    }
                }
            }));
        }
        for (final Thread thread : proposing) {
            thread.join();
        }
        assertEquals(values - 1, counter.get());
    }

    @Test
    void shouldKeepTheKeyForReaders() {
        final Transport transport = transports.launch();
        final byte[] label = "..ørder..".getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[CountersReader.MAX_KEY_LENGTH + 1]);
        key.setMemory(0, key.capacity(), (byte) 7);
        final Counter counter = transport.addCounter(
            TYPE_ID, key, 1, CountersReader.MAX_KEY_LENGTH, new UnsafeBuffer(label), 2, label.length - 4);
        assertEquals(new UnsafeBuffer(key, 1, CountersReader.MAX_KEY_LENGTH), counter.keyBuffer());
        transport.addCounter(TYPE_ID, key, 0, 1, new UnsafeBuffer(label), 0, 0);
        Await.until("both", () -> shown().size() == 2);
        final CounterReading first = shown().getFirst();
        assertEquals("ørder", first.label());
        assertEquals(new UnsafeBuffer(key, 1, CountersReader.MAX_KEY_LENGTH), first.keyBuffer());
        final CounterReading second = shown().getLast();
        assertEquals("", second.label());
        assertEquals(7, second.keyBuffer().getByte(0));
        assertEquals(0, second.keyBuffer().getByte(1));
        assertEquals(CountersReader.MAX_KEY_LENGTH, second.keyBuffer().capacity());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 10, CounterType.APPLICATION_TYPE_ID_MIN - 1})
    void shouldRefuseTypesThatMayBeThoseOfTransports(final int typeId) {
        final Transport transport = transports.launch();
        final String message = assertThrows(
            IllegalArgumentException.class, () -> transport.addCounter(typeId, "x")).getMessage();
        assertTrue(message.contains("typeId=" + typeId) && message.contains("minimum=1000"), message);
    }

    @Test
    void shouldRefuseLabelsAndKeysThatAreTooLong() {
        final Transport transport = transports.launch();
        // of two bytes each
        final String label = "ø".repeat(CountersReader.MAX_LABEL_LENGTH / 2);
        transport.addCounter(TYPE_ID, label);
        awaitShown(label, 0);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> transport.addCounter(TYPE_ID, label + "x"))
            .getMessage().contains("length=381 maximum=380"));
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4]);
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> transport.addCounter(TYPE_ID, buffer, 0, CountersReader.MAX_KEY_LENGTH + 1, buffer, 0, 1))
            .getMessage().contains("keyLength=113"));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> transport.addCounter(TYPE_ID, buffer, 0, 1, buffer, 0, -1)).getMessage().contains("labelLength=-1"));
        assertThrows(IndexOutOfBoundsException.class, () -> transport.addCounter(TYPE_ID, buffer, 1, 4, buffer, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> transport.addCounter(TYPE_ID, buffer, 0, 1, buffer, -1, 1));
        assertThrows(NullPointerException.class, () -> transport.addCounter(TYPE_ID, null));
        assertThrows(NullPointerException.class, () -> transport.addCounter(TYPE_ID, null, 0, 0, buffer, 0, 1));
    }

    @Test
    void shouldRefuseMoreThanThereIsRoomForUntilOneIsClosed() {
        final Transport transport = transports.launch();
        final List<Counter> all = new ArrayList<>();
        for (int i = 0; i < Configuration.COUNTERS_MAX; i++) {
            all.add(transport.addCounter(TYPE_ID, "number " + i));
        }
        final String message = assertThrows(
            IllegalStateException.class, () -> transport.addCounter(TYPE_ID, "one more")).getMessage();
        assertTrue(message.contains("counters=1024 maximum=1024"), message);
        Await.until("all of them", () -> shown().size() == Configuration.COUNTERS_MAX);
        all.getFirst().close();
        all.getFirst().close();
        transport.addCounter(TYPE_ID, "one more");
        awaitShown("one more", 0);
    }

    @Test
    void shouldShowAClosedCounterNoMoreAndLetItHurtNobody() {
        final Transport transport = transports.launch();
        final Counter closed = transport.addCounter(TYPE_ID, "closed");
        awaitShown("closed", 0);
        closed.close();
        assertTrue(closed.isClosed());
        Await.until("its end", () -> shown().isEmpty());
        transport.addCounter(TYPE_ID, "other");
        closed.set(77);
        awaitShown("other", 0);
        assertEquals(1, shown().size());
        assertEquals(77, closed.get());
    }

    @Test
    void shouldCloseCountersWithTheirTransport() {
        final Transport transport = transports.launch();
        final Counter counter = transport.addCounter(TYPE_ID, "counted on");
        final CountersReader reader = transport.countersReader();
        transport.close();
        assertTrue(counter.isClosed());
        counter.increment();
        counter.close();
        assertEquals(1, counter.get());
        reader.forEach((value, counterId, label) -> assertFalse(label.isEmpty()));
        assertThrows(IllegalStateException.class, () -> transport.addCounter(TYPE_ID, "late"));
        assertThrows(IllegalStateException.class, transport::countersReader);
    }

    @Test
    void shouldReadItsOwnCountersAndThoseOfTheProgram() {
        final Transport transport = transports.launch();
        transport.addCounter(TYPE_ID, "mine").set(5);
        Await.until("the copy", () -> {
            final CountersReader reader = transport.countersReader();
            final int id = reader.findByTypeIdAndRegistrationId(TYPE_ID, 1);
            return id != CountersReader.NULL_COUNTER_ID && reader.getCounterValue(id) == 5
                && reader.getCounterLabel(id).equals("mine");
        });
        final List<Integer> types = new ArrayList<>();
        transport.countersReader().forEach((counterId, typeId, keyBuffer, label) -> types.add(typeId));
        assertTrue(types.contains(CounterType.TRANSPORT.typeId()), types::toString);
        assertTrue(types.contains(CounterType.AGENT_CYCLES.typeId()), types::toString);
    }

    /** The file's memory is unmapped while others count, add and read. */
    @Test
    void shouldSurviveThatItIsClosedUnderThreadsThatCountAndRead() throws InterruptedException {
        final Transport transport = transports.launch();
        final Counter counter = transport.addCounter(TYPE_ID, "busy");
        final CountDownLatch counted = new CountDownLatch(1);
        final CountDownLatch read = new CountDownLatch(1);
        final List<Thread> threads = List.of(
            Thread.ofPlatform().start(() -> {
                while (!counter.isClosed()) {
                    counter.increment();
                    counted.countDown();
                }
            }),
            Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        transport.countersReader().forEach((value, counterId, label) -> { });
                        read.countDown();
                    }
                } catch (final IllegalStateException ex) {
                    read.countDown();
                }
            }));
        counted.await();
        read.await();
        transport.close();
        for (final Thread thread : threads) {
            thread.join();
        }
        assertTrue(counter.get() > 0);
    }
}
