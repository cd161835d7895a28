package io.sluice.samples;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Makes the error about an option's value that cannot be used: one line, in picocli's words. Stateless.
 */
final class OptionMistake {
    private OptionMistake() {
    }

    static ParameterException of(
        final CommandSpec command, final String option, final Object value, final String reason) {
        return new ParameterException(
            command.commandLine(), "Invalid value for option '" + option + "': '" + value + "' " + reason);
    }

    /** Checks a value, which must lie within bounds that were not known when it was read. */
    static void check(
        final CommandSpec command, final String option, final long value, final long minimum, final long maximum) {
        if (value < minimum || value > maximum) {
            throw of(command, option, value, WrittenNumber.outOf(minimum, maximum));
        }
    }

    /** Returns a value, which must lie within the bounds. */
    static long within(final CommandSpec command, final String option, final WrittenNumber value,
        final long minimum, final long maximum) {
        if (!value.isWithin(minimum, maximum)) {
            throw of(command, option, value, WrittenNumber.outOf(minimum, maximum));
        }
        return value.value();
    }
}
