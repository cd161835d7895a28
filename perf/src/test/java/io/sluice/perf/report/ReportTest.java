package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
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

    private static List<List<String>> rows(PeerKind... peers) {
        final Plan plan = new Plan(List.of(peers), List.of(Measure.THROUGHPUT), List.of(32), List.of(), 1, 0, 0, 0, 0,
            0, 1, "");
        final CoreRoundTrip cores = new CoreRoundTrip(130);
        final List<Run> runs = List.of(peers).stream().map(peer -> new Run(
            peer, new Point(Measure.THROUGHPUT, 32), 1, cores, cores, 0,
            Map.of(Metric.MESSAGE_RATE, 2.0, Metric.ALLOCATED, 0.01), 0, Map.of(), null, null)).toList();
        return new Report(plan, System.out, LabFigures.NONE).results(runs).getFirst().rows();
    }
}
