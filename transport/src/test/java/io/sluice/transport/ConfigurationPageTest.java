package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.GuidePage;
import io.sluice.transport.kit.GuidePage.Range;
import io.sluice.verbs.rdma.RegionPages;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page of the configuration says of each field and property what the code takes and refuses: defaults, bounds,
 * words, and how values depend on each other.
 */
class ConfigurationPageTest {
    private static final GuidePage PAGE = new GuidePage("configuration.md");
    private static final String NO_WORD = "no-such-word";
    private static final int PROCESSORS = 8;

    /** Fields that are neither a quantity nor one of a few words, each with a test of its own here or elsewhere. */
    private static final Set<String> OF_OTHER_KINDS = Set.of(
        "directory", "clientName", "preSharedKeyFile", "allowedPeers", "links", "timeouts", "eviction", "quotas",
        "pollers", "errorHandler", "backPressureListener", "device", "environment", "cpus", "availableImageHandler",
        "unavailableImageHandler", "closeHandler", "threadFactory", "idleStrategies", "rdmaProvider");

    /** Types whose table of fields stands on the page, and the setting of the context for each. */
    private static final Map<String, String> SETTINGS = Map.of("Context", "", "LinkOptions", "links",
        "Timeouts", "timeouts", "EvictionOptions", "eviction", "Quotas", "quotas", "PollerOptions", "pollers");

    /** A row of a table that has fields, of the context or of a value that it has. */
    private record Row(String setting, String field, String property, String defaultCell, String rangeCell) {
        Range range() {
            return OF_OTHER_KINDS.contains(field) ? null : GuidePage.range(rangeCell);
        }

        List<String> words() {
            return range() != null || OF_OTHER_KINDS.contains(field) ? List.of()
                : GuidePage.codes(rangeCell.split(", at most")[0]);
        }

        /** The name that messages have for the field. */
        String told() {
            if (!setting.equals("pollers")) {
                return field;
            }
            return field.equals("count") ? "pollers"
                : "poller" + field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        }

        private Object owner(final Context context) throws ReflectiveOperationException {
            return setting.isEmpty() ? context : Context.class.getMethod(setting).invoke(context);
        }

        Object get(final Context context) throws ReflectiveOperationException {
            final Object owner = owner(context);
            return owner.getClass().getMethod(field).invoke(owner);
        }

        void set(final Context context, final long value) throws Throwable {
            final Object owner = owner(context);
            final Method setter = Arrays.stream(owner.getClass().getMethods())
                .filter(method -> method.getName().equals(field) && method.getParameterCount() == 1)
                .findFirst().orElseThrow();
            final Object boxed = setter.getParameterTypes()[0] == int.class ? (Object) (int) value : (Object) value;
            try {
                final Object result = setter.invoke(owner, boxed);
                if (!setting.isEmpty()) {
                    Context.class.getMethod(setting, result.getClass()).invoke(context, result);
                }
            } catch (final InvocationTargetException e) {
                throw e.getCause();
            }
        }

        @Override
        public String toString() {
            return field;
        }
    }

