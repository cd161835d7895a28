package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.SubscriptionMode;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.status.TransportException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContextTest {
    private static final String TIMEOUT_BOUNDS = "minimum=1000000 maximum=3600000000000";

    /** Mistakes in the values of those properties that are not simply numbers. */
    private static final Map<String, Map<String, String>> WRONG = Map.ofEntries(
        Map.entry(Configuration.DIRECTORY_PROP, Map.of("a\0b", "is not a path", "", "name a path")),
        Map.entry(Configuration.PRE_SHARED_KEY_FILE_PROP,
            Map.of("a\0b", "is not a path", "", "name a path", "/absent/key", "no such file")),
        Map.entry(Configuration.THREADING_MODE_PROP, Map.of("typo", "known=[DEDICATED, INVOKER]")),
        Map.entry(Configuration.SUBSCRIPTION_MODE_PROP, Map.of("typo", "known=[INVOKER, DEDICATED]")),
        Map.entry(Configuration.POLLER_COMPLETION_MODES_PROP, Map.of("typo", "known=[SPIN, EVENT, ADAPTIVE]")),
        Map.entry(Configuration.POLLER_IDLE_STRATEGY_PROP, Map.of("typo", "known=busy-spin,yielding,backoff,sleeping")),
        Map.entry(Configuration.WINDOW_PROP, Map.of("5000", "not a power of two", "typo", "expected bytes")),
        Map.entry(Configuration.CLIENT_NAME_PROP, Map.of("n".repeat(101), "length=101 maximum=100")),
        Map.entry(Configuration.ALLOWED_PEERS_PROP, Map.of(
            "10.0.0.0/8,typo", "no prefix like 10.0.0.0/24", "", "no prefix like 10.0.0.0/24",
            "10.0.0.0/33", "maximum=32", "10.0.0.1/24", "which alone count")));

    @RegisterExtension
    private final Transports transports = new Transports();

    private String property;

    @AfterEach
    void clear() {
        if (property != null) {
            System.clearProperty(property);
        }
    }

    private static Arguments wrong(final String bounds, final String value, final Consumer<Context> setting) {
        return Arguments.of(value, bounds, setting);
    }

    static Stream<Arguments> wrongValues() {
        return Stream.of(
            wrong("minimum=4096", "windowLength=4095", context -> context.windowLength(4095)),
            wrong("maximum=1073741824", "windowLength=2147483647", context -> context.windowLength(Integer.MAX_VALUE)),
            wrong("minimum=4096", "windowLength=-1", context -> context.windowLength(-1)),
            wrong("power of two", "windowLength=5000", context -> context.windowLength(5000)),
            wrong("minimum=1", "receiveDepth=0", context -> context.links(new LinkOptions().receiveDepth(0))),
            wrong("maximum=16384", "receiveDepth=16385",
                context -> context.links(new LinkOptions().receiveDepth(16385))),
            wrong("minimum=1", "writesInFlight=0", context -> context.links(new LinkOptions().writesInFlight(0))),
            wrong("receiveDepth=256", "writesInFlight=257",
                context -> context.links(new LinkOptions().writesInFlight(257))),
            wrong("minimum=1", "sendQueueLength=0", context -> context.links(new LinkOptions().sendQueueLength(0))),
            wrong("maximum=16384", "sendQueueLength=16385",
                context -> context.links(new LinkOptions().sendQueueLength(16385))),
            wrong("minimum=1", "signalInterval=0", context -> context.links(new LinkOptions().signalInterval(0))),
            wrong("minimum=0", "moderationPeriodNs=-1",
                context -> context.links(new LinkOptions().moderationPeriodNs(-1))),
            wrong("maximum=1000000", "moderationPeriodNs=1000001",
                context -> context.links(new LinkOptions().moderationPeriodNs(1_000_001))),
            wrong("maximum=100", "length=101", context -> context.clientName("n".repeat(101))));
    }

    static Stream<Arguments> wrongTimes() {
        return Stream.of(
            wrong("minimum=1000000 maximum=1800000000000", "heartbeatIntervalNs=0",
                context -> context.timeouts(new Timeouts().heartbeatIntervalNs(0))),
            wrong("minimum=2000000 maximum=3600000000000", "livenessTimeoutNs=1999999",
                context -> context.timeouts(new Timeouts().livenessTimeoutNs(1_999_999))),
            wrong("heartbeatIntervalNs=100000000", "livenessTimeoutNs=150000000",
                context -> context.timeouts(new Timeouts().livenessTimeoutNs(150_000_000))),
            wrong(TIMEOUT_BOUNDS, "resumeTimeoutNs=-5",
                context -> context.timeouts(new Timeouts().resumeTimeoutNs(-5))),
            wrong("livenessTimeoutNs=10000000000", "resumeTimeoutNs=10000000001",
                context -> context.timeouts(new Timeouts().resumeTimeoutNs(10_000_000_001L))),
            wrong(TIMEOUT_BOUNDS, "handshakeTimeoutNs=0",
                context -> context.timeouts(new Timeouts().handshakeTimeoutNs(0))),
            wrong(TIMEOUT_BOUNDS, "lingerTimeoutNs=9223372036854775807",
                context -> context.timeouts(new Timeouts().lingerTimeoutNs(Long.MAX_VALUE))),
            wrong(TIMEOUT_BOUNDS, "unblockTimeoutNs=0",
                context -> context.timeouts(new Timeouts().unblockTimeoutNs(0))),
            wrong(TIMEOUT_BOUNDS, "discoveryIntervalNs=1",
                context -> context.timeouts(new Timeouts().discoveryIntervalNs(1))),
            wrong("minimum=1", "evictBehindPercent=0",
                context -> context.eviction(new EvictionOptions().evictBehindPercent(0))),
            wrong("maximum=100", "evictBehindPercent=101",
                context -> context.eviction(new EvictionOptions().evictBehindPercent(101))),
            wrong(TIMEOUT_BOUNDS, "evictAfterNs=0", context -> context.eviction(new EvictionOptions().evictAfterNs(0))),
            wrong(TIMEOUT_BOUNDS, "evictTimeoutNs=-1",
                context -> context.eviction(new EvictionOptions().evictTimeoutNs(-1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"wrongValues", "wrongTimes"})
    void shouldNameTheValueOutOfRangeAndItsBound(
        final String value, final String bounds, final Consumer<Context> setting) {
        final Context context = transports.context();
        setting.accept(context);
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> Transport.launch(context));
        assertTrue(ex.getMessage().contains(value), ex.getMessage());
        assertTrue(ex.getMessage().contains(bounds), ex.getMessage());
        assertEquals(List.of(), filesOf(transports.fabric().directory()), "nothing was opened");
    }

    private static List<String> filesOf(final Path directory) {
        return List.of(directory.toFile().list());
    }

    @Test
    void shouldConcludeOnce() {
        final Context context = transports.context();
        try (Transport transport = Transport.launch(context)) {
            assertThrows(IllegalStateException.class, context::conclude);
            assertThrows(IllegalStateException.class, () -> Transport.launch(context));
            assertThrows(IllegalStateException.class, () -> context.windowLength(8192));
            assertThrows(IllegalStateException.class, () -> context.clientName("late"));
            assertEquals(context, transport.context());
        }
    }

    @Test
    void shouldFillInWhatIsMissing() {
        final Context context = transports.launch().context();
        assertEquals(Configuration.WINDOW_DEFAULT, context.windowLength());
        assertEquals(Configuration.RECEIVE_DEPTH_DEFAULT, context.links().receiveDepth());
        assertEquals(Configuration.WRITES_IN_FLIGHT_DEFAULT, context.links().writesInFlight());
        assertEquals(10_000, context.links().moderationPeriodNs());
        assertEquals(15_000_000_000L, context.timeouts().unblockTimeoutNs());
        assertEquals(ThreadingMode.DEDICATED, context.threadingMode());
        assertEquals(SystemEnvironment.instance(), context.environment());
        assertEquals("software", context.device().name());
    }

    @Test
    void shouldRefuseNothingAtAll() {
        final Context context = new Context();
        assertThrows(NullPointerException.class, () -> context.directory(null));
        assertThrows(NullPointerException.class, () -> context.device(null));
        assertThrows(NullPointerException.class, () -> context.errorHandler(null));
        assertThrows(NullPointerException.class, () -> context.threadingMode(null));
    }

    @ParameterizedTest
    @CsvSource({
        Configuration.WINDOW_PROP + ", 4q", Configuration.WINDOW_PROP + ", ''",
        Configuration.RECEIVE_DEPTH_PROP + ", many", Configuration.LIVENESS_TIMEOUT_PROP + ", 5 minutes",
        Configuration.THREADING_MODE_PROP + ", SHARED", Configuration.SUBSCRIPTION_MODE_PROP + ", none",
        Configuration.RECEIVE_DEPTH_PROP + ", 99999999999"
    })
    void shouldNameAMalformedSystemProperty(final String name, final String value) {
        property = name;
        System.setProperty(name, value);
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new Context().conclude());
        assertTrue(ex.getMessage().contains(name + "=" + value), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {Configuration.DIRECTORY_PROP, Configuration.PRE_SHARED_KEY_FILE_PROP})
    void shouldNameASystemPropertyThatIsNotAPath(final String name) {
        property = name;
        System.setProperty(name, "a\0b");
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new Context().conclude());
        assertTrue(ex.getMessage().startsWith(name + "=a\0b is not a path: "), ex.getMessage());
        assertTrue(ex.getMessage().contains("sun.jnu.encoding"), ex.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        Configuration.WINDOW_PROP + ", 3k, minimum=4096 maximum=1073741824 unit=bytes",
        Configuration.WINDOW_PROP + ", 9223372036854775807k, minimum=4096 maximum=1073741824 unit=bytes",
        Configuration.RECEIVE_DEPTH_PROP + ", 0, minimum=1 maximum=16384",
        Configuration.RECEIVE_DEPTH_PROP + ", 99999999999999999999, minimum=1 maximum=16384",
        Configuration.LINGER_TIMEOUT_PROP + ", 2us, minimum=1000000 maximum=3600000000000 unit=ns",
        Configuration.LINGER_TIMEOUT_PROP + ", 9999999999s, minimum=1000000 maximum=3600000000000 unit=ns",
        Configuration.UNBLOCK_TIMEOUT_PROP + ", 7200s, minimum=1000000 maximum=3600000000000 unit=ns",
        Configuration.MODERATION_PERIOD_PROP + ", 2ms, minimum=0 maximum=1000000 unit=ns",
        Configuration.EVICT_BEHIND_PROP + ", 0, minimum=1 maximum=100",
        Configuration.EVICT_AFTER_PROP + ", 2us, minimum=1000000 maximum=3600000000000 unit=ns",
        Configuration.EVICT_TIMEOUT_PROP + ", 2us, minimum=1000000 maximum=3600000000000 unit=ns",
        Configuration.POLLERS_PROP + ", 65, minimum=1 maximum=64",
        Configuration.POLLER_CPUS_PROP + ", 99999999999, minimum=0 maximum=2147483647",
        Configuration.POLLER_SPIN_TIME_PROP + ", -1ns, minimum=0 maximum=3600000000000 unit=ns"
    })
    void shouldTellTheRangeOfASystemProperty(final String name, final String value, final String bounds) {
        property = name;
        System.setProperty(name, value);
        final Exception ex = assertThrows(IllegalArgumentException.class, Context::new);
        assertEquals("out of range: " + name + "=" + value + " " + bounds, ex.getMessage());
    }

    /** Each property there is, a value that it does not have, and a part of the message that tells what is allowed. */
    static Stream<Arguments> mistakes() throws ReflectiveOperationException {
        final List<Arguments> mistakes = new ArrayList<>();
        for (final Field field : Configuration.class.getFields()) {
            if (field.getName().endsWith("_PROP")) {
                final String name = (String) field.get(null);
                final Map<String, String> wrong = WRONG.getOrDefault(name, Map.of("typo", "expected "));
                wrong.forEach((value, allowed) -> mistakes.add(Arguments.of(name, value, allowed)));
            }
        }
        return mistakes.stream();
    }

    @ParameterizedTest(name = "{0}={1}")
    @MethodSource("mistakes")
    void shouldNameThePropertyItsValueAndWhatItAllows(final String name, final String value, final String allowed) {
        property = name;
        System.setProperty(name, value);
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new Context().conclude());
        assertTrue(ex.getMessage().contains(name + "=" + value), ex.getMessage());
        assertTrue(ex.getMessage().contains(allowed), ex.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        Configuration.WRITES_IN_FLIGHT_PROP + ", 300", Configuration.RECEIVE_DEPTH_PROP + ", 10",
        Configuration.HEARTBEAT_INTERVAL_PROP + ", 6s", Configuration.LIVENESS_TIMEOUT_PROP + ", 150ms",
        Configuration.RESUME_TIMEOUT_PROP + ", 11s", Configuration.POLLER_CPUS_PROP + ", '0,1'",
        Configuration.POLLER_CPUS_PROP + ", '0,0'", Configuration.POLLER_COMPLETION_MODES_PROP + ", 'spin,event'"
    })
    void shouldNameThePropertyWhoseValueDoesNotFitAnother(final String name, final String value) {
        property = name;
        System.setProperty(name, value);
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> transports.context().conclude());
        assertTrue(ex.getMessage().endsWith("; system properties: " + name + "=" + value), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/etc/passwd", "/etc/passwd/below", "/tmp/of-a-name-that-is-longer-than-a-socket-in-it-may-have-0123456"})
    void shouldNameThePropertyOfAFolderThatCannotBeUsed(final String folder) {
        property = Configuration.DIRECTORY_PROP;
        System.setProperty(property, folder);
        final Exception ex = assertThrows(TransportException.class, () -> new Context().conclude());
        assertTrue(ex.getMessage().endsWith("; system properties: " + property + "=" + folder), ex.getMessage());
        final Context named = new Context().directory(Path.of(folder));
        final Exception other = assertThrows(TransportException.class, named::conclude);
        assertFalse(other.getMessage().contains(property), other.getMessage());
    }

    @Test
    void shouldNameNoPropertyThatIsNotSet() {
        final Context context = transports.context().links(new LinkOptions().writesInFlight(257));
        final Exception ex = assertThrows(IllegalArgumentException.class, context::conclude);
        assertTrue(ex.getMessage().endsWith("writesInFlight=257 receiveDepth=256"), ex.getMessage());
    }

    @Test
    void shouldTakeDefaultsFromSystemProperties() {
        property = Configuration.WINDOW_PROP;
        System.setProperty(property, "64k");
        assertEquals(65_536, new Context().windowLength());
        System.clearProperty(property);
        property = Configuration.SUBSCRIPTION_MODE_PROP;
        System.setProperty(property, "dedicated");
        assertEquals(SubscriptionMode.DEDICATED, new Context().subscriptionMode());
    }
}
