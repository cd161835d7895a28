package io.sluice.metrics.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.CountingMode;
import io.micrometer.core.instrument.simple.SimpleConfig;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry of steps shows what was counted in each of them, also where files cannot be read for a while. */
class StepsTest {
    private static final String BYTES = "sluice.publication.bytes";
    private static final String ERRORS = "sluice.error.observations";
    private static final Duration STEP = Duration.ofMinutes(1);
    /** Longer than any test, so that only the test itself brings meters up to date. */
    private static final Duration NEVER = Duration.ofDays(1);
    /** Bytes that were counted before anybody looked. */
    private static final long BEFORE = 1_000_000_000;

    @TempDir
    private Path directory;

    private final List<String> problems = new ArrayList<>();
    private final MockClock clock = new MockClock();
    private final MeterRegistry registry = new SimpleMeterRegistry(new SimpleConfig() {
        @Override
        public String get(final String key) {
            return null;
        }

        @Override
        public CountingMode mode() {
            return CountingMode.STEP;
        }

        @Override
        public Duration step() {
            return STEP;
        }
    }, clock);
    private final AtomicBoolean isFailing = new AtomicBoolean();
    private StatusFiles files;
    private Path folder;
    private AtomicCounter counter;
    private SluiceMetrics metrics;

    @BeforeEach
    void create() throws IOException {
        files = StatusFiles.create(SystemEnvironment.instance(), directory, "", error -> { });
        folder = folders().getFirst();
        counter = allocate(files, 1);
        counter.setRelease(BEFORE);
        metrics = new SluiceMetrics(new HostCollector(SystemEnvironment.instance(), directory, status -> {
            if (isFailing.get()) {
                throw new IllegalStateException("predicate");
            }
            return true;
        }, HostCollector.MAX_SERIES, problems::add), NEVER);
    }

    @AfterEach
    void close() {
        metrics.close();
        files.close();
        registry.close();
    }

    private static AtomicCounter allocate(final StatusFiles files, final int streamId) {
        return files.allocate(CounterType.PUBLICATION_BYTES, new CounterKey(streamId, streamId, 77, 5, 6, 7, 8),
            "publication-bytes: stream=" + streamId + " session=77 channel=sluice:ipc?endpoint=prices");
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> folders = Files.list(directory.resolve(StatusLayout.FOLDER))) {
            return folders.toList();
        }
    }

    /** Ends a step. Returns what a counter shows of it. */
    private double step(final String name, final String... tags) {
        registry.get(name).tags(tags).functionCounter().count();
        clock.add(STEP);
        return registry.get(name).tags(tags).functionCounter().count();
    }

    @Test
    void shouldShowInTheFirstStepWhatWasCountedSinceItWasBound() {
        metrics.bindTo(registry);
        counter.getAndAddRelease(10);
        metrics.refresh();
        assertEquals(10, step(BYTES));
        assertEquals(0, step(BYTES));
    }

    @Test
    void shouldShowAllThatAStreamHasCountedThatCameLater() {
        metrics.bindTo(registry);
        allocate(files, 2).setRelease(7);
        metrics.refresh();
        assertEquals(7, step(BYTES, "stream", "2"));
    }

    @Test
    void shouldShowTheGrowthOnlyAfterAFileCouldNotBeRead() throws IOException {
        metrics.bindTo(registry);
        final Path file = folder.resolve(StatusLayout.COUNTERS);
        Files.move(file, folder.resolve("aside"));
        metrics.refresh();
        assertEquals(1, problems.size(), problems::toString);
        assertEquals(0, step(BYTES));
        assertNull(registry.find("sluice.transport.up").meter());
        Files.move(folder.resolve("aside"), file);
        counter.getAndAddRelease(10);
        metrics.refresh();
        assertEquals(10, step(BYTES));
        assertNotNull(registry.find("sluice.transport.up").meter());
    }

    @Test
    void shouldShowTheGrowthOnlyAfterErrorsCouldNotBeRead() throws IOException {
        files.errorHandler().onError(new IllegalStateException("own"));
        metrics.bindTo(registry);
        final Path file = folder.resolve(StatusLayout.ERRORS);
        Files.move(file, folder.resolve("aside"));
        Files.createDirectory(file);
        counter.close();
        metrics.refresh();
        assertEquals(1, problems.size(), problems::toString);
        assertNull(registry.find(BYTES).meter());
        Files.delete(file);
        Files.move(folder.resolve("aside"), file);
        metrics.refresh();
        assertEquals(0, step(ERRORS));
    }

    @Test
    void shouldShowTheGrowthOnlyAfterALookFailed() {
        metrics.bindTo(registry);
        isFailing.set(true);
        assertThrows(IllegalStateException.class, metrics::refresh);
        isFailing.set(false);
        counter.getAndAddRelease(10);
        metrics.refresh();
        assertEquals(10, step(BYTES));
    }

    @Test
    void shouldShowTheGrowthOnlyAfterTheFolderCouldNotBeListed() throws IOException {
        metrics.bindTo(registry);
        final Path parent = folder.getParent();
        Files.move(parent, directory.resolve("aside"));
        Files.createFile(parent);
        metrics.refresh();
        assertEquals(1, problems.size(), problems::toString);
        Files.delete(parent);
        Files.move(directory.resolve("aside"), parent);
        counter.getAndAddRelease(10);
        metrics.refresh();
        assertEquals(10, step(BYTES));
    }

    /** The first one has shown what was counted until it is closed. */
    @Test
    void shouldShowTheGrowthOnlyOfWhatItTakesOver() {
        metrics.bindTo(registry);
        try (SluiceMetrics second = new SluiceMetrics(
            new HostCollector(SystemEnvironment.instance(), directory, problems::add), NEVER)) {
            second.bindTo(registry);
            metrics.close();
            second.refresh();
            counter.getAndAddRelease(10);
            second.refresh();
            assertEquals(10, step(BYTES));
        }
    }

    @Test
    void shouldForgetATransportThatIsGoneThoughAnotherOneCannotBeRead() throws IOException {
        metrics.bindTo(registry);
        final Path torn = Files.createDirectory(folder.resolveSibling("999999999-00000000000000aa"));
        Files.createFile(torn.resolve(StatusLayout.COUNTERS));
        files.close();
        metrics.refresh();
        assertEquals(1, problems.size(), problems::toString);
        assertNull(registry.find(BYTES).meter());
    }

    @Test
    void shouldForgetAStreamThatIsGoneThoughAnotherTransportCannotBeRead() throws IOException {
        metrics.bindTo(registry);
        final Path torn = Files.createDirectory(folder.resolveSibling("999999999-00000000000000aa"));
        Files.createFile(torn.resolve(StatusLayout.COUNTERS));
        counter.close();
        metrics.refresh();
        assertNull(registry.find(BYTES).meter());
        assertNotNull(registry.find("sluice.transport.up").meter());
    }
}
