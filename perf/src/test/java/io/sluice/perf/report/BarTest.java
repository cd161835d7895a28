package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Failure;
import io.sluice.perf.rig.MachineState;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BarTest {
    private static final double NEAR_NS = 110;
    private static final double FAR_NS = 500;
    private static final Point POINT = new Point(Measure.ROUND_TRIP, 32);
    private static final Bar BAR = new Bar(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, POINT, Metric.RTT_P50, 1.25, true);
    private static final String NOT_JUDGED = "NOT JUDGED: 3 usable runs of each are needed";
    private static final String BEGINNING = "RTT p50 32 B | sluice:ipc | <= 1.25 × aeron:ipc | ";

    private final List<Run> runs = new ArrayList<>();
    private int round;

    /** The median over all states would meet it. */
    @Test
    void shouldBeJudgedInEachStateOfTheMachine() {
        add(NEAR_NS, 1.1);
        add(NEAR_NS + 5, 1.2);
        add(NEAR_NS, 1.2);
        add(NEAR_NS, 1.2);
        add(FAR_NS, 1.2);
        add(FAR_NS, 1.3);
        add(FAR_NS, 1.4);

        assertEquals(List.of(
            BEGINNING + "110 – 115 ns | 1.200 [1.100 – 1.200] | 7 of 13 pairs, of 4 and 4 runs | met",
            BEGINNING + "500 – 500 ns | 1.300 [1.200 – 1.400] | 5 of 13 pairs, of 3 and 3 runs | MISSED"), judge());
    }

    @Test
    void shouldNotBeMetByTheRunsThatAreLeftWhenOthersFailed() {
        add(NEAR_NS, 1.2);
        add(NEAR_NS, 1.2);
        add(NEAR_NS, 1.2);
        runs.add(failedRun());

        assertEquals(List.of(BEGINNING + "110 – 110 ns | 1.200 [1.200 – 1.200] | 5 of 6 pairs, of 3 and 3 runs | "
            + "NOT JUDGED: 1 of 7 runs FAILED"), judge());
    }

    @Test
    void shouldBeMissedAlsoWhenOthersFailed() {
        add(NEAR_NS, 1.3);
        add(NEAR_NS, 1.3);
        add(NEAR_NS, 1.3);
        runs.add(failedRun());

        assertEquals(List.of(
            BEGINNING + "110 – 110 ns | 1.300 [1.300 – 1.300] | 5 of 6 pairs, of 3 and 3 runs | MISSED"), judge());
    }

    /** Each of them is in two pairs. */
    @Test
    void shouldNotBeJudgedByFewRunsHoweverManyPairsTheyMake() {
        add(NEAR_NS, 1.1);
        add(NEAR_NS, 1.1);
        round++;
        runs.add(run(PeerKind.SLUICE_IPC, NEAR_NS, 1.1));

        assertEquals(List.of(
            BEGINNING + "110 – 110 ns | 1.100 [1.100 – 1.100] | 4 of 4 pairs, of 3 and 2 runs | " + NOT_JUDGED),
            judge());
    }

    @Test
    void shouldNotBeJudgedWithoutAnyPair() {
        runs.add(run(PeerKind.SLUICE_IPC, NEAR_NS, 2));
        runs.add(run(PeerKind.AERON_IPC, FAR_NS, 2));

        assertEquals(List.of(BEGINNING
            + "- | - | - | NOT JUDGED: no two neighbouring runs of 2 were usable in one state of the cores"), judge());
    }

    @Test
    void shouldJudgeTheTailAtFixedRates() {
        assertEquals(
            List.of("RTT p99 32 B at 10000/s", "RTT p99.9 32 B at 10000/s", "RTT p99 32 B at 100000/s",
                "RTT p99.9 32 B at 100000/s"),
            Bar.ALL.stream()
                .filter(bar -> bar.subject() == PeerKind.SLUICE_IPC && bar.point().measure() == Measure.LOAD)
                .map(bar -> bar.metric().label() + " " + bar.point().size()).toList());
    }

    /** A round of which the subject takes so many times as long. */
    private void add(double coresNs, double ratio) {
        round++;
        runs.add(run(PeerKind.SLUICE_IPC, coresNs, ratio));
        runs.add(run(PeerKind.AERON_IPC, coresNs, 1));
    }

    private Run run(PeerKind peer, double coresNs, double valueUs) {
        final CoreRoundTrip cores = new CoreRoundTrip(coresNs);
        return new Run(
            peer, POINT, round, new MachineState(cores, cores, 1, 0, 0), Map.of(Metric.RTT_P50, valueUs),
            Map.of(), null, null);
    }

    private Run failedRun() {
        final CoreRoundTrip cores = new CoreRoundTrip(NEAR_NS);
        return new Run(
            PeerKind.SLUICE_IPC, POINT, round + 1, new MachineState(cores, cores, 1, 0, 0), Map.of(), Map.of(),
            null, new Failure("lost a message", false));
    }

    private List<String> judge() {
        final TextTable table = new TextTable();
        BAR.judge(runs, table);
        return table.rows().stream().map(cells -> String.join(" | ", cells)).toList();
    }
}
