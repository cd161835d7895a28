package io.sluice.transport.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short soak in which every kind of fault happens. */
class SoakTest {
    /** Seed with which every kind of fault is in it. */
    private static final long SEED = 20_261_101;
    private static final long DURATION_MS = 24_500;
    private static final long SECONDS = 400;

    @Test
    @Timeout(value = SECONDS, unit = TimeUnit.SECONDS)
    void shouldLoseNothingWhateverHappens() throws IOException {
        final SoakSettings settings = new SoakSettings(DURATION_MS, SEED, 2, 3, SoakSettings.DEFAULT_CHANNEL);
        try (Soak soak = new Soak(settings, System.out::println)) {
            final SoakReport report = soak.run();
            System.out.println(report.table());
            assertTrue(report.isFlawless(), report::table);
            long caused = 0;
            long underLoad = 0;
            for (final FaultKind kind : FaultKind.values()) {
                assertTrue(report.caused(kind) > 0, kind::label);
                caused += report.caused(kind);
                underLoad += report.underLoad(kind);
            }
            // not all: what was in flight is known at least, as subscribers go on consuming until a fault has struck
            assertTrue(2 * underLoad > caused, report::table);
            assertTrue(report.messages() > 0, report::table);
        }
    }
}
