package io.sluice.metrics.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.environment.SystemEnvironment;
import io.sluice.metrics.HostCollector;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Meters of transports in Micrometer's registries: they come, tell the truth and go, and none is left behind. */
class SluiceMetricsTest {
    private static final String BYTES = "sluice.publication.bytes";
    private static final String POSITION = "sluice.publication.position";
    private static final String DROPPED = "sluice.exporter.series.dropped";
    /** The exporter's own. */
    private static final int ALWAYS = 7;
    /** Longer than any test, so that only the test itself brings meters up to date. */
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    private Path directory;

    private final List<String> problems = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() throws Exception {
        for (final AutoCloseable each : opened.reversed()) {
            each.close();
        }
        registry.close();
    }

    private StatusFiles create(final String client) {
        final StatusFiles files =
            StatusFiles.create(SystemEnvironment.instance(), directory, client, error -> problems.add("" + error));
        files.onRefreshed();
        opened.add(files);
        return files;
    }

    private static AtomicCounter allocate(final StatusFiles files, final CounterType type, final long value) {
        final AtomicCounter counter = files.allocate(type, new CounterKey(1, -10, 77, 5, 6, 7, 8),
            type.label() + ": stream=-10 session=77 channel=sluice:ipc?endpoint=prices");
        counter.setRelease(value);
        return counter;
    }

    private HostCollector collector() {
        return new HostCollector(SystemEnvironment.instance(), directory, problems::add);
    }

    private SluiceMetrics bound(final MeterRegistry to) {
        final SluiceMetrics metrics = new SluiceMetrics(collector(), NEVER);
        opened.add(metrics);
        metrics.bindTo(to);
        return metrics;
    }

    private double gauge(final String name) {
        return registry.get(name).gauge().value();
    }

    private double count(final String name) {
        return registry.get(name).functionCounter().count();
    }

    @Test
    void shouldShowCountersAndGaugesWithUnitAndTags() {
        final StatusFiles files = create("pricer");
        allocate(files, CounterType.PUBLICATION_BYTES, 5);
        allocate(files, CounterType.PUBLICATION_POSITION, 7);
        bound(registry);

        final FunctionCounter bytes = registry.get(BYTES).functionCounter();
        assertEquals(5, bytes.count());
        assertEquals("bytes", bytes.getId().getBaseUnit());
        assertEquals("Bytes of those messages, without headers and padding.", bytes.getId().getDescription());
        assertEquals("pricer", bytes.getId().getTag("client"));
        assertEquals("-10", bytes.getId().getTag("stream"));
        assertEquals("sluice:ipc?endpoint=prices", bytes.getId().getTag("channel"));
        final Gauge position = registry.get(POSITION).gauge();
        assertEquals(7, position.value());
        assertEquals("bytes", position.getId().getBaseUnit());
        assertEquals(1, gauge("sluice.transport.up"));
        assertEquals("seconds", registry.get("sluice.transport.start.time").gauge().getId().getBaseUnit());
        assertEquals(List.of(), problems);
    }

