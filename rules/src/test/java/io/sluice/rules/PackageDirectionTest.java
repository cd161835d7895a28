package io.sluice.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between modules and packages point one way. */
class PackageDirectionTest {
    private static final String[] NATIVE =
        {"io.sluice.verbs..", "io.sluice.rpma..", "io.sluice.environment..", "io.sluice.os.."};
    private static final String CODEC = "io.sluice.codec..";
    private static final String MARKET_DATA = "io.sluice.samples.marketdata..";
    private static final String TRANSPORT = "io.sluice.transport..";
    private static final String METRICS = "io.sluice.metrics..";
    private static final String SAMPLES = "io.sluice.samples..";
    private static final String LEARN = "io.sluice.samples.learn..";
    private static final String MACHINE = "io.sluice.samples.machine..";
    private static final String SELF_TEST = "io.sluice.samples.selftest..";
    private static final String RPMA_SAMPLES = "io.sluice.samples.rpma..";
    private static final String VERBS = "io.sluice.verbs";
    private static final String RDMA = "io.sluice.verbs.rdma";
    private static final String SOFTWARE = "io.sluice.verbs.software";
    private static final String MODEL = "io.sluice.verbs.model";
    private static final String FOREIGN = "io.sluice.verbs.foreign..";
    private static final String RPMA = "io.sluice.rpma..";
    private static final String API = "io.sluice.transport";
    private static final String MONITOR = "io.sluice.transport.monitor..";
    private static final String CONDUCTOR = "io.sluice.transport.conductor..";
    private static final String STREAM = "io.sluice.transport.stream..";
    private static final String PEER = "io.sluice.transport.peer..";
    private static final String PRESSURE = "io.sluice.transport.pressure..";
    private static final String AGENT = "io.sluice.transport.agent..";
    private static final String SETTINGS = "io.sluice.transport.settings..";
    private static final String[] CONTROL_PLANE = {MONITOR, CONDUCTOR, STREAM, PEER, PRESSURE, AGENT, SETTINGS};
    private static final String SEND = "io.sluice.transport.send..";
    private static final String RECEIVE = "io.sluice.transport.receive..";
    private static final String CARRIER = "io.sluice.transport.carrier..";
    private static final String BUFFER = "io.sluice.transport.buffer..";
    private static final String COUNTERS = "io.sluice.transport.counters..";
    private static final String STATUS = "io.sluice.transport.status..";
    private static final String LAYOUT = "io.sluice.transport.layout..";
    private static final String FLIGHT = "io.sluice.transport.flight..";
    private static final String RECORDER = "jdk.jfr..";
    private static final String COMPLETION = "io.sluice.transport.completion..";
    private static final String DISRUPTOR = "com.lmax.disruptor..";
    private static final String JDK = "java..";
    private static final String AGRONA = "org.agrona..";

    @ParameterizedTest
    @ValueSource(strings = {
        "io.sluice.verbs.RdmaDevice", "io.sluice.environment.Environment", "io.sluice.codec.FrameDescriptor",
        "io.sluice.samples.SluiceCommand"})
    void shouldSeeTheClassesOfEveryModule(final String className) {
        assertTrue(ProductClasses.ALL.contain(className), className);
    }

    @Test
    void shouldKeepNativeFreeOfMessages() {
        shouldDependOnlyOn(NATIVE, and(NATIVE, JDK, AGRONA));
    }

    @Test
    void shouldKeepCodecToBytes() {
        shouldDependOnlyOn(new String[]{CODEC}, CODEC, JDK, AGRONA);
    }

    @Test
    void shouldKeepTransportToVerbsCodecAndDisruptor() {
        shouldDependOnlyOn(new String[]{TRANSPORT},
            and(NATIVE, TRANSPORT, CODEC, JDK, RECORDER, "javax.crypto..", AGRONA, DISRUPTOR));
        shouldNotDependOn(TRANSPORT, RPMA, FOREIGN);
    }

    @Test
    void shouldPollCompletionsOfAnyLibraryIntoARing() {
        shouldDependOnlyOn(new String[]{COMPLETION}, COMPLETION, VERBS, JDK, AGRONA, DISRUPTOR);
    }

