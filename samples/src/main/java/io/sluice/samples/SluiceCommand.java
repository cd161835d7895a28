package io.sluice.samples;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code sluice} command line: its main method runs the command that the first argument names, on the main thread.
 * <p>
 * Exit codes: 0 success, 1 the run failed or its output was lost, 2 bad arguments, 130 Ctrl-C. What goes wrong is told
 * in one line.
 */
@Command(
    name = "sluice",
    description = "An embedded Java messaging transport over RDMA verbs.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
        PingPongCommand.class, PingCommand.class, PongCommand.class, PublishCommand.class, SubscribeCommand.class,
        MarketDataCommand.class, TopCommand.class, StatCommand.class, ErrorsCommand.class, BacklogCommand.class,
        MetricsCommand.class, DevicesCommand.class, SelftestCommand.class, DoctorCommand.class,
        RpmaPingPongCommand.class})
public final class SluiceCommand implements Runnable {
    private static final int HELP_WIDTH = 100;
    private static final String HELP = "--help";
    private static final String MODEL = "--model";
    /** A model of a device is Java, which critical calls must not call: what says so is read when these are linked. */
    private static final String CRITICAL_PROP_NAME = "sluice.verbs.critical";
    /** Commands of {@code ./sluice} that need what only a checkout has: sources, tests, other products. */
    static final List<String> OF_CHECKOUT =
        List.of("bench", "jmh", "jcstress", "simulate", "soak", "install", "test", "site", "lab");

    @Spec
    private CommandSpec command;

    private SluiceCommand() {
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args the command and its arguments.
     */
    public static void main(final String[] args) {
        if (Arrays.stream(args).anyMatch(arg -> arg.equals(MODEL) || arg.startsWith(MODEL + "="))
            && System.getProperty(CRITICAL_PROP_NAME) == null) {
            System.setProperty(CRITICAL_PROP_NAME, "false");
        }
        final int exitCode = execute(commandLine(), args);
        final boolean isLost = exitCode == ExitCode.OK && !Output.hasArrived(System.out, System.err);
        System.exit(isLost ? ExitCode.SOFTWARE : exitCode);
    }

    /** Run a command, also one of the launcher's: {@code help}, {@code version}, and those that only a checkout has. */
    static int execute(final CommandLine commands, final String... args) {
        final String first = args.length == 0 ? "" : args[0];
        if (OF_CHECKOUT.contains(first) || first.equals("help") && args.length > 1 && OF_CHECKOUT.contains(args[1])) {
            final String command = first.equals("help") ? args[1] : first;
            tell(commands, command + " needs the sources of Sluice: call ./sluice " + command + " in a checkout");
            return ExitCode.USAGE;
        }
        return switch (first) {
            case "help" -> args.length == 1 ? commands.execute(HELP) : commands.execute(args[1], HELP);
            case "version" -> commands.execute("--version");
            default -> commands.execute(args);
        };
    }

    static CommandLine commandLine() {
        return WrittenNumber.register(new CommandLine(new SluiceCommand()))
            .setUsageHelpWidth(HELP_WIDTH)
            .setParameterExceptionHandler((mistake, args) -> {
                final CommandLine command = mistake.getCommandLine();
                final boolean isUnknown = mistake instanceof UnmatchedArgumentException;
                tell(command, mistake.getMessage() + (isUnknown ? "; --help tells what there is" : ""));
                return ExitCode.USAGE;
            })
            .setExecutionExceptionHandler((failure, command, result) -> {
                if (!(failure instanceof RunFailure)) {
                    // Not foreseen, so worth a report: the stack says where.
                    throw failure;
                }
                tell(command, failure.getMessage());
                return ExitCode.SOFTWARE;
            });
    }

    private static void tell(final CommandLine command, final String message) {
        final PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + message.replaceAll("\\s*\\R\\s*", " "));
        err.flush();
    }

    @Override
    public void run() {
        throw new ParameterException(
            command.commandLine(), "Missing command, for example ping-pong; --help tells more");
    }
}
