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
    description = "Serves the counters of all transports on this host to Prometheus, at /metrics, until Ctrl-C.",
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
        try (StopSignal stop = new StopSignal(); MetricsServer server = start(collector)) {
            final String host = address instanceof Inet6Address ? "[" + address.getHostAddress() + "]"
                : address.getHostAddress();
            new Output(command.commandLine().getOut()).print("metrics of " + path + " at http://" + host + ":"
                + server.port() + MetricsServer.PATH + System.lineSeparator());
            stop.await(Long.MAX_VALUE);
        }
        return ExitCode.OK;
    }

    private MetricsServer start(final HostCollector collector) {
        try {
            return MetricsServer.start(address, port, collector);
        } catch (final IOException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }
}
