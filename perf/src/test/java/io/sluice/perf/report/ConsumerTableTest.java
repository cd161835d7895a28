package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.sluice.perf.rig.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsumerTableTest {
    private static final CoreRoundTrip NEAR = new CoreRoundTrip(130);
    private static final CoreRoundTrip FAR = new CoreRoundTrip(500);
    private static final Point ONE = new Point(Measure.HAND_OFF, 32);
    private static final Point FOUR = new Point(Measure.HAND_OFF_4, 32);

    private final List<Run> runs = new ArrayList<>();
    private int round = 1;

    @Test
    void shouldDivideByTheFurtherConsumers() {
        add(ONE, NEAR, 100);
        add(FOUR, NEAR, 130);
        add(FOUR, NEAR, 160);

        assertTwoAdded(10, 20);
    }

    @Test
    void shouldCompareOnlyInOneStateOfTheMachine() {
        add(ONE, FAR, 100);
        add(FOUR, NEAR, 130);

        assertTrue(ConsumerTable.added(runs, PeerKind.SLUICE_RING, FOUR).percent().isEmpty());
    }

    @Test
    void shouldTakeTheStateWithTheMostPairs() {
        add(ONE, FAR, 1000);
        add(FOUR, FAR, 1300);
        round++;
        add(ONE, NEAR, 100);
        add(FOUR, NEAR, 160);
        add(FOUR, NEAR, 190);

        assertTwoAdded(20, 30);
    }

    @Test
    void shouldCompareOnlyWithinARound() {
        add(ONE, NEAR, 100);
        round++;
        add(FOUR, NEAR, 130);

        assertTrue(ConsumerTable.added(runs, PeerKind.SLUICE_RING, FOUR).percent().isEmpty());
    }

    /** However many pairs its attempts make. */
    @Test
    void shouldNotJudgeByFewRounds() {
        add(ONE, NEAR, 100);
        add(FOUR, NEAR, 160);
        add(FOUR, NEAR, 160);
        round++;
        add(ONE, NEAR, 100);
        add(FOUR, NEAR, 160);

        assertEquals(List.of("sluice:ring, 4 consumers, 32 B", "20.0 % [20.0 – 20.0]", "3", "2", "NOT JUDGED"),
            rows().get(1));
    }

    @Test
    void shouldNotBeMetByTheRunsThatAreLeftWhenOthersFailed() {
        for (; round <= 3; round++) {
            add(ONE, NEAR, 100);
            add(FOUR, NEAR, 103);
        }
        assertEquals("met", rows().get(1).getLast());

        runs.add(new Run(
            PeerKind.SLUICE_RING, FOUR, round, new MachineState(NEAR, NEAR, 1, 0, 0), Map.of(), Map.of(), null,
            new Failure("lost a message", false)));

        assertEquals("NOT JUDGED: 1 runs FAILED", rows().get(1).getLast());
    }

    @Test
    void shouldJudgeSluiceOnly() {
        for (round = 1; round <= 3; round++) {
            add(ONE, NEAR, 100);
            add(FOUR, NEAR, 160);
        }

        final List<List<String>> rows = rows();

        assertEquals(
            List.of("sluice:ring, 4 consumers, 32 B", "20.0 % [20.0 – 20.0]", "3", "3", "MISSED"), rows.get(1));
        assertEquals(List.of("disruptor, 4 consumers, 32 B", "-", "0", "0", ""), rows.get(2));
    }

    private void assertTwoAdded(double min, double max) {
        final Sample added = ConsumerTable.added(runs, PeerKind.SLUICE_RING, FOUR).percent();

        assertEquals(2, added.count());
        assertEquals(min, added.min(), 1e-9);
        assertEquals(max, added.max(), 1e-9);
    }

    private List<List<String>> rows() {
        final Plan plan = new Plan(
            List.of(PeerKind.SLUICE_RING, PeerKind.DISRUPTOR), List.of(Measure.HAND_OFF, Measure.HAND_OFF_4),
            List.of(32), List.of(), new Effort(3, 0, 0, 0, 0), 0, 1, "");
        return ConsumerTable.of(plan, runs).rows();
    }

    private void add(Point point, CoreRoundTrip cores, double oneWayNs) {
        runs.add(new Run(
            PeerKind.SLUICE_RING, point, round, new MachineState(cores, cores, 1, 0, 0),
            Map.of(Metric.ONE_WAY, oneWayNs), Map.of(), null, null));
    }
}
