package io.sluice.transport.cards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.Transport;
import io.sluice.transport.harness.CardRun;
import io.sluice.transport.harness.TestCard;
import io.sluice.transport.harness.Transports;
import io.sluice.verbs.model.ModelCard;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The transport's end-to-end suite over the model cards: every class of the modules behaviour and hostile that
 * launches transports. Those of {@link #CORE}, where cards differ most, run over every card. Each of the others runs
 * over one card, which its name is dealt: all of them over all cards take more than twenty minutes, which
 * {@code -Dsluice.test.cards=all} gives them, for before a release.
 * {@code ./sluice test -Dquick -pl transport/tests/behaviour,transport/tests/hostile -am -Dsluice.test.card=NAME} runs
 * all tests over one card; those of {@link KnownCardFailures} fail then.
 */
@Tag("long")
class ModelSuiteTest {
    private static final String CARDS = "sluice.test.cards";
    /** Messages, back-pressure, failures of queue pairs and of completion queues, links that come and go. */
    private static final Set<String> CORE = Set.of(
        "PollTest", "BackPressureCauseTest", "FailedQueuePairTest", "LinkChurnTest", "FanOutTest");

    /** Classes that are about {@code sluice:ipc} or the software device, or bring devices of their own. */
    private static final Set<String> ABOUT_OTHERS = Set.of(
        "AllowedPeersTest", "ApplicationCounterTest", "AsyncAddTest", "BrokenAcceptTest", "ClockReportsTest",
        "CloseWithinAddTest", "CompletionModeTest", "ConnectFloodTest", "ContextTest",
        "ControlModeTest", "CounterShareTest", "DeviceRemovalTest", "EphemeralEndpointsTest", "FullDiskTest",
        "HostileFramesTest", "HostileListenerTest", "HostileResumeTest", "IdleCycleTest",
        "MixedCompletionTest", "OverwrittenMessageTest", "PeerQuotasTest",
        "RdmaChannelTest", "RelayedHandshakeTest", "RemovedFilesTest",
        "ReplacedRingTest", "SelfDeclaredAddressTest", "SharedFolderTest", "StuckFabricTest",
        "WantOfResourcesTest");

    /** Classes of which no test is left without it. */
    private static final Set<String> ABOUT_RESIZING = Set.of("CompletionQueueFullTest");

    private static final Predicate<String> IS_OF_ONE_PROCESS = name ->
        name.matches("io\\.sluice\\.transport\\.(behaviour|hostile)\\.(\\w+\\.)?\\w+Test");

    private static Stream<Class<?>> classes() {
        return ReflectionSupport.findAllClassesInPackage(
                Transport.class.getPackageName(), ModelSuiteTest::launchesTransports, IS_OF_ONE_PROCESS).stream()
            .filter(tests -> !ABOUT_OTHERS.contains(tests.getSimpleName()))
            .sorted(Comparator.comparing(Class::getName));
    }

    private static boolean launchesTransports(final Class<?> tests) {
        return Arrays.stream(tests.getDeclaredFields()).anyMatch(field -> field.getType() == Transports.class);
    }

    /** The card of a class by its name, so that a new class changes no other one's card. */
    private static ModelCard dealt(final Class<?> tests) {
        final List<ModelCard> cards = TestCard.all().stream()
            .filter(card -> !ABOUT_RESIZING.contains(tests.getSimpleName()) || TestCard.resizes(card)).toList();
        return cards.get(Math.floorMod(tests.getSimpleName().hashCode(), cards.size()));
    }

    private static Stream<Arguments> runs() {
        final boolean isAll = "all".equals(System.getProperty(CARDS));
        return classes().flatMap(tests ->
            (isAll || CORE.contains(tests.getSimpleName()) ? TestCard.all().stream() : Stream.of(dealt(tests)))
                .filter(card -> !ABOUT_RESIZING.contains(tests.getSimpleName()) || TestCard.resizes(card))
                .map(card -> Arguments.of(card, tests)));
    }

    @BeforeEach
    void requireModels() {
        assumeTrue(System.getProperty(TestCard.PROPERTY) == null, "all tests run over one card");
        TestCard.assumeModels();
    }

    @Test
    void shouldKnowTheClassesThatItNames() {
        final Set<String> known = ReflectionSupport.findAllClassesInPackage(
                Transport.class.getPackageName(), ModelSuiteTest::launchesTransports, IS_OF_ONE_PROCESS).stream()
            .map(Class::getSimpleName).collect(Collectors.toSet());

        assertEquals(Set.of(), Stream.of(CORE, ABOUT_OTHERS, ABOUT_RESIZING).flatMap(Set::stream)
            .filter(name -> !known.contains(name)).collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "{1} over {0}")
    @MethodSource("runs")
    void shouldPass(final ModelCard card, final Class<?> tests) {
        final int opened = TestCard.opened();

        final CardRun run = CardRun.of(card, tests);

        final Set<String> known = KnownCardFailures.of(card, tests);
        assertEquals(known, run.failures().keySet(), () -> "known failures, and those there were: " + run.failures());
        assertTrue(run.passed() > 0, "nothing passed");
        assertTrue(TestCard.opened() > opened, "no device of the card was opened: name the class among the others");
    }
}
