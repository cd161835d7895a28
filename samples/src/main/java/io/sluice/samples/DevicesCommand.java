package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.ModelSurvey;
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
    /** Choices by their names on the command line. */
    private enum Choice { auto, extended, legacy }

    @Option(names = "--cq", order = 1, paramLabel = "NAME", defaultValue = "auto",
        description = "Show what a device gets with this one as cq= of a channel: ${COMPLETION-CANDIDATES}. "
            + "Default: ${DEFAULT-VALUE}")
    private Choice completionInterface;

    @Option(names = "--model", order = 2, paramLabel = "NAME", arity = "0..1", fallbackValue = ModelOption.NONE,
        description = "Show a model of a provider of rdma-core instead of the devices of this machine: what it gets "
            + "and what is refused. Without NAME the models there are.")
    private String model;

    @Option(names = "--json", order = 41, description = "Print JSON, one object.")
    private boolean isJson;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        new Output(command.commandLine().getOut()).print(
            model == null ? ofMachine() : model.equals(ModelOption.NONE) ? ModelOption.names() : ofModel());
        return ExitCode.OK;
    }

    private String ofMachine() {
        final RdmaSurvey survey = RdmaSurvey.take(SystemEnvironment.instance(), completionInterface.name());
        return isJson ? DeviceReport.json(survey) : DeviceReport.text(survey);
    }

    private String ofModel() {
        ModelOption.check(command, model);
        final ModelSurvey survey = ModelOption.result(
            () -> ModelSurvey.take(SystemEnvironment.instance(), model, completionInterface.name()));
        return isJson ? DeviceReport.json(survey) : DeviceReport.text(survey);
    }
}