    @Test
    void shouldShowMetricsOnlyTheStatusOfTransports() {
        shouldDependOnlyOn(new String[]{METRICS}, METRICS, STATUS, "io.sluice.environment..", JDK, AGRONA,
            "io.prometheus..", "io.micrometer..", "com.sun.net.httpserver..");
        shouldNotDependOn(TRANSPORT, METRICS);
        shouldNotDependOn("io.sluice.metrics", "io.micrometer..");
    }

    @Test
    void shouldShowSamplesOnlyTheApiAndTheirOwnSchema() {
        shouldDependOnlyOn(new String[]{SAMPLES}, SAMPLES, API, STATUS, METRICS, MARKET_DATA, "io.sluice.os..",
            "io.sluice.environment..", VERBS, RDMA, SOFTWARE, MODEL, RPMA, COMPLETION, JDK, AGRONA, DISRUPTOR,
            "org.HdrHistogram..", "picocli..", "com.sun.net.httpserver..");
    }

    @Test
    void shouldShowSamplesToLearnFromNoCommandLine() {
        shouldDependOnlyOn(new String[]{LEARN}, LEARN, API, STATUS, MARKET_DATA, JDK, AGRONA);
    }

    @Test
    void shouldShowLibrpmaOnlyToSamplesThatAreAboutIt() {
        noClasses().that().resideInAPackage(SAMPLES).and().resideOutsideOfPackage(RPMA_SAMPLES)
            .should().dependOnClassesThat().resideInAnyPackage(RPMA, COMPLETION, DISRUPTOR)
            .check(ProductClasses.ALL);
        shouldDependOnlyOn(new String[]{RPMA_SAMPLES}, RPMA_SAMPLES, "io.sluice.rpma", VERBS, COMPLETION,
            "io.sluice.os..", "io.sluice.environment..", JDK, AGRONA, DISRUPTOR);
    }

    @Test
    void shouldShowTheProvidersOnlyToSamplesThatAreAboutTheMachine() {
        noClasses().that().resideInAPackage(SAMPLES).and().resideOutsideOfPackages(MACHINE, SELF_TEST)
            .should().dependOnClassesThat().resideInAnyPackage(RDMA, SOFTWARE, MODEL)
            .check(ProductClasses.ALL);
        shouldDependOnlyOn(
            new String[]{MACHINE}, MACHINE, VERBS, RDMA, SOFTWARE, MODEL, "io.sluice.environment..", JDK, AGRONA);
        shouldDependOnlyOn(
            new String[]{SELF_TEST}, SELF_TEST, VERBS, RDMA, SOFTWARE, MODEL, "io.sluice.environment..", JDK, AGRONA);
    }

    @Test
    void shouldKeepForeignMemoryInNative() {
        noClasses().that().resideInAnyPackage(CODEC, TRANSPORT, SAMPLES)
            .should().dependOnClassesThat().resideInAPackage("java.lang.foreign..")
            .check(ProductClasses.ALL);
    }

    @Test
    void shouldKeepGeneratedBindingsInNative() {
        noClasses().that().resideOutsideOfPackages(NATIVE)
            .should().dependOnClassesThat()
            .resideInAnyPackage("io.sluice.verbs..generated..", "io.sluice.rpma.generated..")
            .check(ProductClasses.ALL);
    }

    /** Code that the two bindings share is below both, and neither knows of the other. */
    @Test
    void shouldKeepTheBindingsOfTwoLibrariesApart() {
        shouldNotDependOn(FOREIGN, RDMA, RPMA);
        shouldNotDependOn(RPMA, RDMA, SOFTWARE);
        shouldNotDependOn("io.sluice.verbs..", RPMA);
    }

