package io.sluice.perf;

import io.sluice.perf.RunOptions.MeasureConverter;
import io.sluice.perf.RunOptions.PeerConverter;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Measure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The {@code bench} command: measures Sluice beside other systems in one run and prints tables. It ends with 0 when all
 * runs were whole, whatever the figures and also when a rate was missed; with 1 when a run failed; with 2 for bad
 * arguments.
 */
@Command(
    name = "bench",
    description = "Measure round trips and throughput of Sluice beside other systems, in turn on two processors.",
    subcommands = {RingCommand.class, DrainCommand.class, DowncallsCommand.class},
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
    @Option(
        names = RunOptions.PEERS,
        split = ",",
        converter = PeerConverter.class,
        defaultValue = "sluice:ipc,aeron:ipc,sluice:ipc-64m,aeron:udp,tcp,cache-line",
        description = "Systems, the one in question first; known: sluice:ipc, sluice:ipc-64m (window=64m), "
            + "sluice:ipc-queue (with completions), aeron:ipc, aeron:udp, tcp (the JDK's channels), cache-line (the "
            + "floor: no messaging system, round trips only). Default: ${DEFAULT-VALUE}")
    private List<PeerKind> peers;

    @Option(
        names = "--measures",
        split = ",",
        converter = MeasureConverter.class,
        defaultValue = "rtt,throughput,load",
        description = "Default: ${DEFAULT-VALUE}")
    private List<Measure> measures;

    @Mixin
    private RunOptions options;

    BenchCommand() {
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new BenchCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        return options.run(peers, measures, true);
    }
}