    @Test
    void shouldBringValuesUpToDateAndKeepTheMeters() {
        final StatusFiles files = create("");
        final AtomicCounter counter = allocate(files, CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics metrics = bound(registry);
        final Meter before = registry.get(BYTES).meter();
        counter.setRelease(6);
        assertEquals(5, count(BYTES));
        metrics.refresh();
        assertEquals(6, count(BYTES));
        assertSame(before, registry.get(BYTES).meter());
    }

    @Test
    void shouldTakeUpWhatComesAndRemoveWhatGoes() {
        final SluiceMetrics metrics = bound(registry);
        assertEquals(ALWAYS, registry.getMeters().size());
        final StatusFiles files = create("");
        final AtomicCounter counter = allocate(files, CounterType.PUBLICATION_POSITION, 5);
        metrics.refresh();
        final Gauge position = registry.get(POSITION).gauge();
        counter.close();
        metrics.refresh();
        assertNull(registry.find(POSITION).meter());
        assertEquals(Double.NaN, position.value());
        assertEquals(1, gauge("sluice.transport.up"));
        files.close();
        metrics.refresh();
        assertEquals(ALWAYS, registry.getMeters().size());
    }

    @Test
    void shouldLeaveOfATransportThatDiedThatItIsDead() throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.PUBLICATION_POSITION, 5);
        final Path living;
        try (Stream<Path> folders = Files.list(directory.resolve(StatusLayout.FOLDER))) {
            living = folders.toList().getFirst();
        }
        final Path dead = Files.createDirectory(living.resolveSibling("999999999-00000000000000aa"));
        for (final String name : List.of(StatusLayout.COUNTERS, StatusLayout.ERRORS)) {
            Files.copy(living.resolve(name), dead.resolve(name));
        }
        files.close();
        bound(registry);
        assertEquals(0, gauge("sluice.transport.up"));
        assertNull(registry.find(POSITION).meter());
    }

    @Test
    void shouldRefreshByAThreadUntilItIsClosed() {
        final StatusFiles files = create("");
        final AtomicCounter counter = allocate(files, CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics metrics = new SluiceMetrics(collector(), Duration.ofMillis(1));
        opened.add(metrics);
        metrics.bindTo(registry);
        counter.setRelease(6);
        while (count(BYTES) != 6) {
            Thread.onSpinWait();
        }
        metrics.close();
        assertEquals(List.of(), registry.getMeters());
    }

    /** A program's mistake costs a look, not all that follow; meanwhile no meter says what may not be so. */
    @Test
    void shouldGoOnAfterWhatTheProgramThrows() {
        create("");
        final Queue<Throwable> left = new ConcurrentLinkedQueue<>(List.of(
            new IllegalStateException("first"), new IllegalStateException("second"), new AssertionError("third")));
        final List<Throwable> told = new CopyOnWriteArrayList<>();
        final HostCollector failing = new HostCollector(SystemEnvironment.instance(), directory, status -> {
            final Throwable next = left.poll();
            if (next instanceof Error error) {
                throw error;
            }
            if (next instanceof RuntimeException exception) {
                throw exception;
            }
            return true;
        }, HostCollector.MAX_SERIES, problems::add);
        final SluiceMetrics metrics = new SluiceMetrics(failing, Duration.ofMillis(1));
        opened.add(metrics);
        final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> told.add(error));
        try {
            final RuntimeException thrown =
                assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry));
            assertEquals("first", thrown.getMessage());
            while (registry.find("sluice.transport.up").meter() == null) {
                Thread.onSpinWait();
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertEquals(List.of("second", "third"), told.stream().map(Throwable::getMessage).toList());
    }

    @Test
    void shouldLeaveNoGaugeOfWhatALookThatFailedDidNotSee() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        final AtomicReference<RuntimeException> next = new AtomicReference<>();
        final HostCollector failing = new HostCollector(SystemEnvironment.instance(), directory, status -> {
            if (next.get() != null) {
                throw next.get();
            }
            return true;
        }, HostCollector.MAX_SERIES, problems::add);
        final SluiceMetrics metrics = new SluiceMetrics(failing, NEVER);
        opened.add(metrics);
        metrics.bindTo(registry);
        next.set(new IllegalStateException("predicate"));
        assertSame(next.get(), assertThrows(IllegalStateException.class, metrics::refresh));
        assertEquals(List.of(BYTES), registry.getMeters().stream().map(meter -> meter.getId().getName()).toList());
        assertEquals(5, count(BYTES));
    }

    @Test
    void shouldRemoveItsOwnMetersOnlyWhenItIsClosed() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        registry.counter("own", "client", "");
        final SluiceMetrics metrics = bound(registry);
        metrics.close();
        metrics.close();
        metrics.refresh();
        assertEquals(List.of("own"), registry.getMeters().stream().map(meter -> meter.getId().getName()).toList());
        assertEquals("closed", assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry)).getMessage());
        assertTrue(metrics.toString().endsWith(" closed}"), metrics::toString);
    }

    /** Common tags and prefixes change the names that a registry has its meters by. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShareARegistryWithAnotherOneAndTakeOver(final boolean isRenamed) {
        if (isRenamed) {
            registry.config().commonTags("desk", "fx");
        }
        final AtomicCounter counter = allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics first = bound(registry);
        final int meters = registry.getMeters().size();
        final SluiceMetrics second = bound(registry);
        second.refresh();
        assertEquals(meters, registry.getMeters().size());
        assertEquals(0, gauge(DROPPED));

        first.close();
        assertEquals(List.of(), registry.getMeters());
        counter.setRelease(6);
        second.refresh();
        assertEquals(meters, registry.getMeters().size());
        assertEquals(6, count(BYTES));
        second.close();
        assertEquals(List.of(), registry.getMeters());
    }

    @Test
    void shouldLeaveAMeterOfAnotherKindAloneAndCountIt() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics metrics = bound(registry);
        final Tags tags = Tags.of(registry.get(BYTES).meter().getId().getTags());
        metrics.close();
        final Gauge own = Gauge.builder(BYTES, () -> 77).tags(tags).register(registry);
        final SluiceMetrics second = bound(registry);
        assertSame(own, registry.get(BYTES).meter());
        assertEquals(1, gauge(DROPPED));
        registry.remove(own);
        second.refresh();
        assertEquals(5, count(BYTES));
        assertEquals(0, gauge(DROPPED));
    }

    @Test
    void shouldBindToSeveralRegistriesAndTwiceToNone() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics metrics = bound(registry);
        final int meters = registry.getMeters().size();
        final CompositeMeterRegistry composite = new CompositeMeterRegistry();
        final MeterRegistry part = new SimpleMeterRegistry();
        composite.add(part);
        metrics.bindTo(composite);
        metrics.bindTo(registry);
        assertEquals(meters, registry.getMeters().size());
        assertEquals(5, part.get(BYTES).functionCounter().count());
        metrics.close();
        assertEquals(List.of(), part.getMeters());
        composite.close();
    }

    @Test
    void shouldObeyTheFiltersOfTheRegistry() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("sluice.publication"));
        final SluiceMetrics metrics = bound(registry);
        metrics.refresh();
        assertNull(registry.find(BYTES).meter());
        assertNotNull(registry.find("sluice.transport.up").meter());
        assertEquals(0, gauge(DROPPED));
    }

    @Test
    void shouldRemoveAllMetersThoughAListenerThrows() {
        allocate(create(""), CounterType.PUBLICATION_BYTES, 5);
        final SluiceMetrics metrics = bound(registry);
        final List<Meter> removed = new ArrayList<>();
        final int meters = registry.getMeters().size();
        registry.config().onMeterRemoved(meter -> {
            removed.add(meter);
            throw new IllegalStateException("listener");
        });
        final RuntimeException thrown = assertThrows(IllegalStateException.class, metrics::close);
        assertEquals(meters - 1, thrown.getSuppressed().length);
        assertEquals(meters, removed.size());
        assertEquals(List.of(), registry.getMeters());
    }

    @Test
    void shouldKeepToTheBoundOfTheCollector() {
        final StatusFiles files = create("");
        for (int i = 0; i < 50; i++) {
            files.allocate(CounterType.PUBLICATION_BYTES, new CounterKey(i, 1, 1, 0, 0, 0, 0), "publication-bytes");
        }
        final SluiceMetrics metrics = new SluiceMetrics(new HostCollector(
            SystemEnvironment.instance(), directory, _ -> true, 20, problems::add), NEVER);
        opened.add(metrics);
        metrics.bindTo(registry);
        assertEquals(20 + ALWAYS, registry.getMeters().size());
        assertEquals(34, gauge(DROPPED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quote\" brace} back\\slash", "two\nlines", "\u202eturned", "\ud800", "\u0000", ""})
    void shouldTakeNamesOfStrangersAsTheyAre(final String client) {
        allocate(create(client), CounterType.PUBLICATION_BYTES, 5);
        bound(registry);
        final String shown = registry.get(BYTES).meter().getId().getTag("client");
        assertEquals(client.replaceAll("[\\p{Cc}\\p{Cf}\ud800]", "?"), shown.replace('\ufffd', '?'));
    }

    @Test
    void shouldRefuseAnIntervalThatIsTooLong() {
        final Duration longest = Duration.ofNanos(Long.MAX_VALUE);
        final Duration longer = longest.plusNanos(1);
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new SluiceMetrics(collector(), longer)).getMessage();
        assertEquals("interval=" + longer + " is above PT2562047H47M16.854775807S", message);
        final SluiceMetrics metrics = new SluiceMetrics(collector(), longest);
        opened.add(metrics);
        metrics.bindTo(registry);
        assertEquals(ALWAYS, registry.getMeters().size());
    }

    @Test
    void shouldRefuseNoRegistryAndGoOn() {
        create("");
        final SluiceMetrics metrics = bound(registry);
        assertEquals("registry",
            assertThrows(NullPointerException.class, () -> metrics.bindTo(null)).getMessage());
        metrics.refresh();
        assertEquals(1, gauge("sluice.transport.up"));
        assertEquals("interval", assertThrows(NullPointerException.class,
            () -> new SluiceMetrics(collector(), null)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 999_999})
    void shouldRefuseAnIntervalThatIsTooShort(final long intervalNs) {
        final Duration interval = Duration.ofNanos(intervalNs);
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new SluiceMetrics(collector(), interval)).getMessage();
        assertEquals("interval=" + interval + " is below PT0.001S", message);
        assertFalse(new SluiceMetrics(collector()).toString().isEmpty());
    }
}
