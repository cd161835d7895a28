package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.metrics.HostCollector;
import io.sluice.metrics.MetricsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice metrics}: the counters of all transports of a folder for Prometheus, until it is stopped.
 */
@Command(
    name = "metrics",
    description = {"Serves the counters of all transports on this host to Prometheus at /metrics, and a page at / that",
        "shows who is slow and the last ten minutes, until Ctrl-C."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class MetricsCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Option(names = "--port", order = 1, paramLabel = "N", defaultValue = "9464",
        description = "Port to listen at, 0 for any that is free. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(names = "--address", order = 2, paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
        description = "Own address to listen at; 0.0.0.0 for all. Default: ${DEFAULT-VALUE}, this host only")
    private InetAddress address;

    @Mixin
    private StatusFolder folder;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        OptionMistake.check(command, "--port", port, 0, MAX_PORT);
        final Path path = folder.path();
        final PrintWriter err = command.commandLine().getErr();
        final HostCollector collector = new HostCollector(SystemEnvironment.instance(), path, line -> {
            err.println("sluice metrics: unreadable: " + line);
            err.flush();
        });
        final Consumer<String> failures = text -> {
            err.println("sluice metrics: no sample: " + text);
            err.flush();
        };
        try (StopSignal stop = new StopSignal(); HostPage page = new HostPage(folder::read, failures);
            MetricsServer server = start(collector, page)) {
            final String host = address instanceof Inet6Address ? "[" + address.getHostAddress() + "]"
                : address.getHostAddress();
            final String root = "http://" + host + ":" + server.port();
            new Output(command.commandLine().getOut()).print(
                "metrics of " + path + " at " + root + MetricsServer.PATH + System.lineSeparator()
                + "page at " + root + "/" + System.lineSeparator());
            stop.await(Long.MAX_VALUE);
        }
        return ExitCode.OK;
    }

    private MetricsServer start(final HostCollector collector, final HostPage page) {
        try {
            return MetricsServer.start(address, port, collector, page);
        } catch (final IOException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }
}
