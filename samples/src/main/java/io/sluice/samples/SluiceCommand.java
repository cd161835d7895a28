package io.sluice.samples;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The {@code sluice} command line: its main method runs the sample that the first argument names, on the main thread.
 */
@Command(
    name = "sluice",
    description = "An embedded Java messaging transport over RDMA verbs.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class SluiceCommand implements Runnable {
    private SluiceCommand() {
    }

    /**
     * Run the command and end the process with its exit code: 0 success, 1 failure, 2 bad arguments.
     *
     * @param args the command and its arguments.
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new SluiceCommand()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
