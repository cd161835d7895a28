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

    @Option(names = "--once", order = 1, description = "Look once and end.")
    private boolean isOnce;

    @Mixin
    private CounterFilter filter;

    @Mixin
    private StatusOptions options;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        final Output output = new Output(command.commandLine().getOut());
        final StatReport report = new StatReport(filter);
        if (isOnce) {
            final StatusSnapshot snapshot = options.read();
            output.print(options.isJson() ? StatusJson.counters(snapshot, filter) : report.text(snapshot));
            return ExitCode.OK;
        }
        try (StopSignal stop = new StopSignal()) {
            do {
                final StatusSnapshot snapshot = options.read();
                if (options.isJson()) {
                    output.print(StatusJson.counters(snapshot, filter));
                } else {
                    output.replace(report.text(snapshot));
                }
            } while (!stop.await(INTERVAL_MS));
        }
        return ExitCode.OK;
    }
}
