package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Failure;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
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
    private static final String NOT_JUDGED = "NOT JUDGED: 3 usable pairs in one state, of 3 rounds, are needed";
    private static final String LINE = "bar: sluice:ipc RTT p50 32 B <= 1.25 × aeron:ipc: ";

    private final List<Run> runs = new ArrayList<>();
    private int round;

    @Test
    void shouldBeMetInTheStateWithTheMostPairs() {
        add(NEAR_NS, 1.2);
        add(NEAR_NS + 5, 1.2);
        add(FAR_NS, 9);
        add(FAR_NS, 9);

        assertEquals(LINE + "1.200 over 3 of 7 pairs, cores 110 – 115 ns: met", judge(5));
    }

    /** The one state meets the bar and the median over both would, too. */
    @Test
    void shouldBeMissedInTheStateWithTheMostPairs() {
        add(NEAR_NS, 1.1);
        add(NEAR_NS, 1.2);
        add(FAR_NS, 1.2);
        add(FAR_NS, 1.3);
        add(FAR_NS, 1.4);

        assertEquals(LINE + "1.300 over 5 of 9 pairs, cores 500 – 500 ns: MISSED", judge(5));
    }

    @Test
    void shouldNotBeMetByTheRunsThatAreLeftWhenOthersFailed() {
        add(NEAR_NS, 1.2);
        add(NEAR_NS, 1.2);
        add(NEAR_NS, 1.2);
        runs.add(failedRun());

        assertEquals(
            LINE + "1.200 over 5 of 6 pairs, cores 110 – 110 ns: NOT JUDGED: 1 of 7 runs FAILED", judge(4));
    }

    @Test
    void shouldBeMissedAlsoWhenOthersFailed() {
        add(NEAR_NS, 1.3);
        add(NEAR_NS, 1.3);
        add(NEAR_NS, 1.3);
        runs.add(failedRun());

        assertEquals(LINE + "1.300 over 5 of 6 pairs, cores 110 – 110 ns: MISSED", judge(4));
    }

    @Test
    void shouldNotBeJudgedByFewPairs() {
        add(NEAR_NS, 1.1);
        add(FAR_NS, 1.1);

        assertEquals(LINE + "1.100 over 1 of 3 pairs, cores 110 – 110 ns: " + NOT_JUDGED, judge(5));
    }

    @Test
    void shouldNotBeJudgedByFewRounds() {
        add(NEAR_NS, 1.1);

        assertEquals(LINE + "1.100 over 1 of 1 pairs, cores 110 – 110 ns: " + NOT_JUDGED, judge(1));

        add(NEAR_NS, 1.1);

        assertEquals(LINE + "1.100 over 3 of 3 pairs, cores 110 – 110 ns: " + NOT_JUDGED, judge(2));
    }

    @Test
    void shouldNotBeJudgedWithoutAnyPair() {
        runs.add(run(PeerKind.SLUICE_IPC, NEAR_NS, 2));
        runs.add(run(PeerKind.AERON_IPC, FAR_NS, 2));

        assertEquals(
            LINE + "NOT JUDGED: no two neighbouring runs of 2 were usable in one state of the cores", judge(1));
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
            peer, POINT, round, cores, cores, 0, Map.of(Metric.RTT_P50, valueUs), 0, Map.of(), null, null);
    }

    private Run failedRun() {
        final CoreRoundTrip cores = new CoreRoundTrip(NEAR_NS);
        return new Run(PeerKind.SLUICE_IPC, POINT, round + 1, cores, cores, 0, Map.of(), 0, Map.of(), null,
            new Failure("lost a message", false));
    }

    private String judge(int rounds) {
        return BAR.judge(
            new Plan(List.of(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC), List.of(Measure.ROUND_TRIP), List.of(32),
                List.of(), rounds, 0, 0, 0, 0, 0, 1, ""),
            runs);
    }
}
