package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The model card that tests run over where the system property {@value #PROPERTY} names one: the medium is
 * {@code sluice:rdma} then, with the true provider and the card's device below it. A model is within one process, so
 * tests that start others are skipped.
 */
public final class TestCard {
    /** Name of a {@link ModelCard} with connections. */
    public static final String PROPERTY = "sluice.test.card";

    private static final String ADDRESS = "127.0.0.1";

    /** One for each card, since functions take a while to be linked. */
    private static final Map<ModelCard, Model> MODELS = new ConcurrentHashMap<>();
    private static final AtomicInteger OPENED = new AtomicInteger();

    private TestCard() {
    }

    /** Cards that a transport can use. */
    public static List<ModelCard> all() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS)).toList();
    }

    /** Whether completion queues are resized: not where the provider does it with harm. */
    public static boolean resizes(final ModelCard card) {
        return card.has(Trait.RESIZES) && !card.has(Trait.POLLS_LOCK_OTHER_QUEUE);
    }

    /** Whether there is one. */
    static boolean isAsked() {
        return System.getProperty(PROPERTY) != null;
    }

    /** The address and the device of the card, as {@link RdmaPlaces} are told. */
    static String place() {
        return ADDRESS + "/model_" + card();
    }

    private static ModelCard card() {
        final String name = System.getProperty(PROPERTY);
        return all().stream().filter(card -> card.name().equals(name)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("unknown card: " + PROPERTY + "=" + name + " known=" + all()));
    }

    /** Skip the test where no model can be: it describes its functions by the libraries, and they are Java. */
    public static void assumeModels() {
        assumeTrue(!DataPathLinker.isCritical(), "critical calls must not call Java");
        try {
            RdmaDevices.libraryVersion();
        } catch (final VerbsException e) {
            abort(e.getMessage());
        }
    }

    /** Skip a test that starts processes, to which a model does not reach. */
    static void assumeOneProcess() {
        assumeTrue(!isAsked(), "a model of a card is within one process");
    }

    /** Skip a test of how the room of completion queues grows: without that a card has room for many links at once. */
    public static void assumeResizing() {
        assumeTrue(!isAsked() || resizes(card()), "the card resizes no completion queue");
    }

    /** Open the device once more. */
    static RdmaDevice open(final RdmaDeviceOptions options) {
        OPENED.incrementAndGet();
        return model().open(options);
    }

    /**
     * The number of times that devices of cards have been opened: who runs tests over a card looks whether they use it.
     */
    public static int opened() {
        return OPENED.get();
    }

    private static Model model() {
        return MODELS.computeIfAbsent(card(), card -> new Model(card, SystemEnvironment.instance()));
    }

    /** Fail the test that has used the card as its true device would not survive. */
    static void check() {
        if (isAsked() && MODELS.containsKey(card())) {
            final List<String> violations = model().violations().take();
            if (!violations.isEmpty()) {
                throw new AssertionError(card() + ": " + String.join("\n", violations));
            }
        }
    }
}
