package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.GuidePage;
import io.sluice.transport.kit.GuidePage.Range;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.SubscriptionOptions;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page of channels says of each key what becomes of a channel's text: of which side the key is, its default, its
 * bounds and its words.
 */
class ChannelsPageTest {
    private static final GuidePage PAGE = new GuidePage("channels.md");
    private static final int POLLERS = 3;
    private static final String IPC = "sluice:ipc?endpoint=prices";
    private static final String RDMA = "sluice:rdma?endpoint=10.0.0.1:40123";
    /** A value that a word's key refuses, whatever its words. */
    private static final String NO_WORD = "no-such-word";

    /** A row of the tables of keys. */
    private record Key(String name, String of, String defaultCell, String rangeCell, boolean isOfRdmaAlone) {
        Range range() {
            return name.equals("endpoint") ? null : GuidePage.range(rangeCell);
        }

        /** The words that a medium's channels may have, none where it takes no words. */
        List<String> words(final boolean isRdma) {
            if (range() != null || !rangeCell.startsWith("`") || Set.of("fc", "control").contains(name)) {
                return List.of();
            }
            final String[] parts = rangeCell.split("; rdma: ");
            return GuidePage.codes(parts[isRdma ? parts.length - 1 : 0]);
        }

        String defaultOn(final boolean isRdma) {
            final String[] parts = defaultCell.split(" on ipc, ");
            return parts[isRdma ? parts.length - 1 : 0];
        }

        /** A channel that has the key with a value, and whatever it needs beside. */
        String channel(final boolean isRdma, final String value) {
            return channel(isRdma) + "|" + name + "=" + value;
        }

