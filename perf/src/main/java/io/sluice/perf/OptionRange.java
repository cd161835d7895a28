package io.sluice.perf;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Bounds of numbers in options. Stateless. */
final class OptionRange {
    /** Runs of a command: more are a mistake. */
    static final int MAX_ROUNDS = 1000;

    private OptionRange() {
    }

    /** Throws when the value of an option is out of its range; the message names option, value and bounds. */
    static void check(
        final CommandSpec spec, final String option, final int value, final int minimum, final int maximum) {
        if (value < minimum || value > maximum) {
            throw new ParameterException(spec.commandLine(),
                option + "=" + value + " is out of range: minimum=" + minimum + " maximum=" + maximum);
        }
    }
}
