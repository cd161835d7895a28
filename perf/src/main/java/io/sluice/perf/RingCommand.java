package io.sluice.perf;

import io.sluice.perf.BenchCommand.Part;
import io.sluice.perf.RunOptions.MeasureConverter;
import io.sluice.perf.RunOptions.PeerConverter;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Measure;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The {@code bench ring} command: what a hand-over to other threads of the same process takes, beside a ring of the
 * Disruptor. Exit codes as those of {@link BenchCommand}.
 */
@Command(
    name = "ring",
    description = "Measure the hand-over from a poller to consumer threads beside a raw Disruptor, in turn.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RingCommand implements Callable<Integer> {
    private static final String ALL_PEERS = "sluice:ring,disruptor,sluice:ring-poll,sluice:ipc";
    private static final String ALL_MEASURES =
        "hand-off,hand-off-2,hand-off-4,hand-off-8,fan-out-1,fan-out-2,fan-out-4,fan-out-8,"
            + "slow-0ms,slow-20ms,slow-120ms";

    @Option(
        names = RunOptions.PEERS,
        split = ",",
        converter = PeerConverter.class,
        defaultValue = ALL_PEERS,
        description = "Systems, the one in question first; known: sluice:ring (handlers), sluice:ring-poll, disruptor "
            + "(nothing but a ring), sluice:ipc, -64m, -queue and -unmoderated (INVOKER, no ring). "
            + "Default: ${DEFAULT-VALUE}")
    private List<PeerKind> peers;

    @Option(
        names = RunOptions.MEASURES,
        split = ",",
        converter = MeasureConverter.class,
        defaultValue = ALL_MEASURES,
        description = "Default: ${DEFAULT-VALUE}")
    private List<Measure> measures;

    @Mixin
    private RunOptions options;

    private RingCommand() {
    }

    @Override
    public Integer call() throws Exception {
        return options.run(new Part(peers, measures, false, ""));
    }

    /** Returns the part that the command measures when nothing is named. */
    static Part allOfRings() {
        return new Part(Arrays.stream(ALL_PEERS.split(",")).map(PeerKind::of).toList(),
            Arrays.stream(ALL_MEASURES.split(",")).map(RunOptions::measure).toList(), false, "ring");
    }
}
