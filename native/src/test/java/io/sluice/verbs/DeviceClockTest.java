package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceClockTest {
    @ParameterizedTest
    @CsvSource({
        "1000000, 17, 17", "156250, 1, 6", "156250, 156250, 1000000", "156250, 5, 32", "1, 3, 3000000",
        "427000, 427000000000, 1000000000000", "1000000, 9223372036854775807, 9223372036854775807",
        "2000000, -3, -1", "1000000000, 9223372036854775807, 9223372036854775"})
    void shouldConvertTicks(final long frequencyKHz, final long ticks, final long ns) {
        assertEquals(ns, new DeviceClock(frequencyKHz, -1).toNs(ticks));
    }

    @Test
    void shouldNotRunOver() {
        assertThrows(ArithmeticException.class, () -> new DeviceClock(156_250, -1).toNs(Long.MAX_VALUE));
        assertThrows(ArithmeticException.class, () -> new DeviceClock(Long.MAX_VALUE, -1).toNs(Long.MAX_VALUE - 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void shouldSayThatTheFrequencyIsNotKnown(final long frequencyKHz) {
        final VerbsException e = assertThrows(VerbsException.class, () -> new DeviceClock(frequencyKHz, -1).toNs(1));

        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("hca_core_clock=" + frequencyKHz), e.getMessage());
    }

    @Test
    void shouldCountTicksOverTheEndOfATimestamp() {
        final DeviceClock clock = new DeviceClock(1000, 0xffff);

        assertEquals(5, clock.elapsedTicks(0xfffe, 3));
        assertEquals(7, clock.elapsedTicks(0x1_0003, 0x5_000a), "what lies beyond the mask is none");
        assertEquals(-5, DeviceClock.UNKNOWN.elapsedTicks(10, 5));
        assertEquals(2, new DeviceClock(1000, -1).elapsedTicks(-1, 1));
    }
}