        String channel(final boolean isRdma) {
            return (isRdma ? RDMA : IPC) + (name.startsWith("evict-") ? "|mode=dedicated|slow=evict" : "");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Channels channels = new Channels(new Context().environment(SystemEnvironment.instance()));
    private final Map<String, Function<PublicationOptions, Object>> ofPublications = Map.of(
        "window", options -> options.log().windowLength(),
        "writes-in-flight", PublicationOptions::writesInFlight,
        "linger", PublicationOptions::lingerNs,
        "session-id", options -> options.session().sessionId(),
        "fc", options -> options.flowControl().strategy().name().toLowerCase(Locale.ROOT),
        "timestamps", options -> options.log().timestamps(),
        "log", options -> options.log().shared() ? "shared" : "copied",
        "completion", options -> options.log().memoryCompletion() ? "memory" : "queue");
    private final Map<String, Function<SubscriptionOptions, Object>> ofSubscriptions = Map.ofEntries(
        Map.entry("receive-depth", SubscriptionOptions::receiveDepth),
        Map.entry("ring", options -> options.events().ringLength()),
        Map.entry("slow", options -> options.events().slowConsumers().isEvicting() ? "evict" : "gate"),
        Map.entry("evict-behind", options -> options.events().slowConsumers().behindPercent()),
        Map.entry("evict-after", options -> options.events().slowConsumers().afterNs()),
        Map.entry("evict-timeout", options -> options.events().slowConsumers().timeoutNs()),
        Map.entry("receive-timestamps", options -> options.events().receiveTimestamps()),
        Map.entry("latency", options -> options.events().latency()),
        Map.entry("gtag", SubscriptionOptions::groupTag),
        Map.entry("log", options -> options.logs().wanted() ? "shared" : "copied"),
        Map.entry("completion", options -> options.logs().memoryCompletion() ? "memory" : "queue"),
        Map.entry("moderation", options -> options.logs().moderationPeriodNs()));
    private final Map<String, Function<RdmaDeviceOptions, Object>> ofDevices = Map.of(
        "device", RdmaDeviceOptions::device,
        "port", RdmaDeviceOptions::port,
        "gid", RdmaDeviceOptions::gidIndex,
        "cq", options -> options.completionInterface().name().toLowerCase(Locale.ROOT));

    static List<Key> keys() {
        final List<Key> keys = new ArrayList<>();
        for (final List<String> row : PAGE.rows("key")) {
            final boolean isOfRdmaAlone =
                PAGE.text().indexOf("| " + row.getFirst() + " |") > PAGE.text().indexOf("## Keys of rdma alone");
            GuidePage.codes(row.getFirst())
                .forEach(name -> keys.add(new Key(name, row.get(1), row.get(2), row.get(3), isOfRdmaAlone)));
        }
        return keys;
    }

    static Stream<Key> keysWithARange() {
        return keys().stream().filter(key -> key.range() != null);
    }

    static Stream<Key> keysOfEvictions() {
        return keys().stream().filter(key -> key.name().startsWith("evict-"));
    }

    static Stream<Key> keysWithWords() {
        return keys().stream().filter(key -> !key.words(true).isEmpty());
    }

    /** The values that a publication, a subscription or the choice of a device makes of a channel's key. */
    private List<Object> values(final String key, final String channel) {
        final List<Object> values = new ArrayList<>();
        if (ofPublications.containsKey(key)) {
            values.add(ofPublications.get(key).apply(channels.publication(channel, 1)));
        }
        if (ofSubscriptions.containsKey(key)) {
            values.add(ofSubscriptions.get(key).apply(subscription(channel)));
        }
        if (ofDevices.containsKey(key)) {
            values.add(ofDevices.get(key).apply(Media.options(ChannelUri.parse(channel))));
        }
        if (key.equals("mode")) {
            values.add(channels.mode(channel, false).name().toLowerCase(Locale.ROOT));
        } else if (key.equals("poller")) {
            values.add(channels.poller(channel, POLLERS));
        }
        return values.stream().map(value -> value instanceof Number number ? number.longValue() : value.toString())
            .map(Object.class::cast).toList();
    }

    private SubscriptionOptions subscription(final String channel) {
        return channels.subscription(channel, 1, channels.mode(channel, false), CompletionMode.SPIN);
    }

    private static void assertMessage(final String channel, final Executable call, final String... parts) {
        final String message = assertThrows(IllegalArgumentException.class, call, channel).getMessage();
        for (final String part : parts) {
            assertTrue(message.contains(part), () -> channel + " is told " + message + " without " + part);
        }
    }

    /** Keys of both sides are understood or refused before any side is asked, or by both of them. */
    @Test
    void shouldTellOfWhichSideAKeyIs() {
        final Set<String> forBoth = Set.of("endpoint", "control", "control-mode", "alias");
        final Map<String, String> expected = new TreeMap<>();
        final Map<String, String> told = new TreeMap<>();
        for (final Key key : keys()) {
            told.put(key.name(), key.of());
            final boolean isOfPublications = ofPublications.containsKey(key.name());
            final boolean isOfSubscriptions = ofSubscriptions.containsKey(key.name())
                || Set.of("mode", "poller").contains(key.name());
            if (forBoth.contains(key.name()) || ofDevices.containsKey(key.name())
                || isOfPublications && isOfSubscriptions) {
                expected.put(key.name(), "both");
            } else if (isOfPublications || isOfSubscriptions) {
                expected.put(key.name(), isOfPublications ? "publication" : "subscription");
            }
        }
        assertEquals(expected, told);
    }

    static Stream<Key> keysOfOneSide() {
        return keys().stream().filter(key -> !key.of().equals("both"));
    }

    @ParameterizedTest
    @MethodSource("keysOfOneSide")
    void shouldNotLookAtKeysOfTheOtherSide(final Key key) {
        final String wrong = (key.isOfRdmaAlone() ? RDMA : IPC) + "|" + key.name() + "=" + NO_WORD;
        if (key.of().equals("subscription")) {
            assertDoesNotThrow(() -> channels.publication(wrong, 1));
            assertThrows(IllegalArgumentException.class, () -> {
                subscription(wrong);
                channels.poller(wrong, POLLERS);
            });
        } else {
            assertDoesNotThrow(() -> subscription(wrong));
            assertThrows(IllegalArgumentException.class, () -> channels.publication(wrong, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("keysWithARange")
    void shouldTakeTheBoundsAndRefuseWhatLiesBeyond(final Key key) {
        final Range range = key.range();
        final boolean isRdma = key.isOfRdmaAlone();
        for (final long value : new long[] {range.minimum(), range.maximum()}) {
            final List<Object> values = values(key.name(), key.channel(isRdma, String.valueOf(value)));
            assertTrue(!values.isEmpty() && values.stream().allMatch(Long.valueOf(value)::equals),
                () -> key + "=" + value + " is taken for " + values);
        }
        final String below = range.minimum() == -Long.MAX_VALUE
            ? String.valueOf(Long.MIN_VALUE) : String.valueOf(range.minimum() - 1);
        final String above = range.maximum() == Long.MAX_VALUE
            ? "9223372036854775808" : String.valueOf(range.maximum() + 1);
        for (final String value : List.of(below, above)) {
            final String channel = key.channel(isRdma, value);
            assertMessage(channel, () -> values(key.name(), channel), key + "=" + value + " ",
                "minimum=" + range.minimum() + " maximum=" + range.maximum(), "channel=" + channel);
        }
    }

    @ParameterizedTest
    @MethodSource("keysWithARange")
    void shouldAskForAPowerOfTwoWhereThePageSaysSo(final Key key) {
        // Of the lowest value that is one and more than two, the next is none.
        final long none = Math.max(key.range().minimum(), 2) + 1;
        final String channel = key.channel(key.isOfRdmaAlone(), String.valueOf(none));
        if (key.rangeCell().startsWith("a power of two")) {
            assertMessage(channel, () -> values(key.name(), channel), "not a power of two: " + key + "=" + none);
        } else {
            assertEquals(none, values(key.name(), channel).getFirst());
        }
    }

    @ParameterizedTest
    @MethodSource("keysWithWords")
    void shouldTakeTheWordsAndRefuseOthers(final Key key) {
        for (final boolean isRdma : new boolean[] {false, true}) {
            if (key.name().equals("control-mode") || key.isOfRdmaAlone() && !isRdma) {
                continue;
            }
            final String beside = key.name().equals("slow") ? "|mode=dedicated" : "";
            for (final String word : key.words(isRdma)) {
                final List<Object> values = values(key.name(), key.channel(isRdma, word) + beside);
                assertTrue(!values.isEmpty() && values.stream().allMatch(word::equals),
                    () -> key + "=" + word + " is taken for " + values);
            }
            final String channel = key.channel(isRdma, NO_WORD);
            final Set<String> known = new TreeSet<>(key.words(isRdma));
            final String message =
                assertThrows(IllegalArgumentException.class, () -> values(key.name(), channel)).getMessage();
            final Matcher matcher = Pattern.compile(key + "=" + NO_WORD + " known=(\\S+) ").matcher(message);
            assertTrue(matcher.find(), message);
            assertEquals(known, new TreeSet<>(List.of(matcher.group(1).split(","))), key.name());
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void shouldFillInTheDefault(final Key key) {
        for (final boolean isRdma : new boolean[] {false, true}) {
            if (key.isOfRdmaAlone() && !isRdma || Set.of("endpoint", "control", "control-mode", "session-id")
                .contains(key.name())) {
                continue;
            }
            final String cell = key.defaultOn(isRdma);
            final List<Object> values = values(key.name(), key.channel(isRdma));
            final Object expected = switch (cell.replaceAll(":.*", "")) {
                case "none" -> key.name().equals("alias") ? null : FlowControl.NO_TAG;
                case "the one with the fewest subscriptions" -> (long) Pollers.ANY;
                case "chosen by the address" -> Map.<String, Object>of("device", "",
                    "port", (long) RdmaDeviceOptions.ANY_PORT, "gid", (long) RdmaDeviceOptions.BEST_GID)
                    .get(key.name());
                default -> GuidePage.firstQuantity(cell) == null
                    ? GuidePage.codes(cell).getFirst() : GuidePage.firstQuantity(cell);
            };
            assertTrue(values.stream().allMatch(value -> value.equals(expected)),
                () -> key + " is " + values + ", documented as " + cell);
        }
    }

    @Test
    void shouldFillInWhatHasNoValueOfItsOwn() {
        final Map<String, Key> keys = new HashMap<>();
        keys().forEach(key -> keys.put(key.name(), key));
        assertEquals("random", keys.get("session-id").defaultCell());
        assertNotEquals(
            1, Stream.generate(() -> channels.publication(IPC, 1).session().sessionId()).limit(3).distinct().count());
        assertEquals("`" + ChannelUri.parse("sluice:ipc").endpoint() + "`", keys.get("endpoint").defaultOn(false));
        assertEquals("none over rdma", keys.get("endpoint").defaultOn(true));
        assertMessage("sluice:rdma", () -> ChannelUri.parse("sluice:rdma"), "key=endpoint");
        assertEquals("none", keys.get("control").defaultCell());
        assertEquals(keys.get("control").defaultCell(), keys.get("control-mode").defaultCell());
        assertEquals("`invoker`; with handlers `dedicated`", keys.get("mode").defaultCell());
        assertEquals(SubscriptionMode.DEDICATED, channels.mode(IPC, true));
    }

    /** The sentence of the page that lists them. */
    @Test
    void shouldTakeFromTheContextWhatThePageSays() {
        final Map<String, UnaryOperator<Context>> settings = Map.of(
            "window", context -> context.windowLength(8192),
            "writes-in-flight", context -> context.links(context.links().writesInFlight(7)),
            "linger", context -> context.timeouts(context.timeouts().lingerTimeoutNs(7_000_000)),
            "mode", context -> context.subscriptionMode(SubscriptionMode.DEDICATED),
            "receive-depth", context -> context.links(context.links().receiveDepth(7)),
            "moderation", context -> context.links(context.links().moderationPeriodNs(7)),
            "evict-behind", context -> context.eviction(context.eviction().evictBehindPercent(7)),
            "evict-after", context -> context.eviction(context.eviction().evictAfterNs(7_000_000)),
            "evict-timeout", context -> context.eviction(context.eviction().evictTimeoutNs(7_000_000)));
        final Context context = new Context().environment(SystemEnvironment.instance());
        final Set<String> changed = new TreeSet<>();
        final Map<String, List<Object>> before = new HashMap<>();
        keys().forEach(key -> before.put(key.name(), values(key.name(), key.channel(key.isOfRdmaAlone()))));
        settings.values().forEach(setting -> setting.apply(context));
        channels = new Channels(context);
        for (final Key key : keys()) {
            final List<Object> now = values(key.name(), key.channel(key.isOfRdmaAlone()));
            if (!key.name().equals("session-id") && !now.equals(before.get(key.name()))) {
                changed.add(key.name());
            }
        }
        final Matcher sentence = Pattern.compile("(?s)The defaults of ([^.]*) are those of `Context`")
            .matcher(PAGE.text());
        assertTrue(sentence.find());
        assertEquals(new TreeSet<>(GuidePage.codes(sentence.group(1))), changed);
        assertEquals(settings.keySet(), changed);
    }

    @Test
    void shouldBoundNamesAddressesAndWholeTexts() {
        final String cell = keys().stream().filter(key -> key.name().equals("endpoint")).findFirst().orElseThrow()
            .rangeCell();
        final String[] parts = cell.split("; rdma: ");
        final Range lengths = GuidePage.range(parts[0]);
        assertEquals(1, lengths.minimum());
        final String longest = "a".repeat((int) lengths.maximum());
        assertDoesNotThrow(() -> ChannelUri.parse("sluice:ipc?endpoint=" + longest));
        assertDoesNotThrow(() -> ChannelUri.parse("sluice:ipc?control=" + longest + "|control-mode=dynamic"));
        assertMessage("too long", () -> ChannelUri.parse("sluice:ipc?endpoint=a" + longest), "endpoint=a" + longest,
            "1 to " + lengths.maximum());
        for (final String allowed : GuidePage.codes(parts[0])) {
            assertDoesNotThrow(() -> ChannelUri.parse("sluice:ipc?endpoint=a" + allowed));
        }
        final Range ports = GuidePage.range(parts[1].replace("port from", "port"));
        assertDoesNotThrow(() -> ChannelUri.parse("sluice:rdma?endpoint=h:" + ports.minimum()));
        assertDoesNotThrow(() -> ChannelUri.parse("sluice:rdma?endpoint=h:" + ports.maximum()));
        for (final long port : new long[] {ports.minimum() - 1, ports.maximum() + 1}) {
            assertMessage("port", () -> ChannelUri.parse("sluice:rdma?endpoint=h:" + port), "port=" + port,
                "minimum=" + ports.minimum() + " maximum=" + ports.maximum());
        }
        final Matcher length = Pattern.compile("at most ([0-9]+) characters").matcher(PAGE.text());
        assertTrue(length.find());
        final int maximum = Integer.parseInt(length.group(1));
        final String text = IPC + "|alias=" + "x".repeat(maximum - IPC.length() - "|alias=".length());
        assertEquals(text, ChannelUri.parse(text).toString());
        assertMessage("too long", () -> ChannelUri.parse(text + "x"),
            "length=" + (maximum + 1) + " maximum=" + maximum);
    }

    @Test
    void shouldRefuseAPollerThatThereIsNot() {
        assertEquals(POLLERS - 1, channels.poller(IPC + "|poller=" + (POLLERS - 1), POLLERS));
        for (final int poller : new int[] {-1, POLLERS}) {
            assertMessage("poller", () -> channels.poller(IPC + "|poller=" + poller, POLLERS), "poller=" + poller,
                "minimum=0 maximum=" + (POLLERS - 1));
        }
        assertEquals("from 0, less than the number of pollers", keys().stream()
            .filter(key -> key.name().equals("poller")).findFirst().orElseThrow().rangeCell());
    }

    @ParameterizedTest
    @MethodSource("keysOfEvictions")
    void shouldHaveNoKeyOfAnEvictionWithoutOne(final Key key) {
        final String channel = IPC + "|mode=dedicated|" + key + "=7";
        assertMessage(channel, () -> subscription(channel), key + "=7", "slow=evict");
    }

    @Test
    void shouldUnderstandEveryFormOfFlowControl() {
        final String cell = keys().stream().filter(key -> key.name().equals("fc")).findFirst().orElseThrow()
            .rangeCell();
        final Set<String> strategies = new TreeSet<>();
        for (final String form : GuidePage.codes(cell)) {
            strategies.add(form.replaceAll("[\\[,].*", ""));
            final List<String> texts = expanded(form);
            assertEquals(1 << form.chars().filter(c -> c == '[').count(), texts.size());
            assertAll(texts.stream().map(text -> () -> flowControl(text)));
        }
        assertEquals(Arrays.stream(FlowControl.Strategy.values()).map(s -> s.name().toLowerCase(Locale.ROOT)).sorted()
            .toList(), List.copyOf(strategies));
        assertMessage("part", () -> flowControl("max,t:2s"), "fc=max,t:2s");
        assertMessage("part", () -> flowControl("tagged"), "fc=tagged");
        assertMessage("part", () -> flowControl("min,g:7"), "fc=min,g:7");
        assertMessage("twice", () -> flowControl("min,t:1s,t:2s"), "given twice", "t:2s");
    }

    private FlowControl flowControl(final String text) {
        return channels.publication(IPC + "|fc=" + text, 1).flowControl();
    }

    /** Forms with each part in brackets and without it. */
    private static List<String> expanded(final String form) {
        final Matcher optional = Pattern.compile("\\[([^\\[\\]]*)]").matcher(form);
        if (!optional.find()) {
            return List.of(form.replace("MINIMUM", "2").replace("TIMEOUT", "2s").replace("TAG", "7"));
        }
        return Stream.of("", optional.group(1))
            .map(part -> form.substring(0, optional.start()) + part + form.substring(optional.end()))
            .flatMap(text -> expanded(text).stream()).toList();
    }

    @Test
    void shouldBoundThePartsOfFlowControl() {
        final Map<String, List<String>> parts = new HashMap<>();
        PAGE.rows("part of `fc`").forEach(row -> parts.put(GuidePage.codes(row.getFirst()).getFirst(), row));
        assertEquals(Set.of("MINIMUM", "TIMEOUT", "TAG"), parts.keySet());
        final Range minimum = GuidePage.range(parts.get("MINIMUM").get(2));
        assertEquals(GuidePage.firstQuantity(parts.get("MINIMUM").get(1)), flowControl("min").groupMinimum());
        assertEquals(minimum.minimum(), flowControl("min,g:/" + minimum.minimum()).groupMinimum());
        assertEquals(minimum.maximum(), flowControl("min,g:/" + minimum.maximum()).groupMinimum());
        for (final long wrong : new long[] {minimum.minimum() - 1, minimum.maximum() + 1}) {
            assertMessage("minimum", () -> flowControl("tagged,g:7/" + wrong), "fc g/=" + wrong,
                "minimum=" + minimum.minimum() + " maximum=" + minimum.maximum());
        }
        final Context context = new Context();
        assertEquals("the resume timeout", parts.get("TIMEOUT").get(1));
        assertEquals(context.timeouts().resumeTimeoutNs(), flowControl("min").timeoutNs());
        final Range timeout = GuidePage.range(
            parts.get("TIMEOUT").get(2).replace("the liveness timeout", context.timeouts().livenessTimeoutNs() + "ns"));
        assertEquals(context.timeouts().livenessTimeoutNs(), timeout.maximum());
        assertEquals(timeout.minimum(), flowControl("min,t:" + timeout.minimum()).timeoutNs());
        assertEquals(timeout.maximum(), flowControl("min,t:" + timeout.maximum()).timeoutNs());
        for (final long wrong : new long[] {timeout.minimum() - 1, timeout.maximum() + 1}) {
            assertMessage("timeout", () -> flowControl("min,t:" + wrong), "fc t=" + wrong,
                "minimum=" + timeout.minimum() + " maximum=" + timeout.maximum());
        }
        assertEquals("that of `gtag`", parts.get("TAG").get(2));
        final Range tags = keysWithARange().filter(key -> key.name().equals("gtag")).findFirst().orElseThrow().range();
        assertEquals(tags.minimum(), flowControl("tagged,g:" + tags.minimum()).groupTag());
        assertEquals(tags.maximum(), flowControl("tagged,g:" + tags.maximum()).groupTag());
        assertMessage("tag", () -> flowControl("tagged,g:" + Long.MIN_VALUE), "fc g=" + Long.MIN_VALUE,
            "minimum=" + tags.minimum() + " maximum=" + tags.maximum());
    }

    @Test
    void shouldLetTheLastOfEqualKeysWin() {
        assertEquals(8192, channels.publication(IPC + "|window=4k|window=8k", 1).log().windowLength());
        assertTrue(PAGE.text().contains("Of a key that is given twice the last one counts"));
    }
}
