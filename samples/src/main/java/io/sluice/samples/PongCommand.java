package io.sluice.samples;

import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code sluice pong}: answers pings until it is stopped.
 */
@Command(
    name = "pong",
    description = "The other side of ping: sends back what it receives, until Ctrl-C. Either may be started first.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class PongCommand implements Callable<Integer> {
    static final String CORE = "--pong-core";
    /** Option for a pong that another process started and that must not outlive it. */
    static final String UNTIL_END_OF_INPUT = "--until-end-of-input";

    @Mixin
    private EndpointOptions endpoint;

    @Option(names = CORE, order = 31, paramLabel = "CPU",
        description = "Processor for pong's thread. Default: chosen")
    private Integer wantedCore;

    @Option(names = UNTIL_END_OF_INPUT, hidden = true)
    private boolean isChild;

    @Override
    public Integer call() throws InterruptedException {
        final Cores cores = endpoint.cores();
        final int core = endpoint.core(cores, CORE, wantedCore, cores.defaultPongCore());
        try (StopSignal stop = new StopSignal()) {
            if (isChild) {
                stopAtEndOfInput(stop);
            }
            try (Endpoint here = endpoint.open("pong")) {
                final Publication publication = endpoint.ofPongs(here).addExclusivePublication(endpoint.pongStream());
                final Pong pong = new Pong(publication, cores.idleStrategy());
                final Subscription pings = here.addSubscription(endpoint.pingStream(), image -> {
                    pong.onPingAvailable();
                    tell("ping connected: " + image.sourceIdentity());
                }, this::onPingUnavailable);
                tell("Answering " + endpoint.channel() + ", stream " + endpoint.pingStream() + ", on stream "
                    + endpoint.pongStream() + " until Ctrl-C; " + cores.describe("pong", core));
                PinnedThread.run("pong", core, () -> pong.run(pings, stop));
            }
        }
        return ExitCode.OK;
    }

    private void onPingUnavailable(final Image image) {
        tell("ping " + (image.isEndOfStream() ? "finished: " : "lost: ") + image.sourceIdentity());
    }

    private void tell(final String line) {
        if (!isChild) {
            System.out.println(line);
        }
    }

    private static void stopAtEndOfInput(final StopSignal stop) {
        final Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is expected here but the end.
                    continue;
                }
            } catch (final IOException e) {
                System.err.println("sluice pong: cannot read the standard input, stopping: " + e.getMessage());
            }
            stop.request();
        }, "end-of-input");
        watch.setDaemon(true);
        watch.start();
    }
}
