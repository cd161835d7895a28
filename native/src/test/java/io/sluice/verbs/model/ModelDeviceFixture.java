package io.sluice.verbs.model;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceFixture;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.TestProperties;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The device of a model card, opened twice: system property {@value #CARD} names the card, {@value #POSTING} the
 * posting interface. A violation fails the test that it happens in.
 */
public final class ModelDeviceFixture implements DeviceFixture {
    /** Name of a {@link ModelCard}. */
    public static final String CARD = "sluice.verbs.model";
    /** Name of a {@link PostingInterface}. */
    public static final String POSTING = "sluice.verbs.model.posting";

    private static final int[] INLINE_BYTES = {0, 60, 102, 128};
    private static final AtomicInteger PORTS = new AtomicInteger(41000);
    private static final Map<ModelCard, Model> MODELS = new ConcurrentHashMap<>();

    private final ModelCard card = card(System.getProperty(CARD, ModelCard.RXE.name()));
    private final PostingInterface posting =
        TestProperties.word(POSTING, PostingInterface.WORK_REQUESTS, PostingInterface.class);

    static ModelCard card(final String name) {
        return Stream.concat(ModelCard.all().stream(), inlineCards())
            .filter(card -> card.name().equals(name)).findFirst().orElseThrow();
    }

    /** Inline limits that no card of the list has, below those of ConnectX-4. */
    static Stream<ModelCard> inlineCards() {
        return IntStream.of(INLINE_BYTES).mapToObj(ModelCard.MLX5::withInlineBytes);
    }

    /** The only one of the card: functions take a while to be linked. */
    static Model model(final ModelCard card) {
        return MODELS.computeIfAbsent(card, one -> new Model(one, SystemEnvironment.instance()));
    }

    @Override
    public Devices open() {
        final Model model = model(card);
        final RdmaDeviceOptions options = RdmaDeviceOptions.DEFAULT.withPostingInterface(posting);
        return new OpenedDevices(model, model.open(options), model.open(options));
    }

    @Override
    public boolean has(final Ability ability) {
        final Set<Ability> abilities = EnumSet.of(Ability.FLUSHES_RECEIVES_POSTED_IN_ERROR,
            Ability.FAILS_QUEUE_PAIRS_AFTER_OVERRUN, Ability.NAMES_LOCAL_FAULTS, Ability.RAISES_ACCESS_EVENTS,
            Ability.ANNOUNCES_FLUSHES_AS_SOLICITED, Ability.DELIVERS_ONCE_WHILE_FAILING,
            Ability.HAS_CHANNEL_DESCRIPTORS);
        if (ModelCardsTest.canResize(card)) {
            abilities.add(Ability.RESIZES);
        }
        if (!card.has(Trait.LACKS_SOLICITED_EVENTS)) {
            abilities.add(Ability.ANNOUNCES_SOLICITED_ONLY);
        } else {
            abilities.remove(Ability.ANNOUNCES_FLUSHES_AS_SOLICITED);
        }
        if (!card.has(Trait.FREES_PLACES_WHEN_DONE)) {
            abilities.add(Ability.HOLDS_SEND_SLOTS);
        }
        return abilities.contains(ability);
    }

    @Override
    public String newAddress() {
        return "127.0.0.1:" + PORTS.getAndIncrement();
    }

    @Override
    public String toString() {
        return "model(" + card + ")";
    }

    private record OpenedDevices(Model model, RdmaDevice first, RdmaDevice second) implements Devices {
        @Override
        public void close() {
            first.close();
            second.close();
            final List<String> violations = model.violations().take();
            if (!violations.isEmpty()) {
                throw new AssertionError(String.join("\n", violations));
            }
        }
    }
}
