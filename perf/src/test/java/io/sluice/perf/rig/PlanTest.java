package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which a plan is run. */
class PlanTest {
    private static final List<PeerKind> RINGS = List.of(PeerKind.SLUICE_RING, PeerKind.DISRUPTOR);

    @Test
    void shouldTakeTurnsAtEachPoint() {
        assertEquals(
            List.of(
                "SLUICE_IPC rtt 32 1", "CACHE_LINE rtt 32 1", "SLUICE_IPC rtt 32 2", "CACHE_LINE rtt 32 2",
                "SLUICE_IPC rtt 64 1", "CACHE_LINE rtt 64 1", "SLUICE_IPC rtt 64 2", "CACHE_LINE rtt 64 2",
                "SLUICE_IPC throughput 32 1", "SLUICE_IPC throughput 32 2",
                "SLUICE_IPC throughput 64 1", "SLUICE_IPC throughput 64 2"),
            turns(List.of(PeerKind.SLUICE_IPC, PeerKind.CACHE_LINE), List.of(32, 64), Measure.ROUND_TRIP,
                Measure.THROUGHPUT));
    }

    @Test
    void shouldEndARoundOfAllHandOffsBeforeTheNextBegins() {
        assertEquals(
            List.of(
                "SLUICE_RING hand-off 32 1", "DISRUPTOR hand-off 32 1",
                "SLUICE_RING hand-off-8 32 1", "DISRUPTOR hand-off-8 32 1",
                "SLUICE_RING hand-off 32 2", "DISRUPTOR hand-off 32 2",
                "SLUICE_RING hand-off-8 32 2", "DISRUPTOR hand-off-8 32 2",
                "SLUICE_RING fan-out-1 32 1", "DISRUPTOR fan-out-1 32 1",
                "SLUICE_RING fan-out-1 32 2", "DISRUPTOR fan-out-1 32 2"),
            turns(RINGS, List.of(32), Measure.HAND_OFF, Measure.FAN_OUT_1, Measure.HAND_OFF_8));
    }

    @Test
    void shouldEndARoundOfAllPausesBeforeTheNextBegins() {
        assertEquals(
            List.of("DISRUPTOR slow-0ms 32 1", "DISRUPTOR slow-20ms 32 1", "DISRUPTOR slow-120ms 32 1",
                "DISRUPTOR slow-0ms 32 2", "DISRUPTOR slow-20ms 32 2", "DISRUPTOR slow-120ms 32 2"),
            turns(List.of(PeerKind.DISRUPTOR), List.of(32), Measure.SLOW_0, Measure.SLOW_20, Measure.SLOW_120));
    }

    private static List<String> turns(List<PeerKind> peers, List<Integer> lengths, Measure... measures) {
        final Plan plan = new Plan(
            peers, List.of(measures), lengths, List.of(1000), new Effort(2, 0, 0, 0, 0), 0, 1, "");
        assertEquals(plan.turns().size(), plan.runCount());
        return plan.turns().stream().map(turn -> String.join(" ", turn.peer().name(), turn.point().measure().label(),
            Integer.toString(turn.point().messageLength()), Integer.toString(turn.round()))).toList();
    }
}
