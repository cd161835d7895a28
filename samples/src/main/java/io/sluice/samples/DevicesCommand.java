package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.RdmaSurvey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice devices}: what transports of this machine can run on.
 */
@Command(
    name = "devices",
    description = {"Shows the devices of this machine: ports, addresses, limits, and by which interface their",
        "completion queues are polled."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class DevicesCommand implements Callable<Integer> {
    /** By the names on the command line. */
    private enum Choice { auto, extended, legacy }

    @Option(names = "--cq", order = 1, paramLabel = "NAME", defaultValue = "auto",
        description = "Show what a device gets with this one as cq= of a channel: ${COMPLETION-CANDIDATES}. "
            + "Default: ${DEFAULT-VALUE}")
    private Choice completionInterface;

    @Option(names = "--json", order = 41, description = "Print JSON, one object.")
    private boolean isJson;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        final RdmaSurvey survey = RdmaSurvey.take(SystemEnvironment.instance(), completionInterface.name());
        new Output(command.commandLine().getOut())
            .print(isJson ? DeviceReport.json(survey) : DeviceReport.text(survey));
        return ExitCode.OK;
    }
}
