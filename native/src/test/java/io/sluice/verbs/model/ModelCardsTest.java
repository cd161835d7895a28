package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavioural suite over each model card, but for what {@link KnownViolations} lists. */
@Tag("long")
class ModelCardsTest {
    /** Classes that need neither another program nor a wire. */
    private static final String CLASSES = "(?!Rping|ImmediatePeer|Wire|Workers|SuiteReport|TestProperties)\\w+";
    /** But for what takes its time, and is about what no card differs in. */
    private static final String CORE_CLASSES =
        "(?!Traffic|CompletionTraffic|ProtectionDomain|MemoryRegion|DeviceClose|Clock)" + CLASSES;
    /** Classes that post sends. */
    private static final String POSTING_CLASSES =
        "SendReceive|Write|Read|Atomic|ReceiverNotReady|Signalling|SendChain|ErrorFlush";
    /** Tests that take seconds, and are about what no card differs in. */
    private static final List<String> SLOW =
        List.of("CompletionChannelTest#shouldAcknowledgeAnEventOnceThoughTwoThreadsDoAtOnce",
            "QueuePairStateTest#shouldGiveUpAPeerThatNeverBecomesReady");
    private static final int MANY = 180;
    private static final int MANY_WITHOUT_CONNECTIONS = 130;

    @BeforeEach
    void requireLibraries() {
        PresentLibraries.assume();
    }

    private static Stream<ModelCard> connectedCards() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS));
    }

    private static Stream<ModelCard> builderCards() {
        return connectedCards().filter(ModelCardsTest::canBuild);
    }

    /** Whether completion queues are resized: not where the provider does it with harm. */
    static boolean canResize(final ModelCard card) {
        return card.has(Trait.RESIZES) && !card.has(Trait.POLLS_LOCK_OTHER_QUEUE);
    }

    /** Whether sends are posted by {@code ibv_qp_ex} where that is asked for. */
    static boolean canBuild(final ModelCard card) {
        return card.has(Trait.BUILDER) && !card.has(Trait.POLLS_UNDER_SEND_LOCK);
    }

    private static Stream<ModelCard> lockingCards() {
        return ModelCard.all().stream().filter(card -> card.has(Trait.BUILDER) && !canBuild(card));
    }

    private static SuiteRun run(final ModelCard card, final PostingInterface posting, final String classes) {
        final List<String> leftOut =
            Stream.concat(SLOW.stream(), KnownViolations.of(card, posting).stream()).toList();
        final SuiteRun run = SuiteRun.of(card, posting, classes, leftOut);
        assertEquals(List.of(), run.failures());
        return run;
    }

    @ParameterizedTest
    @MethodSource("connectedCards")
    void shouldPassTheSuite(final ModelCard card) {
        final String classes = card == ModelCard.MLX5 || card == ModelCard.MANA ? CLASSES : CORE_CLASSES;
        assertTrue(run(card, PostingInterface.WORK_REQUESTS, classes).passed() > MANY);
    }

    @ParameterizedTest
    @MethodSource("builderCards")
    void shouldPassTheSuiteByTheBuilder(final ModelCard card) {
        assertTrue(run(card, PostingInterface.BUILDER, POSTING_CLASSES).passed() > 0);
    }

    private static Stream<ModelCard> inlineCards() {
        return ModelDeviceFixture.inlineCards();
    }

    @ParameterizedTest
    @MethodSource("inlineCards")
    void shouldPassTheSuiteWithFewerInlineBytesOrNone(final ModelCard card) {
        assertTrue(run(card, PostingInterface.WORK_REQUESTS, POSTING_CLASSES).passed() > 0);
    }

    /** A poll, which is a critical call, would wait for a thread that may stand at a safepoint. */
    @ParameterizedTest
    @MethodSource("lockingCards")
    void shouldRefuseTheBuilderThatPollsWaitFor(final ModelCard card) {
        final RdmaDeviceOptions options =
            RdmaDeviceOptions.DEFAULT.withPostingInterface(PostingInterface.BUILDER);
        final Model model = ModelDeviceFixture.model(card);

        final VerbsException e = assertThrows(VerbsException.class, () -> model.open(options).close());

        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("holds a lock while a request is built"), e.getMessage());
    }

    /** Messages cannot be told apart without it, and legacy queues have it. */
    @ParameterizedTest
    @ValueSource(ints = {CompletionField.IMMEDIATE, CompletionField.BYTE_LENGTH, CompletionField.QUEUE_PAIR_NUMBER})
    void shouldTakeLegacyQueuesWhereExtendedOnesLackAFieldThatMessagesNeed(final int field) {
        final Model model = new Model(ModelCard.MLX5.without(field), SystemEnvironment.instance());

        assertEquals("legacy", model.describe(CompletionInterface.AUTO).completionInterface());
        try (RdmaDevice device = model.open(RdmaDeviceOptions.DEFAULT);
             CompletionQueue queue = device.createCompletionQueue(new CompletionQueueAttributes(1, field, null))) {
            assertEquals(field, queue.fields());
        }
        final RdmaDeviceOptions extended =
            RdmaDeviceOptions.DEFAULT.withCompletionInterface(CompletionInterface.EXTENDED);
        final VerbsException e = assertThrows(VerbsException.class, () -> model.open(extended).close());
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("fields=" + CompletionField.describe(field)), e.getMessage());
        assertEquals(List.of(), model.violations().take());
    }

    @Test
    void shouldTakeExtendedQueuesThatLackAFieldOfNoUseToMessages() {
        final ModelCard card = ModelCard.MLX5.without(CompletionField.SOURCE_LID | CompletionField.FLOW_TAG);

        assertEquals("extended", new Model(card, SystemEnvironment.instance())
            .describe(CompletionInterface.AUTO).completionInterface());
    }

    /** Tests that need a connection are refused it by name, and all the rest passes. */
    @Test
    void shouldPassTheSuiteWithoutConnectionsOrRefuseThemByName() {
        final ModelCard card = ModelCard.EFA;
        final SuiteRun run = SuiteRun.of(card, PostingInterface.WORK_REQUESTS, CLASSES,
            Stream.concat(SLOW.stream(), KnownViolations.of(card, PostingInterface.WORK_REQUESTS).stream()).toList());

        assertEquals(List.of(), run.failures().stream()
            .filter(failure -> !failure.contains(KnownViolations.NO_CONNECTIONS)).toList());
        assertTrue(run.failures().size() > MANY, () -> "refused: " + run.failures().size());
        assertTrue(run.passed() > MANY_WITHOUT_CONNECTIONS, () -> "passed: " + run.passed());
        // only what is about both kinds of queue pairs
        assertEquals(List.of("DatagramTest#shouldNotSendDatagramsByConnectedQueuePairs"), run.failures().stream()
            .map(failure -> failure.substring(0, failure.indexOf(':')))
            .filter(name -> name.startsWith("DatagramTest#")).toList());
    }

    @Test
    void shouldTellThatADeviceHasDatagramsOnly() {
        try (RdmaDevice device = ModelDeviceFixture.model(ModelCard.EFA).open(RdmaDeviceOptions.DEFAULT)) {
            assertFalse(device.attributes().reliableConnected());
            assertTrue(device.attributes().maxDatagramLength() > 0);
        }
    }
}
