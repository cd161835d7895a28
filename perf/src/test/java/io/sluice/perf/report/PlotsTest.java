package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.report.Plot.Curve;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Effort;
import io.sluice.perf.rig.Failure;
import io.sluice.perf.rig.MachineState;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * A plot is of one state of the machine, and of systems that did not fail.
 */
class PlotsTest {
    private static final double NEAR_NS = 110;
    private static final double FAR_NS = 500;
    private static final Point ROUND_TRIPS = new Point(Measure.ROUND_TRIP, 32);
    private static final Point SHORT = new Point(Measure.THROUGHPUT, 32);
    private static final Point LONG = new Point(Measure.THROUGHPUT, 1024);

    private final List<Run> runs = new ArrayList<>();
    private List<PeerKind> peers = List.of(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, PeerKind.TCP);
    private int round = 1;

    @Test
    void shouldAddUpRoundTripsOfOneStateOnly() {
        addRound(ROUND_TRIPS, NEAR_NS, 1);
        addRound(ROUND_TRIPS, FAR_NS, 5);
        addRound(ROUND_TRIPS, FAR_NS + 20, 5);

        final Plot plot = plots().getFirst();

        assertEquals("Round trips by percentile, 32 B, cores 500 – 520 ns", plot.title());
        assertTrue(plot.caption().startsWith("6 runs that count in one state of the cores, 500 – 520 ns apart"),
            plot.caption());
        assertEquals(List.of("sluice:ipc", "aeron:ipc", "tcp"), plot.curves().stream().map(Curve::label).toList());
        plot.curves().forEach(curve -> assertEquals(5, curve.y().getFirst(), 0.1, curve.label()));
    }

    /** Five runs with far cores, but all neighbours that may be compared have near ones. */
    @Test
    void shouldTakeTheStateWithTheMostPairs() {
        peers = List.of(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC);
        addRound(ROUND_TRIPS, NEAR_NS, 1);
        for (int i = 0; i < 5; i++) {
            add(PeerKind.SLUICE_IPC, ROUND_TRIPS, FAR_NS, 5, null);
        }

        assertEquals("Round trips by percentile, 32 B, cores 110 – 110 ns", plots().getFirst().title());
    }

    @Test
    void shouldTakeTheStateWithTheMostRunsOfASystemAlone() {
        peers = List.of(PeerKind.SLUICE_IPC);
        addRound(ROUND_TRIPS, NEAR_NS, 1);
        addRound(ROUND_TRIPS, FAR_NS, 5);
        addRound(ROUND_TRIPS, FAR_NS, 5);

        assertEquals("Round trips by percentile, 32 B, cores 500 – 500 ns", plots().getFirst().title());
    }

    @Test
    void shouldDrawACurveOverLengthsInOneState() {
        addRound(SHORT, NEAR_NS, 60);
        addRound(SHORT, FAR_NS, 20);
        addRound(LONG, FAR_NS, 7);
        addRound(LONG, FAR_NS, 9);

        final Plot plot = plots().getFirst();

        assertEquals("Throughput by message length, cores 500 – 500 ns", plot.title());
        plot.curves().forEach(curve -> assertEquals(List.of(20.0, 8.0), curve.y(), curve.label()));
    }

    @Test
    void shouldLeaveOutWhereARunFailed() {
        addRound(ROUND_TRIPS, NEAR_NS, 1);
        addRound(SHORT, NEAR_NS, 60);
        addRound(LONG, NEAR_NS, 7);
        add(PeerKind.AERON_IPC, ROUND_TRIPS, NEAR_NS, 1, new Failure("lost a message", false));
        add(PeerKind.AERON_IPC, SHORT, NEAR_NS, 1, new Failure("lost a message", false));

        final List<Plot> plots = plots();

        assertEquals(
            List.of("sluice:ipc", "tcp"), plots.getFirst().curves().stream().map(Curve::label).toList());
        final List<Curve> throughput = plots.getLast().curves();
        assertEquals(List.of(60.0, 7.0), throughput.getFirst().y());
        assertEquals(Arrays.asList(null, 7.0), throughput.get(1).y());
    }

    private void addRound(Point point, double coresNs, double value) {
        peers.forEach(peer -> add(peer, point, coresNs, value, null));
        round++;
    }

    private void add(PeerKind peer, Point point, double coresNs, double value, Failure failure) {
        final CoreRoundTrip cores = new CoreRoundTrip(coresNs);
        final Histogram roundTrips = new Histogram(3);
        roundTrips.recordValue((long) (value * 1000));
        runs.add(new Run(
            peer, point, round, new MachineState(cores, cores, 1, 0, 0),
            Map.of(Metric.RTT_P50, value, Metric.MESSAGE_RATE, value), Map.of(),
            point.measure() == Measure.ROUND_TRIP && failure == null ? roundTrips : null, failure));
    }

    private List<Plot> plots() {
        final Plan plan = new Plan(
            peers, List.of(Measure.ROUND_TRIP, Measure.THROUGHPUT), List.of(32, 1024), List.of(),
            new Effort(3, 0, 0, 0, 0), 0, 1, "");
        return new Plots(plan, runs).all();
    }
}
