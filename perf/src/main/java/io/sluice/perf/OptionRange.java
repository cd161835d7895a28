package io.sluice.perf;

import io.sluice.os.CpuAffinity;
import java.util.Arrays;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Bounds of numbers in options, and the processors that may be named. Stateless. */
final class OptionRange {
    /** Runs of a command: more are a mistake. */
    static final int MAX_ROUNDS = 1000;
    /** The longest wait for a quiet moment, an hour: who waits longer has a machine that is never quiet. */
    static final int MAX_QUIET_LIMIT_SECONDS = 3600;

    private OptionRange() {
    }

    /** Throws when this process may not use a processor; the message names those that it may. */
    static void checkCpu(final CommandSpec spec, final int cpu) {
        final int[] allowed = CpuAffinity.allowedCpus();
        if (Arrays.stream(allowed).noneMatch(usable -> usable == cpu)) {
            throw new ParameterException(spec.commandLine(), "a processor that this process may use is needed: --cpu="
                + cpu + " allowed=" + Arrays.toString(allowed));
        }
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
