package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CoreBandTest {
    @Test
    void shouldLeaveAnOutlierAloneAndNotSplitTheOthersWithIt() {
        assertEquals(List.of(new CoreBand(74, 74), new CoreBand(98, 131), new CoreBand(490, 535)),
            bands(515, 74, 98, 131, 105, 490, 110, 115, 124, 535));
    }

    @Test
    void shouldBeAsWideAsOneStateAndNoWider() {
        assertEquals(List.of(new CoreBand(100, 150)), bands(150, 120, 100));
        assertEquals(List.of(new CoreBand(100, 120), new CoreBand(151, 151)), bands(151, 120, 100));
    }

    @Test
    void shouldSplitWhatGrowsWithoutAGapWhereTheStepIsWidest() {
        assertEquals(List.of(new CoreBand(100, 140), new CoreBand(200, 280)), bands(100, 120, 140, 200, 230, 280));
    }

    @Test
    void shouldHaveOneBandOfEqualRunsAndNoneOfNone() {
        assertEquals(List.of(new CoreBand(110, 110)), bands(110, 110));
        assertEquals(List.of(), bands());
    }

    private static List<CoreBand> bands(double... medianNs) {
        return CoreBand.of(DoubleStream.of(medianNs).mapToObj(CoreRoundTrip::new).map(cores -> new Run(
            PeerKind.SLUICE_IPC, new Point(Measure.ROUND_TRIP, 32), 1, new MachineState(cores, cores, 1, 0, 0),
            Map.of(), Map.of(), null, null)).toList());
    }
}
