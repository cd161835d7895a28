package io.sluice.perf;

import io.sluice.perf.RunOptions.MeasureConverter;
import io.sluice.perf.RunOptions.PeerConverter;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Measure;
import io.sluice.samples.WrittenNumber;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The {@code bench} command: measures Sluice beside other systems and prints tables; first between processes, then, as
 * {@code bench ring} does, between the threads of one, unless systems or measures are named. It ends with 0 when all
 * runs were whole, whatever the figures and also when a rate was missed; with 1 when a run failed; with 2 for bad
 * arguments.
 */
@Command(
    name = "bench",
    description = "Measure Sluice beside other systems, in turn on two processors: round trips and throughput between "
        + "processes, then what ring measures, unless --peers or --measures are named.",
    subcommands = {RingCommand.class, DrainCommand.class, DowncallsCommand.class, EmbedCommand.class,
        StartCommand.class},
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
    @Option(
        names = RunOptions.PEERS,
        split = ",",
        converter = PeerConverter.class,
        defaultValue = "sluice:ipc,aeron:ipc,sluice:ipc-64m,aeron:udp,tcp,cache-line",
        description = "Systems, the one in question first; known: sluice:ipc, sluice:ipc-64m (window=64m), "
            + "sluice:ipc-queue (with completions), sluice:ipc-unmoderated (moderation=0), "
            + "sluice:ipc-dedicated (a poller's thread and a ring), sluice:ipc-latency, sluice:ipc-dedicated-latency "
            + "(timestamps=true, latency=true), aeron:ipc, aeron:ipc-ring (a thread that polls, and a Disruptor), "
            + "aeron:udp, tcp (the JDK's channels), cache-line (the floor: no messaging system, round trips only). "
            + "Default: ${DEFAULT-VALUE}")
    private List<PeerKind> peers;

    @Option(
        names = RunOptions.MEASURES,
        split = ",",
        converter = MeasureConverter.class,
        defaultValue = "rtt,throughput,load",
        description = "Default: ${DEFAULT-VALUE}")
    private List<Measure> measures;

    @Mixin
    private RunOptions options;

    @Spec
    private CommandSpec spec;

    BenchCommand() {
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args) {
        System.exit(WrittenNumber.register(new CommandLine(new BenchCommand())).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        int exitCode = 0;
        for (final Part part : parts()) {
            exitCode = Math.max(exitCode, options.run(part));
        }
        return exitCode;
    }

    /** Returns the parts to measure, one after the other. */
    List<Part> parts() {
        final Part processes = new Part(peers, measures, true, "");
        final ParseResult parsed = spec.commandLine().getParseResult();
        return parsed.hasMatchedOption(RunOptions.PEERS) || parsed.hasMatchedOption(RunOptions.MEASURES)
            ? List.of(processes) : List.of(processes, RingCommand.allOfRings());
    }

    /**
     * Systems that are measured in turn and have a report of their own.
     *
     * @param peers    the one in question first.
     * @param measures in the order to show them.
     * @param varied   whether all lengths and rates of the preset are taken when nobody names them, or one of each.
     * @param folder   for what it keeps, within the one that is named; may be empty.
     */
    record Part(List<PeerKind> peers, List<Measure> measures, boolean varied, String folder) {
    }
}
