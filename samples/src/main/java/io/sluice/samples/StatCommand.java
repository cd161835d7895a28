package io.sluice.samples;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice stat}: the counters of all transports of a folder, each second until it is stopped.
 */
@Command(
    name = "stat",
    description = "Shows the counters of all transports on this host, refreshed each second, until Ctrl-C.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class StatCommand implements Callable<Integer> {
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);
    private static final String MORE = "--stream, --channel or a higher terminal; --once shows all";

    @Option(names = "--once", order = 1, description = "Look once and end.")
    private boolean isOnce;

    @Mixin
    private CounterFilter filter;

    @Mixin
    private StatusFolder folder;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        final Output output = new Output(command.commandLine().getOut());
        final StatReport report = new StatReport(filter);
        if (isOnce) {
            final StatusSnapshot snapshot = folder.read();
            output.print(json.isJson() ? StatusJson.counters(snapshot, filter) : report.text(snapshot));
            return ExitCode.OK;
        }
        try (StopSignal stop = new StopSignal()) {
            do {
                final StatusSnapshot snapshot = folder.read();
                if (json.isJson()) {
                    output.print(StatusJson.counters(snapshot, filter));
                } else {
                    output.replace(output.screen().fit(report.text(snapshot), MORE));
                }
            } while (!stop.await(INTERVAL_MS));
        }
        return ExitCode.OK;
    }
}
