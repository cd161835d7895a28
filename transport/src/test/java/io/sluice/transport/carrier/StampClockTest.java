package io.sluice.transport.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Stamps on one host and across hosts, by clocks that the test moves. */
class StampClockTest {
    private static final long EPOCH_NS = 1_800_000_000_000_000_000L;

    private long nanoTime = -500;
    private long wallNs = EPOCH_NS - 500;

    private final StampClock clock = StampClock.acrossHosts(() -> nanoTime, () -> wallNs);

    @Test
    void shouldStampWithTheWallClockAcrossHosts() {
        nanoTime = 70;

        assertEquals(EPOCH_NS, clock.distanceNs());
        assertEquals(EPOCH_NS + 70, clock.nowNs());
        assertEquals(EPOCH_NS + 70, clock.epochNs(clock.nowNs()));
    }

    @Test
    void shouldStampWithTheMonotonicClockOnOneHost() {
        final StampClock local = clock.onOneHost();
        nanoTime = 70;

        assertEquals(0, local.distanceNs());
        assertEquals(70, local.nowNs());
        assertEquals(EPOCH_NS + 70, local.epochNs(local.nowNs()));
    }

    @Test
    void shouldNotGoBackwardsWhenTheWallClockIsPutBack() {
        nanoTime = 70;
        final long beforeNs = clock.nowNs();
        wallNs = 0;
        nanoTime = 71;

        assertEquals(beforeNs + 1, clock.nowNs());
    }

    /** A thread that loses its core between two readings measures a distance that is off by that time. */
    @Test
    void shouldTakeTheDistanceThatWasMeasuredInTheShortestTime() {
        final int[] readings = new int[1];

        final StampClock measured = StampClock.acrossHosts(() -> {
            nanoTime += readings[0]++ == 7 ? 2 : 1_000_000;
            return nanoTime;
        }, () -> EPOCH_NS + nanoTime);

        assertEquals(EPOCH_NS, measured.distanceNs(), 2);
    }
}
