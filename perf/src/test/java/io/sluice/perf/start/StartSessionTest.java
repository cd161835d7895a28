package io.sluice.perf.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each case makes round trips, one of them from a cache; the figures mean nothing here. */
@Tag("slow")
class StartSessionTest {
    @Test
    void shouldMeasureEachCaseInAFreshProcess() throws Exception {
        final List<String> told = new ArrayList<>();

        final List<StartResult> results = new StartSession(1, TimeUnit.SECONDS.toNanos(2), 0).run(told::add);

        assertEquals(List.of("making the cache", "round 1 of 1: plain", "round 1 of 1: aot-cache"), told);
        assertEquals(
            List.of(StartCase.PLAIN, StartCase.CACHED), results.stream().map(StartResult::startCase).toList());
        for (final StartResult result : results) {
            assertTrue(result.connectedMs() > 0 && result.steadyMs() > result.connectedMs() && result.steadyNs() > 0,
                result::toString);
        }
    }
}
