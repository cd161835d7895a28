package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.PeerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    private static final CoreRoundTrip NEAR = new CoreRoundTrip(130);
    private static final CoreRoundTrip FAR = new CoreRoundTrip(500);
    private static final Point POINT = new Point(Measure.ROUND_TRIP, 32);

    private final List<Run> runs = new ArrayList<>();
    private double othersUse;
    private int round;

    @Test
    void shouldCompareEveryTwoNeighbours() {
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 3);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);

        Sample ratios = comparison().ratios(Metric.RTT_P50);

        assertEquals(new Sample(3, 3, 2, 3), ratios);
        assertEquals(3, comparison().pairCount());
    }

    @Test
    void shouldNotCompareRunsInDifferentStates() {
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        add(PeerKind.AERON_IPC, FAR, FAR, 1);
        add(PeerKind.SLUICE_IPC, FAR, FAR, 4);

        assertEquals(new Sample(1, 4, 4, 4), comparison().ratios(Metric.RTT_P50));
        final List<CoreBand> bands = comparison().bands();
        assertEquals(List.of(new CoreBand(130, 130), new CoreBand(500, 500)), bands);
        assertTrue(comparison().ratios(Metric.RTT_P50, bands.get(0)).isEmpty());
        assertEquals(1, comparison().ratios(Metric.RTT_P50, bands.get(1)).count());
    }

    @Test
    void shouldNotUseARunInWhichTheStateChanged() {
        add(PeerKind.SLUICE_IPC, NEAR, FAR, 2);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);

        assertTrue(comparison().ratios(Metric.RTT_P50).isEmpty());
        assertTrue(comparison().values(PeerKind.SLUICE_IPC, Metric.RTT_P50, new CoreBand(0, 1000)).isEmpty());
    }

    @Test
    void shouldNotUseARunThatOthersDisturbed() {
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        othersUse = 0.5;
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);

        assertTrue(comparison().ratios(Metric.RTT_P50).isEmpty());
        assertTrue(comparison().values(PeerKind.AERON_IPC, Metric.RTT_P50, new CoreBand(0, 1000)).isEmpty());
    }

    @Test
    void shouldUseTheLastAttemptOfARound() {
        othersUse = 0.5;
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 9);
        othersUse = 0;
        round--;
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);

        assertEquals(new Sample(1, 2, 2, 2), comparison().ratios(Metric.RTT_P50));
        assertEquals(1, comparison().pairCount());
    }

    /** Near cores at both ends, and far ones for a part of it. */
    @ParameterizedTest
    @CsvSource({
        "1.9, 200, 200, 200, true",
        "2.1, 200, 200, 200, false",
        "1, 200, 350, 210, true",
        "1, 200, 600, 210, false",
        "1, 200, 210, 600, false",
        "1, 600, 610, 200, false"})
    void shouldNotCompareARunDuringWhichTheCoresMoved(
        double spread, long lowerQuartileNs, long upperQuartileNs, double batchNs, boolean isSteady) {
        final Histogram roundTrips = new Histogram(3);
        roundTrips.recordValueWithCount(lowerQuartileNs, 50);
        roundTrips.recordValueWithCount(upperQuartileNs, 50);
        final Run run = new Run(
            PeerKind.SLUICE_IPC, POINT, 1, new MachineState(NEAR, NEAR, spread, 0, 0),
            Map.of(Metric.RTT_P50, 0.2, Metric.RTT_BATCH, batchNs / 1000), Map.of(), roundTrips, null);

        assertEquals(isSteady, run.isSteady());
        assertEquals(isSteady, run.counts());
    }

    @Test
    void shouldCountEachComparedRunOnce() {
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 1);
        add(PeerKind.SLUICE_IPC, FAR, FAR, 2);

        assertEquals(2, comparison().ratios(Metric.RTT_P50).count());
        final CoreBand near = comparison().bands().getFirst();
        assertEquals(1, comparison().comparedCount(PeerKind.SLUICE_IPC, near));
        assertEquals(2, comparison().comparedCount(PeerKind.AERON_IPC, near));
        final CoreBand far = comparison().bands().getLast();
        assertEquals(0, comparison().comparedCount(PeerKind.SLUICE_IPC, far));
    }

    @Test
    void shouldNeverAverageAFailedRun() {
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        runs.add(new Run(
            PeerKind.AERON_IPC, POINT, 1, new MachineState(NEAR, NEAR, 1, 0, 0), Map.of(), Map.of(), null,
            new Failure("lost a message", false)));
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);

        assertTrue(comparison().ratios(Metric.RTT_P50).isEmpty());
        assertEquals(2, comparison().pairCount());
        assertEquals(
            new Sample(2, 2, 2, 2), comparison().values(PeerKind.SLUICE_IPC, Metric.RTT_P50, new CoreBand(130, 130)));
    }

    @Test
    void shouldLeaveOtherPeersOut() {
        add(PeerKind.SLUICE_IPC, NEAR, NEAR, 2);
        add(PeerKind.CACHE_LINE, NEAR, NEAR, 1);
        add(PeerKind.AERON_IPC, NEAR, NEAR, 4);

        assertEquals(new Sample(1, 0.5, 0.5, 0.5), comparison().ratios(Metric.RTT_P50));
    }

    @Test
    void shouldTakeRunsWithSomeScatterForOneState() {
        add(PeerKind.SLUICE_IPC, new CoreRoundTrip(250), new CoreRoundTrip(300), 2);
        add(PeerKind.AERON_IPC, new CoreRoundTrip(280), new CoreRoundTrip(240), 1);

        assertEquals(new Sample(1, 2, 2, 2), comparison().ratios(Metric.RTT_P50));
        assertEquals(List.of(new CoreBand(250, 280)), comparison().bands());
    }

    @Test
    void shouldTakeTheMeanOfTheTwoMiddleValues() {
        assertEquals(new Sample(4, 2.5, 1, 9), Sample.of(List.of(9.0, 1.0, 3.0, 2.0)));
    }

    private void add(PeerKind peer, CoreRoundTrip before, CoreRoundTrip after, double valueUs) {
        runs.add(new Run(
            peer, POINT, ++round, new MachineState(before, after, 1, othersUse, 0),
            Map.of(Metric.RTT_P50, valueUs, Metric.RTT_P99, valueUs, Metric.RTT_P999, valueUs), Map.of(), null,
            null));
    }

    private Comparison comparison() {
        return Comparison.of(runs, PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, POINT);
    }
}
