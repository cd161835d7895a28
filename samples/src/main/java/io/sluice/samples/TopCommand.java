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
 * {@code sluice top}: who is furthest behind, each second until it is stopped.
 */
@Command(
    name = "top",
    description = {"Shows the subscribers on this host, whoever takes most of the window first, refreshed each second,",
        "until Ctrl-C. Rates are of the last second."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class TopCommand implements Callable<Integer> {
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);
    private static final String MORE = "--stream, --channel or a higher terminal";

    @Option(names = "--once", order = 1, description = "Look twice, a second apart, and show the second look.")
    private boolean isOnce;

    @Mixin
    private CounterFilter filter;

    @Mixin
    private StatusFolder folder;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        final Output output = new Output(command.commandLine().getOut());
        final TopReport report = new TopReport();
        try (StopSignal stop = new StopSignal()) {
            if (isOnce) {
                look(report, Screen.UNBOUNDED);
                stop.await(INTERVAL_MS);
                output.print(look(report, Screen.UNBOUNDED));
                return ExitCode.OK;
            }
            do {
                output.replace(look(report, output.screen()));
            } while (!stop.await(INTERVAL_MS));
        }
        return ExitCode.OK;
    }

    private String look(final TopReport report, final Screen screen) {
        final StatusSnapshot snapshot = folder.read();
        return screen.fit(report.text(snapshot, StreamRow.of(snapshot, filter), screen.columns()), MORE);
    }
}
