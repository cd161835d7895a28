package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wall clock over clocks that the test moves. */
class WallClockTest {
    private static final long BEGIN_NS = 1_700_000_000_123_456_789L;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private long monotonicNs = -17;
    private long wallNs = BEGIN_NS;
    private int exactReads;
    private final WallClock clock = new WallClock(() -> monotonicNs, () -> Math.floorDiv(wallNs, 1_000_000L), () -> {
        exactReads++;
        return wallNs;
    });

    private void advance(final long durationNs) {
        monotonicNs += durationNs;
        wallNs += durationNs;
    }

    @Test
    void shouldTellTheTimeToTheNanosecond() {
        assertEquals(BEGIN_NS, clock.epochNs());
        for (final long durationNs : new long[] {1, 999, 1_000_000, SECOND_NS, 3600 * SECOND_NS}) {
            advance(durationNs);
            assertEquals(wallNs, clock.epochNs());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, -3_600_000_000_000L, 2_000_000L, -2_000_000L})
    void shouldFollowAClockThatIsMoved(final long stepNs) {
        advance(WallClock.LOOK_INTERVAL_NS);
        clock.epochNs();
        wallNs += stepNs;
        advance(WallClock.LOOK_INTERVAL_NS);
        assertEquals(wallNs, clock.epochNs());
        advance(1);
        assertEquals(wallNs, clock.epochNs());
    }

    /** Many read at a high rate: whoever is the first after the interval notices. */
    @Test
    void shouldFollowWithinItsIntervalHoweverOftenItIsRead() {
        clock.epochNs();
        wallNs -= 10 * SECOND_NS;
        for (long passedNs = 0; passedNs < WallClock.LOOK_INTERVAL_NS; passedNs += 1_000_000) {
            advance(1_000_000);
            clock.epochNs();
        }
        assertEquals(wallNs, clock.epochNs());
    }

    /** A time that is exact to the nanosecond allocates, and no other one does. */
    @Test
    void shouldReadTheExactClockOnlyWhenTheOtherHasMoved() {
        final int before = exactReads;
        for (int i = 0; i < 1000; i++) {
            advance(WallClock.LOOK_INTERVAL_NS + 333);
            assertEquals(wallNs, clock.epochNs());
        }
        assertEquals(before, exactReads);
        wallNs += SECOND_NS;
        advance(WallClock.LOOK_INTERVAL_NS);
        clock.epochNs();
        assertEquals(before + 1, exactReads);
    }
}
