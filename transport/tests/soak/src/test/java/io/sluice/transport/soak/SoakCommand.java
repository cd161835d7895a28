package io.sluice.transport.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * {@code sluice soak}. Exit codes: 0 nothing was lost, duplicated or corrupted, 1 something was, or a process failed,
 * 2 bad arguments.
 */
@Command(
    name = "sluice soak",
    description = "Publishes from several processes to several others, lets random faults happen to them, and compares"
        + " every message with the publishers' journals. The seed reproduces the schedule of faults.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SoakCommand implements Callable<Integer> {
    private static final int MAX_MINUTES = 7 * 24 * 60;
    private static final int MAX_PROCESSES = 16;
    private static final int HELP_WIDTH = 100;

    private double minutes;
    private int publishers;
    private int subscribers;

    @Spec
    private CommandSpec command;

    @Option(names = "--seed", order = 1, paramLabel = "N",
        description = "Of the schedule of faults, and of the messages. Default: a random one, which is printed")
    private Long seed;

    @Option(names = "--channel", order = 4, paramLabel = "URI", defaultValue = SoakSettings.DEFAULT_CHANNEL,
        description = "Where they meet: " + SoakSettings.DEFAULT_CHANNEL + " (the default), or"
            + " sluice:rdma?control=HOST:PORT|control-mode=dynamic, where each publisher has a port, from PORT on")
    private String channel;

    @Option(names = "--schedule", order = 5, description = "Print the schedule of faults only")
    private boolean isScheduleOnly;

    private SoakCommand() {
    }

    @Option(names = "--minutes", order = 0, paramLabel = "M", defaultValue = "10",
        description = "How long faults happen. Default: ${DEFAULT-VALUE}")
    void minutes(final double value) {
        // also what is not a number
        if (!(value > 0 && value <= MAX_MINUTES)) {
            throw mistake("--minutes", value, "is not above 0 and up to " + MAX_MINUTES);
        }
        minutes = value;
    }

    @Option(names = "--publishers", order = 2, paramLabel = "N", defaultValue = "2",
        description = "Processes that publish. Default: ${DEFAULT-VALUE}")
    void publishers(final int value) {
        publishers = processes("--publishers", value);
    }

    @Option(names = "--subscribers", order = 3, paramLabel = "N", defaultValue = "3",
        description = "Processes that subscribe. Default: ${DEFAULT-VALUE}")
    void subscribers(final int value) {
        subscribers = processes("--subscribers", value);
    }

    private int processes(final String option, final int value) {
        if (value < 1 || value > MAX_PROCESSES) {
            throw mistake(option, value, "is not from 1 to " + MAX_PROCESSES);
        }
        return value;
    }

    private ParameterException mistake(final String option, final Object value, final String reason) {
        return new ParameterException(
            command.commandLine(), "Invalid value for option '" + option + "': '" + value + "' " + reason);
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args the arguments.
     */
    public static void main(final String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SoakCommand())
            .setUsageHelpWidth(HELP_WIDTH)
            .setParameterExceptionHandler((mistake, args) -> {
                final PrintWriter err = mistake.getCommandLine().getErr();
                err.println("sluice soak: " + mistake.getMessage().replaceAll("\\s*\\R\\s*", " ")
                    + (mistake instanceof UnmatchedArgumentException ? "; --help tells what there is" : ""));
                err.flush();
                return ExitCode.USAGE;
            });
    }

    @Override
    public Integer call() throws IOException {
        final SoakSettings settings = new SoakSettings(
            Math.round(minutes * TimeUnit.MINUTES.toMillis(1)), seed == null ? System.nanoTime() : seed, publishers,
            subscribers, channel);
        if (settings.mistake() != null) {
            throw mistake("--channel", channel, settings.mistake());
        }
        final PrintWriter out = command.commandLine().getOut();
        out.printf(Locale.ROOT, "Soak: seed %d, %d publishers, %d subscribers, %s, %d faults in %.1f minutes%n",
            settings.seed(), publishers, subscribers, channel, FaultSchedule.draw(settings).size(), minutes);
        out.flush();
        if (isScheduleOnly) {
            FaultSchedule.draw(settings).forEach(out::println);
            out.flush();
            return ExitCode.OK;
        }
        return run(settings, out);
    }

    private int run(final SoakSettings settings, final PrintWriter out) throws IOException {
        try (Soak soak = new Soak(settings, line -> {
            out.println(line);
            out.flush();
        })) {
            final SoakReport report = soak.run();
            out.println();
            out.println(report.table());
            out.flush();
            return report.isFlawless() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (final AssertionError failure) {
            final PrintWriter err = command.commandLine().getErr();
            err.println("sluice soak: failed, seed " + settings.seed() + ": " + failure.getMessage());
            err.flush();
            return ExitCode.SOFTWARE;
        }
    }
}
