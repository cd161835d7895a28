package io.sluice.samples;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code sluice backlog}: how far subscribers are behind, and how far publications are from back-pressure.
 */
@Command(
    name = "backlog",
    description = {"Shows for each publication on this host its position, the bytes to back-pressure, and how far each",
        "subscriber and each consumer there is behind."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class BacklogCommand implements Callable<Integer> {
    @Mixin
    private CounterFilter filter;

    @Mixin
    private StatusFolder folder;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        final StatusSnapshot snapshot = folder.read();
        final List<Backlog.Stream> streams = Backlog.of(snapshot, filter);
        new Output(command.commandLine().getOut()).print(json.isJson()
            ? BacklogReport.json(snapshot, streams)
            : BacklogReport.text(snapshot, streams));
        return ExitCode.OK;
    }
}
