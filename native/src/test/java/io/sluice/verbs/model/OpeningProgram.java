package io.sluice.verbs.model;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;

/** Opens a model of each card that is named, and prints of each how that ended. */
final class OpeningProgram {
    private OpeningProgram() {
    }

    public static void main(final String[] arguments) {
        for (final String name : arguments) {
            final ModelCard card =
                ModelCard.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
            final Model model = new Model(card, SystemEnvironment.instance());
            try {
                model.open(RdmaDeviceOptions.DEFAULT).close();
                System.out.println("opened" + model.describe(CompletionInterface.AUTO).problem());
            } catch (final VerbsException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
