package io.sluice.samples;

import io.sluice.samples.machine.Doctor;
import io.sluice.samples.machine.Finding;
import io.sluice.samples.machine.SystemMachine;
import io.sluice.samples.machine.Verdict;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice doctor}: whether this machine is fit. Ends with 1 when something does not work, with 0 when it only
 * could be better.
 */
@Command(
    name = "doctor",
    description = {"Looks whether this machine is fit: JDK, libraries, devices and permissions, processors, memory.",
        "Says what to do about what is not. Changes nothing. Exit code 1 when a line says fail."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--json", order = 41, description = "Print JSON, one object.")
    private boolean isJson;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        final List<Finding> findings = Doctor.examine(new SystemMachine(), StatusFolder.defaultPath());
        new Output(command.commandLine().getOut())
            .print(isJson ? DoctorReport.json(findings) : DoctorReport.text(findings));
        return exitCode(findings);
    }

    static int exitCode(final List<Finding> findings) {
        return DoctorReport.count(findings, Verdict.FAIL) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
