package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GrowthRatesTest {
    private static final String ID = "a stream";

    private final GrowthRates rates = new GrowthRates();

    private long look(final long position, final long refreshedEpochMs) {
        rates.begin();
        return rates.of(ID, position, refreshedEpochMs);
    }

    @Test
    void shouldTellTheGrowthByWhenPositionsWereBroughtUpToDate() {
        assertEquals(Backlog.NOT_KNOWN, look(1000, 10_000));
        assertEquals(2000, look(2000, 10_500));
        assertEquals(2000, look(2000, 10_500));
        assertEquals(0, look(2000, 10_600));
    }

    @Test
    void shouldTellNothingAcrossAClockThatWasSetBack() {
        look(1000, 10_000);
        assertEquals(Backlog.NOT_KNOWN, look(2000, 9_000));
        assertEquals(1000, look(2100, 9_100));
    }

    @Test
    void shouldForgetWhoWasNotLookedAt() {
        look(1000, 10_000);
        rates.begin();
        assertEquals(Backlog.NOT_KNOWN, look(2000, 11_000));
        assertEquals(Backlog.NOT_KNOWN, look(Backlog.NOT_KNOWN, 12_000));
    }
}
