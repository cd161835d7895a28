package io.sluice.samples.machine;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model card, and what the rdma provider makes of a device like that. Immutable; any thread.
 *
 * @param name    of the card.
 * @param device  as a device of this machine is described.
 * @param refused what such a device cannot do, a line each.
 * @param traits  how the provider of rdma-core behaves, by name, and where that was read.
 */
public record ModelSurvey(String name, DeviceDescription device, List<String> refused, Map<String, String> traits) {
    private static final List<CompletionInterface> COMPLETIONS =
        List.of(CompletionInterface.EXTENDED, CompletionInterface.LEGACY);

    /**
     * The cards there are.
     *
     * @return their names, in the order to show them in.
     */
    public static List<String> names() {
        return ModelCard.all().stream().map(ModelCard::name).toList();
    }

    /**
     * Look at a card.
     *
     * @param environment         to reach the clock through.
     * @param name                one of {@link #names}.
     * @param completionInterface that a user asks for: {@code auto}, {@code extended} or {@code legacy}.
     * @return what the provider says to it.
     * @throws VerbsException        when this machine does not have the libraries, by which a model is described.
     * @throws IllegalStateException when this JVM's calls may not call Java, with the flag to start it with.
     */
    public static ModelSurvey take(
        final Environment environment, final String name, final String completionInterface) {
        final ModelCard card =
            ModelCard.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        final Model model = new Model(card, environment);
        final DeviceDescription device =
            model.describe(CompletionInterface.valueOf(completionInterface.toUpperCase(Locale.ROOT)));
        final Map<String, String> traits = new TreeMap<>();
        card.traits().forEach((trait, source) -> traits.put(trait.name(), source));
        return new ModelSurvey(name, device, refused(model), Collections.unmodifiableMap(traits));
    }

    private static List<String> refused(final Model model) {
        final List<String> refused = new ArrayList<>();
        for (final CompletionInterface completions : COMPLETIONS) {
            open(model, RdmaDeviceOptions.DEFAULT.withCompletionInterface(completions),
                "completions=" + completions, refused);
        }
        open(model, RdmaDeviceOptions.DEFAULT.withPostingInterface(PostingInterface.BUILDER),
            "posting=" + PostingInterface.BUILDER, refused);
        try (RdmaDevice device = model.open(RdmaDeviceOptions.DEFAULT)) {
            addLacking(device.attributes(), refused);
        } catch (final VerbsException e) {
            refused.add("any use: " + e.getMessage());
        }
        return List.copyOf(refused);
    }

    private static void open(
        final Model model, final RdmaDeviceOptions options, final String title, final List<String> refused) {
        try {
            model.open(options).close();
        } catch (final VerbsException e) {
            refused.add(title + ": " + e.getMessage());
        }
    }

    private static void addLacking(final DeviceAttributes attributes, final List<String> refused) {
        if (!attributes.reliableConnected()) {
            refused.add("reliable connected queue pairs, and so streams");
        }
        if (attributes.maxInlineData() == 0) {
            refused.add("inline bytes");
        }
        if (!attributes.completionQueueResizing()) {
            refused.add("resizing of completion queues");
        }
        if (attributes.maxSharedReceiveWorkRequests() == 0) {
            refused.add("shared receive queues");
        }
        if (!attributes.atomics()) {
            refused.add("atomic operations");
        }
        if (!attributes.parentDomains()) {
            refused.add("parent domains");
        }
    }
}
