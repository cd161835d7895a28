package io.sluice.perf.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each case connects its streams and comes to rest; its figures mean nothing here. */
@Tag("slow")
class EmbedSessionTest {
    @ParameterizedTest
    @EnumSource(EmbedCase.class)
    void shouldMeasureEachCaseInAFreshProcess(final EmbedCase embedCase) throws Exception {
        final List<String> told = new ArrayList<>();

        final List<EmbedResult> results =
            new EmbedSession(List.of(embedCase), 1, 0, TimeUnit.MILLISECONDS.toNanos(1), 0).run(told::add);

        assertEquals(List.of("round 1 of 1: " + embedCase.label()), told);
        final EmbedResult result = results.getFirst();
        assertTrue(result.firstLinkMs() > 0 && result.nextLinkMs() > 0, result::toString);
        assertEquals(embedCase.isInvoked(), result.cycleNs() > 0, result::toString);
    }
}
