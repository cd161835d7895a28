package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RateMeterTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final RateMeter meter = new RateMeter(-SECOND_NS);

    @Test
    void shouldTellWhatHappenedPerSecondSinceTheLastLine() {
        assertEquals("    1 s         2,000 messages/s       3.5 MB/s", meter.line(0, 2_000, 3_500_000));
        assertEquals("    3 s           500 messages/s       1.0 MB/s",
            meter.line(2 * SECOND_NS, 3_000, 5_500_000));
    }

    @Test
    void shouldNotDivideByNothing() {
        assertEquals("    0 s             0 messages/s       0.0 MB/s", meter.line(-SECOND_NS, 0, 0));
    }
}
