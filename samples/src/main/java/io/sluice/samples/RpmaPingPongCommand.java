package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.rpma.RpmaConnector;
import io.sluice.samples.rpma.RpmaLinkFailure;
import io.sluice.samples.rpma.RpmaLinkOptions;
import io.sluice.samples.rpma.RpmaListener;
import io.sluice.samples.rpma.RpmaPong;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice rpma-ping-pong}: round trips over librpma, without the transport. Ping and pong are two threads of this
 * process, or with {@code --ping} and {@code --pong} each a process of its own.
 */
@Command(
    name = "rpma-ping-pong",
    description = {"Measures round trips of messages over librpma on an RDMA device, without the transport: between",
        "two threads of this process, or with --pong in one process and --ping in another."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class RpmaPingPongCommand implements Callable<Integer> {
    private static final String PING = "--ping";
    private static final String PORT = "--port";
    private static final int MAX_PORT = 65_535;

    /** Modes by their names on the command line. */
    private enum Mode { spin, event }

    @Mixin
    private PingOptions options;

    @Option(names = "--address", order = 20, paramLabel = "ADDRESS", required = true,
        description = "IP address of the RDMA device where pong listens: ./sluice devices shows them.")
    private String address;

    private int port;

    @Option(names = PING, order = 24, description = "Only ping, to a pong that was started elsewhere with --pong.")
    private boolean isPing;

    @Option(names = "--pong", order = 25, description = "Only pong: answer until Ctrl-C.")
    private boolean isPong;

    @Option(names = "--mode", order = 26, paramLabel = "MODE", defaultValue = "spin", description = {
        "How to learn of completions: ${COMPLETION-CANDIDATES}.",
        "spin calls rpma_cq_get_wc again and again, event waits by",
        "rpma_cq_wait when there are none. Default: ${DEFAULT-VALUE}"})
    private Mode mode;

    @Option(names = "--ring", order = 27, description = {
        "Put a poller on a thread of its own between the completion queue",
        "and the thread of ping, and of pong: completions go over a",
        "Disruptor ring."})
    private boolean hasRing;

    @Option(names = PongCommand.CORE, order = 31, paramLabel = "CPU",
        description = "Processor for pong's thread. Default: chosen")
    private Integer wantedPongCore;

    @Option(names = "--no-pin", order = 32, description = "Let the operating system choose the processors.")
    private boolean isUnpinned;

    @Spec
    private CommandSpec command;

    @Option(names = PORT, order = 21, paramLabel = "PORT", defaultValue = "7204",
        description = "Where pong listens. Default: ${DEFAULT-VALUE}")
    void port(final WrittenNumber value) {
        port = (int) OptionMistake.within(command, PORT, value, 1, MAX_PORT);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (isPing && isPong) {
            throw OptionMistake.of(command, PING, true, "contradicts --pong; without either, this process is both");
        }
        options.checkMessageLength(RpmaPingLink.MAX_MESSAGE_LENGTH);
        final Cores cores = cores();
        final int pingCore =
            cores.choose(command, PingOptions.CORE, options.core(), isUnpinned, cores.defaultPingCore());
        final int pongCore =
            cores.choose(command, PongCommand.CORE, wantedPongCore, isUnpinned, cores.defaultPongCore());
        final RpmaLinkOptions link =
            new RpmaLinkOptions(address, port, mode == Mode.event, hasRing, cores.idleStrategy());
        try (StopSignal stop = new StopSignal()) {
            if (isPong) {
                pong(link, stop, cores, pongCore);
            } else if (isPing) {
                ping(link, stop, cores, pingCore, cores.describe("ping", pingCore));
            } else {
                cores.checkApart(command, pingCore, pongCore);
                pingPong(link, stop, cores, pingCore, pongCore);
            }
        } catch (final RpmaLinkFailure e) {
            throw new RunFailure(e.getMessage(), e);
        }
        return ExitCode.OK;
    }

    /** Chooses the cores: the thread of a link waits for events only when it has no poller that does. */
    private Cores cores() {
        final Cores cores = Cores.ofThisProcess();
        return hasRing ? cores.besidePollers() : mode == Mode.event ? cores.awaitingEvents() : cores;
    }

    private void pong(final RpmaLinkOptions link, final StopSignal stop, final Cores cores, final int core)
        throws InterruptedException {
        try (RpmaListener listener = RpmaListener.open(SystemEnvironment.instance(), link)) {
            System.out.println("Answering " + meetingPoint() + " until Ctrl-C; " + cores.describe("pong", core));
            final RpmaPong pong = new RpmaPong(listener, System.out::println, told(System.out::println));
            PinnedThread.run("pong", core, () -> pong.run(stop::isRequested));
        }
    }

    private void pingPong(
        final RpmaLinkOptions link, final StopSignal stop, final Cores cores, final int pingCore, final int pongCore)
        throws InterruptedException {
        try (RpmaListener listener = RpmaListener.open(SystemEnvironment.instance(), link);
            SampleThreads threads = new SampleThreads(stop)) {
            final RpmaPong pong = new RpmaPong(listener, news -> { }, told(System.err::println));
            threads.start("pong", () -> {
                PinnedThread.pin(pongCore);
                pong.run(stop::isRequested);
            });
            ping(link, stop, cores, pingCore,
                cores.describe("ping", pingCore) + ", " + cores.describe("pong", pongCore));
            threads.end();
        }
    }

    private Consumer<String> told(final Consumer<String> out) {
        return line -> out.accept(command.qualifiedName() + ": " + line);
    }

    private void ping(
        final RpmaLinkOptions link, final StopSignal stop, final Cores cores, final int core, final String threads)
        throws InterruptedException {
        try (RpmaPingLink pings = new RpmaPingLink(link,
            RpmaConnector.open(SystemEnvironment.instance(), link, options.messageLength()))) {
            final Measurement measurement = new Measurement(pings, options, stop, System.out);
            PingSettings.print(System.out, "Sluice rpma-ping-pong", settings(), options, cores, threads);
            measurement.run(core, pings, () -> true);
        }
    }

    private String meetingPoint() {
        return address + " port " + port;
    }

    private Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put("address", meetingPoint() + (isPing ? ", pong elsewhere" : ", two threads of this process"));
        settings.put("mode", mode + (hasRing ? ", completions over a ring" : ""));
        return settings;
    }
}