    private String property;

    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        if (property != null) {
            System.clearProperty(property);
        }
    }

    private void property(final String name, final Object value) {
        property = name;
        System.setProperty(name, String.valueOf(value));
    }

    static List<Row> rows() {
        final List<Row> rows = new ArrayList<>();
        for (final Map.Entry<String, String> type : SETTINGS.entrySet()) {
            for (final List<String> cells : PAGE.rows("`" + type.getKey() + "`")) {
                final String property = GuidePage.codes(cells.get(1)).stream().findFirst().orElse(null);
                GuidePage.codes(cells.getFirst()).forEach(field ->
                    rows.add(new Row(type.getValue(), field, property, cells.get(2), cells.get(3))));
            }
        }
        return rows;
    }

    private static Row row(final String field) {
        return rows().stream().filter(row -> row.field().equals(field)).findFirst().orElseThrow();
    }

    static Stream<Row> rowsWithARange() {
        return rows().stream().filter(row -> row.range() != null);
    }

    static Stream<Row> rowsWithWords() {
        return rows().stream().filter(row -> !row.words().isEmpty());
    }

    /** Every other value is as far away as can be from where it could contradict the one that is tried. */
    private static Context relaxed() {
        return new Context()
            .links(new LinkOptions().receiveDepth(Configuration.RECEIVE_DEPTH_MAX).writesInFlight(1))
            .timeouts(new Timeouts()
                .heartbeatIntervalNs(Configuration.TIMEOUT_MIN_NS).resumeTimeoutNs(Configuration.TIMEOUT_MIN_NS)
                .livenessTimeoutNs(Configuration.TIMEOUT_MAX_NS));
    }

    private static void assertRefused(final Executable call, final String... parts) {
        final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        for (final String part : parts) {
            assertTrue(message.contains(part), () -> message + " lacks " + part);
        }
    }

    @Test
    void shouldNameARangeOrWordsOfEveryFieldThatCanHaveThem() {
        assertEquals(OF_OTHER_KINDS, rows().stream().filter(row -> row.range() == null && row.words().isEmpty())
            .map(Row::field).collect(Collectors.toSet()));
    }

    @Test
    void shouldHaveARowForEveryProperty() throws IllegalAccessException {
        final Set<String> expected = new TreeSet<>();
        for (final Field field : Configuration.class.getFields()) {
            if (field.getName().endsWith("_PROP")) {
                expected.add((String) field.get(null));
            }
        }
        assertEquals(expected, rows().stream().map(Row::property).filter(name -> name != null)
            .collect(Collectors.toCollection(TreeSet::new)));
    }

    @ParameterizedTest
    @MethodSource("rowsWithARange")
    void shouldTakeTheBoundsAndRefuseWhatLiesBeyond(final Row row) throws Throwable {
        final Range range = row.range();
        for (final long value : new long[] {range.minimum(), range.maximum()}) {
            final Context context = relaxed();
            row.set(context, value);
            context.check();
        }
        for (final long value : new long[] {range.minimum() - 1, range.maximum() + 1}) {
            assertRefused(() -> {
                final Context context = relaxed();
                row.set(context, value);
                context.check();
            }, row.told() + "=" + value, "minimum=" + range.minimum() + " maximum=" + range.maximum());
        }
    }

    @ParameterizedTest
    @MethodSource("rowsWithARange")
    void shouldTakeTheBoundsOfThePropertyToo(final Row row) throws ReflectiveOperationException {
        final Range range = row.range();
        for (final long value : new long[] {range.minimum(), range.maximum()}) {
            property(row.property(), value);
            if (!row.field().equals("spinTimeNs")) {
                assertEquals(value, ((Number) row.get(new Context())).longValue());
            } else {
                assertEquals(value, adaptive().spinTimeNs(0, PROCESSORS));
            }
        }
        for (final long value : new long[] {range.minimum() - 1, range.maximum() + 1}) {
            property(row.property(), value);
            assertRefused(Context::new, row.property() + "=" + value,
                "minimum=" + range.minimum() + " maximum=" + range.maximum());
        }
    }

    private static PollerOptions adaptive() {
        return new PollerOptions().completionModes(CompletionMode.ADAPTIVE);
    }

    @ParameterizedTest
    @MethodSource("rowsWithARange")
    void shouldAskForAPowerOfTwoWhereThePageSaysSo(final Row row) throws Throwable {
        final Context context = relaxed();
        final long none = Math.max(row.range().minimum(), 2) + 1;
        row.set(context, none);
        if (row.rangeCell().startsWith("a power of two")) {
            assertRefused(context::check, "not a power of two: " + row.told() + "=" + none);
        } else {
            context.check();
        }
    }

    @ParameterizedTest
    @MethodSource("rowsWithWords")
    void shouldTakeTheWordsAndRefuseOthers(final Row row) throws ReflectiveOperationException {
        final Set<String> known = new TreeSet<>();
        for (final String word : row.words()) {
            property(row.property(), word);
            final Context context = new Context();
            context.check();
            final Object value = row.get(context);
            assertEquals(word.toLowerCase(Locale.ROOT), word(value instanceof List<?> list ? list.getFirst() : value));
            known.add(word.toLowerCase(Locale.ROOT));
        }
        property(row.property(), NO_WORD);
        final String message = assertThrows(
            IllegalArgumentException.class, () -> new Context().check()).getMessage();
        assertTrue(message.contains("=" + NO_WORD + " known="), message);
        final String words = message.replaceFirst(".* known=", "").replaceAll("[\\[\\] ]", "");
        assertEquals(known, new TreeSet<>(List.of(words.toLowerCase(Locale.ROOT).split(","))));
    }

    private static String word(final Object value) {
        return String.valueOf(value).toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @MethodSource("rowsWithARange")
    void shouldHaveTheDefaultOfAQuantity(final Row row) throws ReflectiveOperationException {
        final Object value = row.field().equals("spinTimeNs")
            ? adaptive().spinTimeNs(0, PROCESSORS) : row.get(new Context());
        assertEquals(GuidePage.firstQuantity(row.defaultCell()), ((Number) value).longValue());
    }

    @ParameterizedTest
    @MethodSource("rowsWithWords")
    void shouldHaveTheDefaultOfAWord(final Row row) throws ReflectiveOperationException {
        final Object value = row.get(new Context());
        assertEquals(List.of(word(value instanceof List<?> list ? list.getFirst() : value)),
            GuidePage.codes(row.defaultCell()).stream().map(ConfigurationPageTest::word).toList());
    }

    @Test
    void shouldHaveTheDefaultsOfOtherKinds() {
        final Context context = new Context();
        final Map<String, String> told = new TreeMap<>();
        rows().stream().filter(row -> OF_OTHER_KINDS.contains(row.field()) && !SETTINGS.containsValue(row.field()))
            .forEach(row -> told.put(row.field(), row.defaultCell()));
        assertEquals(Map.ofEntries(
            Map.entry("allowedPeers", "all"), Map.entry("availableImageHandler", "none"),
            Map.entry("backPressureListener", "none"), Map.entry("clientName", "empty"),
            Map.entry("closeHandler", "none"), Map.entry("cpus", "none"), Map.entry("device", "software; verbs"),
            Map.entry("directory",
                "`/dev/shm/sluice-USER`; where there is no `/dev/shm`, `sluice-USER` in `java.io.tmpdir`"),
            Map.entry("environment", "the system's"), Map.entry("errorHandler", "to the log"),
            Map.entry("preSharedKeyFile",
                "none; else the variable `" + Configuration.PRE_SHARED_KEY_VARIABLE + "`"),
            Map.entry("idleStrategies", "daemons; by name"), Map.entry("threadFactory", "daemons; by name"),
            Map.entry("rdmaProvider", "software; verbs"),
            Map.entry("unavailableImageHandler", "none")), told);
        assertNull(context.threadFactory());
        assertNull(context.idleStrategies().apply("sluice-conductor"));
        assertNull(context.availableImageHandler());
        assertNull(context.unavailableImageHandler());
        assertNull(context.closeHandler());
        context.concludePeerRules(SystemEnvironment.instance(), null);
        assertTrue(context.peerRules().allowed().isEmpty());
        assertNull(context.peerRules().key());
        assertNull(context.preSharedKeyFile());
        assertEquals("", context.clientName());
        assertEquals(List.of(), context.pollers().cpus());
        final String user = System.getProperty("user.name");
        assertTrue(Configuration.directory(SystemEnvironment.instance()).endsWith("sluice-" + user));
    }

    @Test
    void shouldPointToTheTableOfEachValue() {
        assertEquals(SETTINGS.values().stream().filter(setting -> !setting.isEmpty()).sorted().toList(),
            rows().stream().filter(row -> row.setting().isEmpty() && row.defaultCell().equals("see below"))
                .map(Row::field).sorted().toList());
    }

    /** No poller spins where there are as many as processors: the last one leaves its core to the application. */
    @Test
    void shouldLeaveACoreToTheApplication() {
        assertTrue(row("spinTimeNs").defaultCell().endsWith("0 for pollers beyond the number of processors less one"));
        assertEquals(Configuration.POLLER_SPIN_TIME_DEFAULT_NS, adaptive().spinTimeNs(PROCESSORS - 2, PROCESSORS));
        assertEquals(0, adaptive().spinTimeNs(PROCESSORS - 1, PROCESSORS));
    }

    /**
     * A dependence of one value on another: the words of the page, a value at the bound, one beyond, and what is told.
     */
    private record Dependence(
        String words, Consumer<Context> atTheBound, Consumer<Context> beyond, List<String> told) {
    }

    private static Consumer<Context> timeouts(final UnaryOperator<Timeouts> change) {
        return context -> context.timeouts(change.apply(context.timeouts()));
    }

    private static final Map<String, Dependence> DEPENDENCES = Map.of(
        "writesInFlight", new Dependence("at most `receiveDepth`",
            context -> context.links(new LinkOptions().receiveDepth(7).writesInFlight(7)),
            context -> context.links(new LinkOptions().receiveDepth(7).writesInFlight(8)),
            List.of("writesInFlight=8", "receiveDepth=7")),
        "heartbeatIntervalNs", new Dependence("at most half of `livenessTimeoutNs`",
            timeouts(timeouts -> timeouts.livenessTimeoutNs(8_000_000).heartbeatIntervalNs(4_000_000)),
            timeouts(timeouts -> timeouts.livenessTimeoutNs(8_000_000).heartbeatIntervalNs(4_000_001)),
            List.of("livenessTimeoutNs=8000000", "heartbeatIntervalNs=4000001")),
        "livenessTimeoutNs", new Dependence("at least two heartbeat intervals and the resume timeout",
            timeouts(timeouts -> timeouts.resumeTimeoutNs(9_000_000).heartbeatIntervalNs(4_500_000)
                .livenessTimeoutNs(9_000_000)),
            timeouts(timeouts -> timeouts.resumeTimeoutNs(9_000_000).heartbeatIntervalNs(4_500_000)
                .livenessTimeoutNs(8_999_999)),
            List.of("livenessTimeoutNs=8999999", "heartbeatIntervalNs=4500000")),
        "resumeTimeoutNs", new Dependence("at most `livenessTimeoutNs`",
            timeouts(timeouts -> timeouts.livenessTimeoutNs(9_000_000).resumeTimeoutNs(9_000_000)),
            timeouts(timeouts -> timeouts.livenessTimeoutNs(9_000_000).resumeTimeoutNs(9_000_001)),
            List.of("resumeTimeoutNs=9000001", "livenessTimeoutNs=9000000")),
        "cpus", new Dependence("each once, at most `count`",
            context -> context.pollers(new PollerOptions().count(2).cpus(0, 1)),
            context -> context.pollers(new PollerOptions().count(2).cpus(0, 1, 2)),
            List.of("pollerCpus=[0, 1, 2]", "pollers=2")),
        "completionModes", new Dependence("at most `count`",
            context -> context.pollers(
                new PollerOptions().count(2).completionModes(CompletionMode.SPIN, CompletionMode.EVENT)),
            context -> context.pollers(
                new PollerOptions().count(1).completionModes(CompletionMode.SPIN, CompletionMode.EVENT)),
            List.of("pollerCompletionModes=[SPIN, EVENT]", "pollers=1")));

    @Test
    void shouldTellHowValuesDependOnEachOther() {
        final Map<String, String> told = new TreeMap<>();
        for (final Row row : rows()) {
            final int at = Math.max(row.rangeCell().indexOf(", at "), row.rangeCell().indexOf(", each once"));
            if (at >= 0) {
                told.put(row.field(), row.rangeCell().substring(row.rangeCell().indexOf(", each once") < 0
                    ? at + 2 : row.rangeCell().indexOf(", each once") + 2));
            }
        }
        final Map<String, String> expected = new TreeMap<>();
        DEPENDENCES.forEach((field, dependence) -> expected.put(field, dependence.words()));
        assertEquals(expected, told);
        for (final Dependence dependence : DEPENDENCES.values()) {
            final Context fitting = relaxed();
            dependence.atTheBound().accept(fitting);
            assertDoesNotThrow(fitting::check, dependence.words());
            final Context wrong = relaxed();
            dependence.beyond().accept(wrong);
            assertRefused(wrong::check, dependence.told().toArray(String[]::new));
        }
        final Context twice = relaxed().pollers(new PollerOptions().count(2).cpus(3, 3));
        assertRefused(twice::check, "pollerCpus=[3, 3]");
    }

    @Test
    void shouldBoundTheClientName() {
        final String cell = row("clientName").rangeCell();
        final int maximum = Integer.parseInt(cell.replaceAll("[^0-9]", ""));
        assertEquals("at most " + maximum + " characters", cell);
        new Context().clientName("n".repeat(maximum)).check();
        assertRefused(() -> new Context().clientName("n".repeat(maximum + 1)).check(),
            "client name", "length=" + (maximum + 1), "maximum=" + maximum);
        property(row("clientName").property(), "n".repeat(maximum + 1));
        assertRefused(Context::new, "length=" + (maximum + 1), "maximum=" + maximum);
    }

    @Test
    void shouldBoundTheKey() throws IOException {
        final Row row = row("preSharedKeyFile");
        assertTrue(row.rangeCell().endsWith(" bytes"), row.rangeCell());
        final Range lengths = GuidePage.range(row.rangeCell());
        for (final long length : new long[] {lengths.minimum(), lengths.maximum()}) {
            property(row.property(), key(length));
            final Context context = new Context();
            context.concludePeerRules(SystemEnvironment.instance(), null);
            assertTrue(context.peerRules().key() != null);
        }
        for (final long length : new long[] {lengths.minimum() - 1, lengths.maximum() + 1}) {
            final Path file = key(length);
            final Context context = new Context().preSharedKeyFile(file);
            assertRefused(() -> context.concludePeerRules(SystemEnvironment.instance(), null),
                "preSharedKeyFile=" + file, "minimum=" + lengths.minimum() + " maximum=" + lengths.maximum());
        }
    }

    private Path key(final long length) throws IOException {
        final Path file = Files.createFile(folder.resolve("key-" + length),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, "k".repeat((int) length));
    }

    @Test
    void shouldTakeListsByCommas() {
        for (final String field : List.of("allowedPeers", "cpus")) {
            assertTrue(row(field).rangeCell().contains("separated by commas"), field);
        }
        property(row("allowedPeers").property(), "10.0.0.0/24, fe80::1");
        final Context context = new Context();
        context.concludePeerRules(SystemEnvironment.instance(), null);
        assertEquals(2, context.peerRules().allowed().size());
        assertEquals(List.of("10.0.0.0/24", "fe80::1"), context.allowedPeers());
        property(row("allowedPeers").property(), "10.0.0.0/24, host");
        assertRefused(Context::new, "address=host");
        property(property, "");
        assertRefused(Context::new, "address=");
        System.clearProperty(property);
        assertTrue(row("allowedPeers").rangeCell().startsWith("one or more "));
        assertRefused(() -> new Context().allowedPeers(new String[0]), "allowedPeers");
        property(row("cpus").property(), "0, 7");
        assertEquals(List.of(0, 7), new PollerOptions().cpus());
        property(row("cpus").property(), "0, -1");
        assertRefused(Context::new, property + "=-1", "minimum=0");
    }

    @Test
    void shouldNameTheKindsOfPagesOfRegions() {
        final List<String> row = PAGE.rows("property").stream()
            .filter(cells -> GuidePage.codes(cells.getFirst()).contains(RegionPages.PROP_NAME)).findFirst()
            .orElseThrow();
        assertEquals("`standard`", row.get(1));
        assertEquals(Arrays.stream(RegionPages.values()).filter(pages -> pages != RegionPages.CONFIGURED)
            .map(ConfigurationPageTest::word).toList(), GuidePage.codes(row.get(2)));
    }
}
