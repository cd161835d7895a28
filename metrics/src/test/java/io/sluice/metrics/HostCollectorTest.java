package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.counters.CounterLabels;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of transports as metrics: what stands in them is shown, once, under the name that a desk looks for. */
class HostCollectorTest {
    private static final String CHANNEL = "sluice:ipc?endpoint=prices";
    private static final long VALUE = 2;
    /** The exporter's own series. */
    private static final int ALWAYS = 7;
    /** Counter types without a metric of their own, each with the reason. */
    private static final Map<CounterType, String> WITHOUT_METRIC =
        Map.of(CounterType.TRANSPORT, "each counter of the transport as a whole has a metric of its own");

    @TempDir
    private Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<StatusFiles> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(StatusFiles::close);
    }

    private StatusFiles create(final String client) {
        final StatusFiles files = StatusFiles.create(SystemEnvironment.instance(), directory, client, errors::add);
        files.transportId(1, 2);
        files.onRefreshed();
        opened.add(files);
        return files;
    }

    private HostCollector collector() {
        return new HostCollector(SystemEnvironment.instance(), directory, problems::add);
    }

    private OpenMetricsText scrape() throws IOException {
        return scrape(collector());
    }

    private static OpenMetricsText scrape(final HostCollector collector) throws IOException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        OpenMetricsTextFormatWriter.create().write(out, collector.collect());
        return OpenMetricsText.parse(out.toString(StandardCharsets.UTF_8));
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> paths = Files.list(directory.resolve(StatusLayout.FOLDER))) {
            return paths.sorted().toList();
        }
    }

    /** A copy under the name of a process that has ended: nobody holds its lock. */
    private Path dead(final Path living) throws IOException {
        final Path folder = living.resolveSibling("999999999-00000000000000aa");
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        for (final String name : List.of(StatusLayout.COUNTERS, StatusLayout.ERRORS)) {
            Files.copy(living.resolve(name), folder.resolve(name));
            Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-------"));
        }
        return folder;
    }

    private static void allocate(final StatusFiles files, final CounterType type, final long group, final long value) {
        final CounterKey key = new CounterKey(group, -10, 77, 5, 6, 7, 8);
        final String name = switch (type.scope()) {
            case CONSUMER -> " consumer=books";
            case LATENCY -> " stage=handled consumer=books";
            default -> " peer=pid 4711";
        };
        final String label = type.scope() == CounterScope.AGENT ? type.label() + ": sluice-conductor"
            : type.label() + ": stream=-10 session=77" + name + " channel=" + CHANNEL;
        files.allocate(type, key, label).setRelease(value);
    }

    /** The name in the text of the series of a counter type. */
    private static String nameOf(final CounterType type) {
        final MetricFamily family = CounterMetric.of(type).family();
        return family.point(Labels.EMPTY, VALUE)
            instanceof CounterDataPointSnapshot
            ? family.name() + "_total" : family.name();
    }

    @ParameterizedTest
    @EnumSource(CounterType.class)
    void shouldHaveAMetricOfEachCounterTypeOrAReason(final CounterType type) throws IOException {
        if (WITHOUT_METRIC.containsKey(type)) {
            assertNull(CounterMetric.of(type));
            return;
        }
        final StatusFiles files = create("publisher");
        if (type == CounterType.APPLICATION) {
            final ApplicationCounter counter =
                new ApplicationCounter(9, 1001, new byte[] {10, 0, (byte) 255}, "orders \"sent\"");
            files.allocate(counter).setRelease(-VALUE);
            final Map<String, String> labels = scrape().series("sluice_application_value").keySet().iterator().next();
            assertEquals("1001", labels.get("type_id"));
            assertEquals("0a00ff", labels.get("key"));
            assertEquals("orders \"sent\"", labels.get("name"));
            assertEquals(-VALUE, scrape().value("sluice_application_value"));
            return;
        }
        allocate(files, type, 1, VALUE);

        final OpenMetricsText text = scrape();
        final Map<Map<String, String>, Double> series = text.series(nameOf(type));
        final String metric = CounterMetric.of(type).family().name();
        assertTrue(metric.startsWith("sluice_" + type.scope().name().toLowerCase(Locale.ROOT)), metric);
        assertEquals(1, series.size(), series::toString);
        assertEquals(type.label().endsWith("-ns") ? VALUE / 1e9 : VALUE, text.value(nameOf(type)));
        final Map<String, String> labels = series.keySet().iterator().next();
        assertEquals("publisher", labels.get("client"));
        assertEquals(Long.toString(ProcessHandle.current().pid()), labels.get("pid"));
        assertEquals(type.scope().hasStream() ? CHANNEL : null, labels.get("channel"));
        assertEquals(type.scope().hasStream() ? "-10" : null, labels.get("stream"));
        assertEquals(type.scope().hasSession() ? "77" : null, labels.get("session"));
        assertEquals(0, text.value("sluice_exporter_series_dropped"));
    }

    @Test
    void shouldHaveAMetricOfEachCounterOfTheTransport() throws IOException {
        final StatusFiles files = create("");
        for (final TransportCounter counter : TransportCounter.values()) {
            files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(counter.ordinal()), counter.label())
                .setRelease(100 + counter.ordinal());
        }
        final OpenMetricsText text = scrape();
        for (final TransportCounter counter : TransportCounter.values()) {
            assertEquals(100 + counter.ordinal(),
                text.value("sluice_transport_" + counter.label().replace('-', '_') + "_total"));
        }
    }

    @Test
    void shouldHaveADifferentNameForEachMetric() {
        final Set<String> names = new HashSet<>();
        Arrays.stream(CounterMetric.values()).forEach(each -> assertTrue(names.add(each.family().name()), each.name()));
    }

    /** A state is the ordinal of its counter, also of a version to come that has more of them. */
    @Test
    void shouldTellWhichStateIsWhich() throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.LINK_STATE, 1, LinkState.BROKEN.ordinal());
        allocate(files, CounterType.IMAGE_STATE, 2, 77);
        final OpenMetricsText text = scrape();
        assertEquals("State of a publication's link: "
            + "0 preparing, 1 connecting, 2 active, 3 broken, 4 ending, 5 gone.", text.help("sluice_link_state"));
        assertEquals(3, text.value("sluice_link_state"));
        assertEquals(77, text.value("sluice_image_state"));
    }

    @Test
    void shouldShowNoPositionWhereThereIsNone() throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.PUBLICATION_LIMIT, 1, -1);
        allocate(files, CounterType.PUBLICATION_POSITION, 1, 0);
        allocate(files, CounterType.CONSUMER_SEQUENCE, 2, -1);
        final OpenMetricsText text = scrape();
        assertEquals(Map.of(), text.series("sluice_publication_limit_bytes"));
        assertEquals(0, text.value("sluice_publication_position_bytes"));
        assertEquals(-1, text.value("sluice_consumer_sequence"));
    }

    @Test
    void shouldSetWhatDiffersInCauseOnlyApart() throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.LINK_SEND_QUEUE_FULL, 1, 5);
        allocate(files, CounterType.LINK_RECEIVER_NOT_READY, 1, 6);
        final OpenMetricsText text = scrape();
        assertEquals(5, text.value("sluice_link_deferred_total", "cause", "send-queue-full"));
        assertEquals(6, text.value("sluice_link_deferred_total", "cause", "receiver-not-ready"));
    }

    private static void allocateLink(
        final StatusFiles files, final long group, final long posted, final long consumed) {
        allocate(files, CounterType.LINK_POSTED, group, posted);
        allocate(files, CounterType.LINK_CONSUMED, group, consumed);
    }

    /** The link comes before its publication in the file: where a counter was freed the next one takes its place. */
    @Test
    void shouldShowThePartOfTheWindowThatEachLinkUses() throws IOException {
        final StatusFiles files = create("");
        allocateLink(files, 1, 1_000_000, 1_000_000 - 16_384);
        allocate(files, CounterType.PUBLICATION_WINDOW, 2, 65_536);
        allocateLink(files, 3, 1_000_000, 1_000_000 - 65_536);
        final OpenMetricsText text = scrape();
        assertEquals(0.25, text.value("sluice_link_window_used_ratio", "group", "1"));
        assertEquals(1, text.value("sluice_link_window_used_ratio", "group", "3"));
        assertEquals(65_536, text.value("sluice_publication_window_bytes"));
    }

    @ParameterizedTest
    @CsvSource({"100,101,0", "70000,0,1", "9223372036854775807,0,1"})
    void shouldKeepThePartOfTheWindowFrom0To1WhereTheFileChangesMeanwhile(
        final long posted, final long consumed, final double used) throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.PUBLICATION_WINDOW, 1, 65_536);
        allocateLink(files, 2, posted, consumed);
        assertEquals(used, scrape().value("sluice_link_window_used_ratio"));
    }

    @Test
    void shouldShowNoPartOfTheWindowWhereTheLinkHasNotJoinedOrTheWindowIsNotKnown() throws IOException {
        final StatusFiles files = create("no window");
        allocateLink(files, 1, 100, 0);
        final StatusFiles joining = create("joining");
        allocate(joining, CounterType.PUBLICATION_WINDOW, 1, 65_536);
        allocateLink(joining, 2, -1, -1);
        final StatusFiles empty = create("window of 0");
        allocate(empty, CounterType.PUBLICATION_WINDOW, 1, 0);
        allocateLink(empty, 2, 100, 0);
        final StatusFiles two = create("two windows");
        allocate(two, CounterType.PUBLICATION_WINDOW, 1, 65_536);
        allocate(two, CounterType.PUBLICATION_WINDOW, 2, 131_072);
        allocateLink(two, 3, 100, 0);
        assertEquals(Map.of(), scrape().series("sluice_link_window_used_ratio"));
    }

    private static void allocateOn(
        final StatusFiles files, final CounterType type, final long group, final String channel, final long value) {
        final CounterKey key = new CounterKey(group, -10, 77, 5, 6, 7, 8);
        final String peer = type.scope() == CounterScope.LINK ? "pid 4711" : null;
        files.allocate(type, key, CounterLabels.of(type, key, peer, channel)).setRelease(value);
    }

    /** Lengths at which no label, that of the link or both are cut, in the midst of a character or not. */
    @ParameterizedTest
    @CsvSource({"x,100", "x,310", "x,320", "x,330", "x,1000", "\u00fc,155", "\u00fc,160", "\u00fc,1000",
        "\ud83d\ude80,77", "\ud83d\ude80,78", "\ud83d\ude80,79", "\ud83d\ude80,80", "\ud83d\ude80,1000"})
    void shouldShowThePartOfTheWindowOfLongChannels(final String character, final int length) throws IOException {
        final StatusFiles files = create("");
        final String channel = CHANNEL + character.repeat(length);
        allocateOn(files, CounterType.LINK_POSTED, 1, channel, 16_384);
        allocateOn(files, CounterType.LINK_CONSUMED, 1, channel, 0);
        allocateOn(files, CounterType.PUBLICATION_WINDOW, 2, channel, 65_536);
        assertEquals(0.25, scrape().value("sluice_link_window_used_ratio"));
    }

    /** The other channel differs where labels are whole, and where they are cut it does not. */
    @ParameterizedTest
    @CsvSource({"100,1", "1000,0"})
    void shouldShowNoPartOfAWindowThatMayBeAnotherPublications(final int length, final int shown) throws IOException {
        final StatusFiles files = create("");
        final String channel = CHANNEL + "x".repeat(length);
        allocateOn(files, CounterType.LINK_POSTED, 1, channel, 16_384);
        allocateOn(files, CounterType.LINK_CONSUMED, 1, channel, 0);
        allocateOn(files, CounterType.PUBLICATION_WINDOW, 2, channel, 65_536);
        allocateOn(files, CounterType.PUBLICATION_WINDOW, 3, channel + "y", 131_072);
        assertEquals(shown, scrape().series("sluice_link_window_used_ratio").size());
    }

    @Test
    void shouldTakeNoChannelForTheBeginningOfAnotherOne() throws IOException {
        final StatusFiles files = create("");
        allocateOn(files, CounterType.LINK_POSTED, 1, CHANNEL, 16_384);
        allocateOn(files, CounterType.LINK_CONSUMED, 1, CHANNEL, 0);
        allocateOn(files, CounterType.PUBLICATION_WINDOW, 2, CHANNEL + "y", 65_536);
        assertEquals(Map.of(), scrape().series("sluice_link_window_used_ratio"));
    }

    /** Two transports of one process, equal in all but the folder. */
    @Test
    void shouldTellTransportsOfOneNameApart() throws IOException {
        for (int i = 0; i < 2; i++) {
            allocate(create("twin"), CounterType.PUBLICATION_BYTES, 1, i);
        }
        assertEquals(2, scrape().series("sluice_publication_bytes_total").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "quote\" brace} back\\slash", "two\nlines # EOF\n", "} 1\nsluice_forged_total 7\n", "\u202eturned", "\ud800",
        "wide \ud83d\ude80", "\u0000"})
    void shouldEscapeNamesOfStrangers(final String client) throws IOException {
        final StatusFiles files = create(client);
        allocate(files, CounterType.PUBLICATION_BYTES, 1, VALUE);
        final OpenMetricsText text = scrape();
        assertEquals(VALUE, text.value("sluice_publication_bytes_total"));
        assertEquals(Map.of(), text.series("sluice_forged_total"));
        final String shown = text.series("sluice_publication_bytes_total").keySet().iterator().next().get("client");
        assertEquals(client.replaceAll("[\\p{Cc}\\p{Cf}\ud800]", "?"), shown.replace('\ufffd', '?'));
    }

    @Test
    void shouldCutNamesThatAreTooLong() throws IOException {
        create("\ud83d\ude80".repeat(100_000));
        final Map<String, String> labels = scrape().series("sluice_transport_up").keySet().iterator().next();
        final String client = labels.get("client");
        assertTrue(client.length() <= TransportLabels.MAX_VALUE_LENGTH, client);
        assertFalse(client.contains("?"), client);
    }

    @Test
    void shouldKeepToTheBoundOfSeriesAndSaySo() throws IOException {
        final StatusFiles files = create("");
        for (int i = 0; i < 50; i++) {
            allocate(files, CounterType.PUBLICATION_BYTES, i, i);
        }
        final HostCollector bounded =
            new HostCollector(SystemEnvironment.instance(), directory, _ -> true, 20, problems::add);
        final OpenMetricsText text = scrape(bounded);
        assertEquals(20, text.value("sluice_exporter_series"));
        assertEquals(20, text.value("sluice_exporter_series_limit"));
        assertEquals(34, text.value("sluice_exporter_series_dropped"));
        assertEquals(20 + ALWAYS, text.count());
        assertEquals(HostCollector.MAX_SERIES, scrape().value("sluice_exporter_series_limit"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, HostCollector.MAX_SERIES + 1})
    void shouldRefuseABoundOfSeriesOutOfRange(final int maxSeries) {
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> new HostCollector(
            SystemEnvironment.instance(), directory, _ -> true, maxSeries, problems::add));
        assertEquals("maxSeries=" + maxSeries + " must be from 1 to 100000", thrown.getMessage());
    }

    @Test
    void shouldShowTheTransportsThatAreAskedForOnly() throws IOException {
        for (final String client : List.of("pricer", "router")) {
            allocate(create(client), CounterType.PUBLICATION_BYTES, 1, VALUE);
        }
        final OpenMetricsText text = scrape(new HostCollector(SystemEnvironment.instance(), directory,
            status -> status.clientName().equals("router"), 20, problems::add));
        assertEquals(1, text.value("sluice_transport_up", "client", "router"));
        assertEquals(VALUE, text.value("sluice_publication_bytes_total", "client", "router"));
        assertEquals(1, text.series("sluice_transport_up").size());
    }

    /** The way that the page has. */
    @Test
    void shouldShowTheOneOfTwoTransportsOfOneNameThatHasACounterOfItsOwn() throws IOException {
        for (int i = 0; i < 2; i++) {
            final StatusFiles files = create("twin");
            allocate(files, CounterType.PUBLICATION_BYTES, 1, i);
            files.allocate(new ApplicationCounter(9, 1001, new byte[0], "mark " + i));
        }
        final OpenMetricsText text = scrape(new HostCollector(SystemEnvironment.instance(), directory,
            status -> status.counters().stream().anyMatch(counter -> counter.label().equals("mark 1")),
            20, problems::add));
        assertEquals(1, text.value("sluice_publication_bytes_total"));
        assertEquals(1, text.series("sluice_transport_up").size());
    }

    @Test
    void shouldShowOfEachTransportThatItLivesWhateverTheOthersCount() throws IOException {
        for (int i = 0; i < 2; i++) {
            final StatusFiles files = create("");
            for (int j = 0; j < 50; j++) {
                allocate(files, CounterType.PUBLICATION_BYTES, j, j);
            }
        }
        final OpenMetricsText text =
            scrape(new HostCollector(SystemEnvironment.instance(), directory, _ -> true, 20, problems::add));
        assertEquals(2, text.series("sluice_transport_up").size());
    }

    /** Strangers say something else each time, such as the port that they come from. */
    @Test
    void shouldHaveNoSeriesOfErrorsByStrangers() throws IOException {
        final StatusFiles files = create("");
        files.errorHandler().onError(new IllegalStateException("own"));
        files.errorHandler().onStranger(new TransportException(ErrorKind.PEER_REFUSED, "of 10.0.0.9:40001"));
        final Map<Map<String, String>, Double> series = scrape().series("sluice_error_observations_total");
        assertEquals(1, series.size(), series::toString);
    }

    /** No transport writes such files, but what writes them need not be one. */
    @Test
    void shouldShowACounterThatComesTwiceOnce() throws IOException {
        final StatusFiles files = create("");
        allocate(files, CounterType.PUBLICATION_BYTES, 1, 5);
        allocate(files, CounterType.PUBLICATION_BYTES, 1, 6);
        files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(0), "errors");
        files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(0), "errors");
        files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(-1), "errors");
        files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(1000), "errors");
        final OpenMetricsText text = scrape();
        assertEquals(5, text.value("sluice_publication_bytes_total"));
        assertEquals(0, text.value("sluice_transport_errors_total"));
        assertEquals(4, text.value("sluice_exporter_series_dropped"));
    }

    @Test
    void shouldShowOfADeadTransportThatItIsDeadAndItsErrors() throws IOException {
        final StatusFiles files = create("dead soon");
        allocate(files, CounterType.PUBLICATION_BYTES, 1, VALUE);
        files.errorHandler().onError(new IllegalStateException("out of luck"));
        dead(folders().getFirst());
        files.close();

        final OpenMetricsText text = scrape();
        assertEquals(0, text.value("sluice_transport_up"));
        assertTrue(text.value("sluice_transport_refresh_time_seconds") > 1e9);
        assertEquals(Map.of(), text.series("sluice_transport_refresh_age_seconds"));
        assertEquals(Map.of(), text.series("sluice_publication_bytes_total"));
        assertEquals(
            1, text.value("sluice_error_observations_total", "exception", "java.lang.IllegalStateException"));
        assertTrue(text.value("sluice_error_last_time_seconds") > 1e9);
        final String name = text.series("sluice_error_last_time_seconds").keySet().iterator().next().get("error");
        assertTrue(name.matches("[0-9a-f]{16}"), name);
    }

    @Test
    void shouldForgetATransportThatIsClosed() throws IOException {
        final HostCollector collector = collector();
        final StatusFiles files = create("short");
        allocate(files, CounterType.PUBLICATION_BYTES, 1, VALUE);
        assertEquals(VALUE, scrape(collector).value("sluice_publication_bytes_total"));
        files.close();
        final OpenMetricsText text = scrape(collector);
        assertEquals(Map.of(), text.series("sluice_transport_up"));
        assertEquals(ALWAYS, text.count());
        assertEquals(List.of(), problems);
    }

    /** The clock of who asks for metrics is another one, and its question is as old as its last scrape. */
    @ParameterizedTest
    @CsvSource({"2500,2.5", "0,0", "-3000,0"})
    void shouldTellHowOldARefreshIsByTheExportersClock(final long ageMs, final double shown) throws IOException {
        create("");
        final double refreshed = scrape().value("sluice_transport_refresh_time_seconds");
        final HostCollector later = new HostCollector(
            new ForwardingEnvironment(SystemEnvironment.instance()) {
                @Override
                public long epochMs() {
                    return Math.round(refreshed * 1000) + ageMs;
                }
            }, directory, problems::add);
        assertEquals(shown, scrape(later).value("sluice_transport_refresh_age_seconds"));
    }

    @Test
    void shouldTellNoAgeBeforeTheFirstRefresh() throws IOException {
        opened.add(StatusFiles.create(SystemEnvironment.instance(), directory, "", errors::add));
        final OpenMetricsText text = scrape();
        assertEquals(1, text.value("sluice_transport_up"));
        assertEquals(Map.of(), text.series("sluice_transport_refresh_age_seconds"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 1000, 1024, 5000, 100_000})
    void shouldCountAFileThatIsCutAndTellOfItOnce(final int length) throws IOException {
        create("whole");
        final Path cut = dead(folders().getFirst());
        try (RandomAccessFile file = new RandomAccessFile(cut.resolve(StatusLayout.COUNTERS).toFile(), "rw")) {
            file.setLength(length);
        }
        final HostCollector collector = collector();
        for (int i = 0; i < 3; i++) {
            final OpenMetricsText text = scrape(collector);
            assertEquals(1, text.value("sluice_exporter_unreadable_files"));
            assertEquals(1, text.value("sluice_transport_up"));
        }
        assertEquals(1, problems.size(), problems::toString);
        assertEquals(1, problems.getFirst().lines().count());
        assertTrue(problems.getFirst().startsWith(cut.toString()), problems.getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {StatusLayout.VERSION - 1, StatusLayout.VERSION + 1})
    void shouldCountAFileOfAnotherVersion(final int version) throws IOException {
        create("own");
        final Path other = dead(folders().getFirst());
        try (RandomAccessFile file = new RandomAccessFile(other.resolve(StatusLayout.COUNTERS).toFile(), "rw")) {
            file.seek(StatusLayout.VERSION_OFFSET);
            file.writeInt(Integer.reverseBytes(version));
        }
        final OpenMetricsText text = scrape();
        assertEquals(1, text.value("sluice_exporter_unreadable_files"));
        assertEquals(1, text.series("sluice_transport_up").size());
    }

    @Test
    void shouldShowTheRoomOfTheFileSystemThatTheFolderLiesOn() throws IOException {
        final OpenMetricsText text = scrape();
        final double size = text.value("sluice_exporter_folder_size_bytes");
        final double available = text.value("sluice_exporter_folder_available_bytes");
        assertEquals(Files.getFileStore(directory).getTotalSpace(), size);
        assertTrue(available >= 0 && available <= size, available + " of " + size);
        final OpenMetricsText none = scrape(new HostCollector(
            SystemEnvironment.instance(), directory.resolve("none"), problems::add));
        assertEquals(Map.of(), none.series("sluice_exporter_folder_size_bytes"));
        assertEquals(Map.of(), none.series("sluice_exporter_folder_available_bytes"));
        assertEquals(1, none.value("sluice_exporter_folder_readable"));
    }

    @Test
    void shouldSayThatTheFolderCannotBeRead() throws IOException {
        Files.createFile(directory.resolve(StatusLayout.FOLDER));
        final OpenMetricsText text = scrape();
        assertEquals(0, text.value("sluice_exporter_folder_readable"));
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().startsWith("cannot read " + directory + ": "), problems.getFirst());
    }

    @Test
    void shouldShowNothingWhereThereIsNoFolderYet() throws IOException {
        final OpenMetricsText text = scrape();
        assertEquals(1, text.value("sluice_exporter_folder_readable"));
        assertEquals(0, text.value("sluice_exporter_series"));
        assertEquals(List.of(), problems);
    }
}