    @Test
    void shouldPointDownInsideTransport() {
        shouldNotDependOn(MONITOR, API);
        shouldNotDependOn(CONDUCTOR, API, MONITOR);
        shouldNotDependOn(STREAM, API, MONITOR, CONDUCTOR);
        shouldNotDependOn(PEER, API, MONITOR, CONDUCTOR, STREAM, PRESSURE, SEND, RECEIVE);
        shouldNotDependOn(PRESSURE, API, MONITOR, CONDUCTOR, STREAM, PEER, SEND, RECEIVE, BUFFER);
        shouldNotDependOn(AGENT, API, MONITOR, CONDUCTOR, STREAM, PEER, PRESSURE, SEND, RECEIVE, BUFFER);
        shouldNotDependOn(SETTINGS, API, MONITOR, CONDUCTOR, STREAM, PEER, PRESSURE, AGENT, SEND, RECEIVE, BUFFER);
        shouldNotDependOn(SEND, and(CONTROL_PLANE, API, RECEIVE));
        shouldNotDependOn(RECEIVE, and(CONTROL_PLANE, API, SEND));
        shouldNotDependOn(BUFFER, and(CONTROL_PLANE, API, SEND, RECEIVE));
        shouldNotDependOn(COUNTERS, and(CONTROL_PLANE, API, SEND, RECEIVE, BUFFER));
        shouldNotDependOn(STATUS, and(CONTROL_PLANE, API, SEND, RECEIVE, BUFFER, COUNTERS));
        shouldDependOnlyOn(new String[]{CARRIER}, CARRIER, STATUS, JDK, AGRONA);
        shouldDependOnlyOn(new String[]{LAYOUT}, LAYOUT, JDK, AGRONA);
        shouldDependOnlyOn(new String[]{FLIGHT}, FLIGHT, STATUS, JDK, RECORDER);
    }

    /** The data path has no event to commit, and whoever reads it need not ask. */
    @Test
    void shouldCommitEventsOfTheRecorderOnTheControlPlaneOnly() {
        noClasses().that().resideInAPackage(TRANSPORT).and().resideOutsideOfPackage(FLIGHT)
            .should().dependOnClassesThat().resideInAPackage(RECORDER)
            .check(ProductClasses.ALL);
        shouldNotDependOn(FLIGHT, and(CONTROL_PLANE, API, SEND, RECEIVE, BUFFER, COUNTERS));
        for (final String dataPath : List.of(API, SEND, RECEIVE, BUFFER, CARRIER)) {
            shouldNotDependOn(dataPath, FLIGHT);
        }
    }

    @Test
    void shouldHaveNoPackageCycles() {
        slices().matching("io.sluice.(**)").should().beFreeOfCycles()
            .check(ProductClasses.ALL);
    }

    @Test
    void shouldRefuseAnArrowThatPointsUp() {
        assertThrows(AssertionError.class, () -> shouldNotDependOn(API, RECEIVE));
        assertThrows(AssertionError.class, () -> shouldDependOnlyOn(new String[]{RECEIVE}, RECEIVE, JDK));
    }

    /** A room that was renamed must not take its rules with it. */
    @Test
    void shouldRefuseARoomThatThereIsNot() {
        assertThrows(AssertionError.class, () -> shouldNotDependOn("io.sluice.transport.connection..", API));
        assertThrows(AssertionError.class, () -> shouldNotDependOn(RECEIVE, "io.sluice.transport.connection.."));
    }

    private static void shouldDependOnlyOn(final String[] packages, final String... allowed) {
        shouldBeThere(packages);
        shouldBeThere(allowed);
        classes().that().resideInAnyPackage(packages)
            .should().onlyDependOnClassesThat().resideInAnyPackage(allowed)
            .check(ProductClasses.ALL);
    }

    private static void shouldNotDependOn(final String lower, final String... upper) {
        shouldBeThere(lower);
        shouldBeThere(upper);
        noClasses().that().resideInAPackage(lower)
            .should().dependOnClassesThat().resideInAnyPackage(upper)
            .check(ProductClasses.ALL);
    }

    /** Fails when a package of the product has no class. */
    private static void shouldBeThere(final String... packages) {
        for (final String name : packages) {
            final PackageMatcher matcher = PackageMatcher.of(name);
            assertTrue(
                !name.startsWith("io.sluice") || ProductClasses.ALL.stream().anyMatch(
                    one -> matcher.matches(one.getPackageName())),
                name);
        }
    }

    private static String[] and(final String[] packages, final String... more) {
        final String[] all = Arrays.copyOf(packages, packages.length + more.length);
        System.arraycopy(more, 0, all, packages.length, more.length);
        return all;
    }
}
