package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A collector that has scraped before shows the same as a new one, whatever has become of the counters since. */
class KeptSeriesTest {
    private static final CounterKey KEY = new CounterKey(1, -10, 77, 5, 6, 7, 8);
    private static final String LABEL = ": stream=-10 session=77 peer=pid 4711 channel=sluice:ipc?endpoint=prices";
    private static final CounterType[] TYPES = {CounterType.PUBLICATION_POSITION, CounterType.PUBLICATION_WINDOW,
        CounterType.LINK_POSTED, CounterType.LINK_CONSUMED, CounterType.LINK_SEND_QUEUE_FULL, CounterType.IMAGE_STATE};

    @TempDir
    private Path directory;

    private long nowNs = System.nanoTime();
    private final ForwardingEnvironment environment = new ForwardingEnvironment(SystemEnvironment.instance()) {
        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochMs() {
            return 1_000_000;
        }
    };
    private final List<String> problems = new ArrayList<>();
    private final List<StatusFiles> opened = new ArrayList<>();
    private HostCollector kept;

    @AfterEach
    void close() {
        opened.forEach(StatusFiles::close);
        assertEquals(List.of(), problems);
    }

    private StatusFiles create() {
        final StatusFiles files = StatusFiles.create(environment, directory, "pricer", error -> { });
        opened.add(files);
        kept = collector();
        return files;
    }

    private HostCollector collector() {
        return new HostCollector(environment, directory, problems::add);
    }

    /** The text of a scrape but for the room of the disk, which others use. */
    private static String text(final HostCollector collector) throws IOException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        OpenMetricsTextFormatWriter.create().write(out, collector.collect());
        return out.toString(StandardCharsets.UTF_8).lines()
            .filter(line -> !line.startsWith("sluice_exporter_folder_available_bytes"))
            .collect(Collectors.joining("\n"));
    }

    /** Scrapes by the collector that has scraped before, and holds it to a new one. */
    private String scrape() throws IOException {
        final String text = text(kept);
        assertEquals(text(collector()), text);
        return text;
    }

    private void passReuse() {
        nowNs += TimeUnit.MINUTES.toNanos(1);
    }

    private static AtomicCounter allocate(final StatusFiles files, final CounterType type, final long group) {
        return files.allocate(type, new CounterKey(group, -10, 77, 5, 6, 7, 8), type.label() + LABEL);
    }

    private static Arguments other(final String what, final Function<StatusFiles, AtomicCounter> next) {
        return Arguments.argumentSet(what, next);
    }

    static Stream<Arguments> others() {
        final CounterType type = CounterType.IMAGE_STATE;
        return Stream.of(
            other("type", files -> files.allocate(CounterType.IMAGE_MESSAGES, KEY, type.label() + LABEL)),
            other("group", files -> files.allocate(
                type, new CounterKey(2, -10, 77, 5, 6, 7, 8), type.label() + LABEL)),
            other("stream", files -> files.allocate(
                type, new CounterKey(1, -11, 77, 5, 6, 7, 8), type.label() + LABEL)),
            other("session", files -> files.allocate(
                type, new CounterKey(1, -10, 78, 5, 6, 7, 8), type.label() + LABEL)),
            other("link", files -> files.allocate(type, new CounterKey(1, -10, 77, 6, 6, 7, 8), type.label() + LABEL)),
            other("publisher", files -> files.allocate(
                type, new CounterKey(1, -10, 77, 5, 6, 8, 8), type.label() + LABEL)),
            other("subscription", files -> files.allocate(
                type, new CounterKey(1, -10, 77, 5, 6, 7, 9), type.label() + LABEL)),
            other("channel", files -> files.allocate(type, KEY, type.label() + LABEL + "2")),
            other("a program's", files -> files.allocate(new ApplicationCounter(1, 1001, new byte[0], "orders"))));
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldShowACounterThatTakesThePlaceOfAnotherOne(final Function<StatusFiles, AtomicCounter> next)
        throws IOException {
        final StatusFiles files = create();
        allocate(files, CounterType.PUBLICATION_POSITION, 9);
        final AtomicCounter first = allocate(files, CounterType.IMAGE_STATE, 1);
        final String before = scrape();
        first.close();
        passReuse();
        assertEquals(first.id(), next.apply(files).id());
        assertNotEquals(before, scrape());
    }

    static Stream<Arguments> ofPrograms() {
        return Stream.of(
            other("registration", files -> files.allocate(new ApplicationCounter(8, 1001, new byte[] {1}, "orders"))),
            other("type", files -> files.allocate(new ApplicationCounter(9, 1002, new byte[] {1}, "orders"))),
            other("key", files -> files.allocate(new ApplicationCounter(9, 1001, new byte[] {2}, "orders"))),
            other("label", files -> files.allocate(new ApplicationCounter(9, 1001, new byte[] {1}, "trades"))));
    }

    @ParameterizedTest
    @MethodSource("ofPrograms")
    void shouldShowAProgramsCounterThatTakesThePlaceOfAnotherOne(final Function<StatusFiles, AtomicCounter> next)
        throws IOException {
        final StatusFiles files = create();
        final AtomicCounter first = files.allocate(new ApplicationCounter(9, 1001, new byte[] {1}, "orders"));
        final String before = scrape();
        first.close();
        passReuse();
        assertEquals(first.id(), next.apply(files).id());
        assertNotEquals(before, scrape());
    }

    @Test
    void shouldShowNewValuesOfTheSameCounters() throws IOException {
        final StatusFiles files = create();
        final AtomicCounter counter = allocate(files, CounterType.PUBLICATION_POSITION, 1);
        allocate(files, CounterType.PUBLICATION_POSITION, 1).setRelease(1);
        for (int i = 0; i < 3; i++) {
            counter.setRelease(100 + i);
            final OpenMetricsText text = OpenMetricsText.parse(scrape() + "\n");
            assertEquals(100 + i, text.value("sluice_publication_position_bytes"));
            assertEquals(1, text.value("sluice_exporter_series_dropped"), "of each scrape anew");
        }
    }

    @Test
    void shouldForgetATransportThatIsClosedAndShowTheNextOne() throws IOException {
        allocate(create(), CounterType.PUBLICATION_POSITION, 1);
        final HostCollector before = kept;
        scrape();
        opened.removeFirst().close();
        assertFalse(scrape().contains("sluice_publication_position_bytes"));
        allocate(create(), CounterType.PUBLICATION_LIMIT, 1);
        kept = before;
        assertTrue(scrape().contains("sluice_publication_limit_bytes{"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldShowWhatANewCollectorShowsWhateverComesAndGoes(final long seed) throws IOException {
        final Random random = new Random(seed);
        final List<StatusFiles> files = List.of(create(), create());
        final List<AtomicCounter> counters = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (counters.isEmpty() || random.nextInt(3) > 0) {
                final AtomicCounter counter = allocate(
                    files.get(random.nextInt(2)), TYPES[random.nextInt(TYPES.length)], random.nextInt(12));
                counter.setRelease(random.nextInt(1000));
                counters.add(counter);
            } else {
                counters.remove(random.nextInt(counters.size())).close();
            }
            if (random.nextBoolean()) {
                passReuse();
            }
            scrape();
        }
    }
}
