package io.sluice.samples;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice ping-pong}: ping in this process, pong in a second one that it starts and ends.
 */
@Command(
    name = "ping-pong",
    description = "Measures round trips between two processes: this one and one that it starts.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class PingPongCommand implements Callable<Integer> {
    @Mixin
    private PingOptions options;

    @Option(names = PongCommand.CORE, order = 31, paramLabel = "CPU",
        description = "Processor for pong's thread. Default: chosen")
    private Integer wantedPongCore;

    @Mixin
    private EndpointOptions endpoint;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws InterruptedException {
        endpoint.makeDefaultChannelUnique();
        final Cores cores = endpoint.cores();
        final int pingCore = endpoint.core(cores, PingOptions.CORE, options.core(), cores.defaultPingCore());
        final int pongCore = endpoint.core(cores, PongCommand.CORE, wantedPongCore, cores.defaultPongCore());
        cores.checkApart(command, pingCore, pongCore);
        try (StopSignal stop = new StopSignal(); PongProcess pong = new PongProcess();
            Endpoint here = endpoint.open("ping")) {
            final Measurement measurement =
                new Measurement(TransportPingLink.open(here, endpoint), options, stop, System.out);
            pong.start(endpoint.arguments(pongCore));
            PingSettings.print(System.out, "Sluice ping-pong", endpoint.settings(here.mode()), options, cores,
                cores.describe("ping", pingCore) + ", " + cores.describe("pong", pongCore));
            measurement.run(pingCore, cores.idleStrategy(), pong::isAlive);
        }
        return ExitCode.OK;
    }
}
