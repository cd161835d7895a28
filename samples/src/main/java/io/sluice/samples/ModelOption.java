package io.sluice.samples;

import io.sluice.samples.machine.ModelSurvey;
import io.sluice.verbs.VerbsException;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** A model card as the value of {@code --model}. Stateless. */
final class ModelOption {
    /** The value without a name, for which the names are told. */
    static final String NONE = "";
    private static final String NAME = "--model";

    private ModelOption() {
    }

    /** Tells the names that there are. */
    static String names() {
        return "models: " + String.join(", ", ModelSurvey.names()) + System.lineSeparator();
    }

    /** Refuse a name that no card has, and tell those there are. */
    static void check(final CommandSpec command, final String name) {
        if (!ModelSurvey.names().contains(name)) {
            throw OptionMistake.of(command, NAME, name, "is none of " + String.join(", ", ModelSurvey.names()));
        }
    }

    /** The result of an action that makes a model, which not every machine and JVM can. */
    static <T> T result(final Supplier<T> action) {
        try {
            return action.get();
        } catch (final VerbsException | IllegalStateException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }
}
