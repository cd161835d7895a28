package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Effort;
import io.sluice.perf.rig.Failure;
import io.sluice.perf.rig.MachineState;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Failure LOSS = new Failure("lost a message", false);

    @Test
    void shouldGiveNoRatioOfWhatIsAllocated() {
        final List<List<String>> rows = rows(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC);

        assertEquals(List.of("throughput 32 B, M msg/s", "130 – 130 ns",
            "2.000 [2.000 – 2.000] n=1", "2.000 [2.000 – 2.000] n=1", "1.000", "1.000 [1.000 – 1.000]", "1 of 1"),
            rows.get(1));
        assertEquals(List.of("allocated 32 B, B/msg", "130 – 130 ns", "0.010 [0.010 – 0.010] n=1",
            "0.010 [0.010 – 0.010] n=1", "-", "-", "1 of 1"), rows.get(2));
    }

    @Test
    void shouldGiveTheMediansOfOnePeerWithoutAReference() {
        assertEquals(
            List.of(
                List.of("median [min – max] of runs", "cores", "sluice:ipc"),
                List.of("throughput 32 B, M msg/s", "130 – 130 ns", "2.000 [2.000 – 2.000] n=1"),
                List.of("allocated 32 B, B/msg", "130 – 130 ns", "0.010 [0.010 – 0.010] n=1")),
            rows(PeerKind.SLUICE_IPC));
    }

    @Test
    void shouldSayHowManyRunsFailedBesideWhatTheOthersGave() {
        final List<List<String>> rows = rows(List.of(run(PeerKind.SLUICE_IPC, 1, null), run(PeerKind.TCP, 1, LOSS),
            run(PeerKind.SLUICE_IPC, 2, null), run(PeerKind.TCP, 2, null)), PeerKind.SLUICE_IPC, PeerKind.TCP);

        assertEquals(List.of("throughput 32 B, M msg/s", "130 – 130 ns", "2.000 [2.000 – 2.000] n=2",
            "2.000 [2.000 – 2.000] n=1, FAILED 1 of 2", "1.000", "1.000 [1.000 – 1.000]", "1 of 3"), rows.get(1));
    }

    @Test
    void shouldHaveARowForSystemsOfWhichEveryRunFailed() {
        assertEquals(List.of("throughput 32 B, M msg/s", "-", "FAILED 2 of 2", "FAILED 1 of 1", "-", "-", "0 of 2"),
            rows(List.of(run(PeerKind.SLUICE_IPC, 1, LOSS), run(PeerKind.TCP, 1, LOSS),
                run(PeerKind.SLUICE_IPC, 2, LOSS)), PeerKind.SLUICE_IPC, PeerKind.TCP).get(1));
        assertEquals(List.of("throughput 32 B, M msg/s", "-", "FAILED 1 of 1"),
            rows(List.of(run(PeerKind.TCP, 1, LOSS)), PeerKind.TCP).get(1));
    }

    private static List<List<String>> rows(PeerKind... peers) {
        return rows(List.of(peers).stream().map(peer -> run(peer, 1, null)).toList(), peers);
    }

    private static Run run(PeerKind peer, int round, Failure failure) {
        final CoreRoundTrip cores = failure == null ? new CoreRoundTrip(130) : CoreRoundTrip.UNKNOWN;
        return new Run(
            peer, new Point(Measure.THROUGHPUT, 32), round, new MachineState(cores, cores, 1, 0, 0),
            failure == null ? Map.of(Metric.MESSAGE_RATE, 2.0, Metric.ALLOCATED, 0.01) : Map.of(), Map.of(),
            null, failure);
    }

    private static List<List<String>> rows(List<Run> runs, PeerKind... peers) {
        final Plan plan = new Plan(
            List.of(peers), List.of(Measure.THROUGHPUT), List.of(32), List.of(), new Effort(1, 0, 0, 0, 0), 0,
            1, "");
        return new Report(plan, System.out, LabFigures.NONE).results(runs).getFirst().rows();
    }
}
