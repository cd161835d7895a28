package io.sluice.samples;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/**
 * {@code sluice ping}: measures round trips to a pong that is started by hand, before or after.
 */
@Command(
    name = "ping",
    description = "Measures round trips to a pong that was started with: sluice pong",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class PingCommand implements Callable<Integer> {
    @Mixin
    private PingOptions options;

    @Mixin
    private EndpointOptions endpoint;

    @Override
    public Integer call() throws InterruptedException {
        final Cores cores = endpoint.cores();
        final int core = endpoint.core(cores, PingOptions.CORE, options.core(), cores.defaultPingCore());
        try (StopSignal stop = new StopSignal(); Endpoint here = endpoint.open("ping")) {
            final Measurement measurement =
                new Measurement(TransportPingLink.open(here, endpoint), options, stop, System.out);
            PingSettings.print(System.out, "Sluice ping", endpoint.settings(here.mode()), options, cores,
                cores.describe("ping", core));
            System.out.println("Waiting for pong (start it with: ./sluice pong)");
            measurement.run(core, cores.idleStrategy(), () -> true);
        }
        return ExitCode.OK;
    }
}
