package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({"0, 0", "4096, 4096", "4k, 4096", "4K, 4096", "64m, 67108864", "1g, 1073741824", "1G, 1073741824",
        "-4k, -4096"})
    void shouldReadSizes(final String text, final long expected) {
        assertEquals(expected, Quantities.size("window", text, MIN, MAX));
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "5ns, 5", "7us, 7000", "100ms, 100000000", "5s, 5000000000", "5S, 5000000000", "-1us, -1000"})
    void shouldReadDurations(final String text, final long expected) {
        assertEquals(expected, Quantities.durationNs("linger", text, MIN, MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "k", "m", "four", "4kb", "4 k", "0x10", "1.5m", "-", "+k", "99999999999999999999q", "\u0661"
    })
    void shouldRefuseWhatIsNoSize(final String text) {
        assertTold("expected bytes, or a number with k, m or g: window=" + text,
            () -> Quantities.size("window", text, MIN, MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ms", "s", "fast", "5m", "5 s", "1.5s", "-", "99999999999999999999m"})
    void shouldRefuseWhatIsNoDuration(final String text) {
        assertTold("expected nanoseconds, or a number with ns, us, ms or s: window=" + text,
            () -> Quantities.durationNs("window", text, MIN, MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1k", "one", "1.0", "2147483648000000000000k"})
    void shouldRefuseWhatIsNoCount(final String text) {
        assertTold("expected a whole number: window=" + text, () -> Quantities.count("window", text, MIN, MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999s", "9223372036854775807s", "99999999999999999999", "3601s", "-1s"})
    void shouldTellTheRangeOfADurationHoweverFarItIsOut(final String text) {
        assertTold("out of range: linger=" + text + " minimum=0 maximum=3600000000000 unit=ns",
            () -> Quantities.durationNs("linger", text, 0, 3_600_000_000_000L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807k", "99999999999999999999", "17g", "4095", "-4k"})
    void shouldTellTheRangeOfASizeHoweverFarItIsOut(final String text) {
        assertTold("out of range: window=" + text + " minimum=4096 maximum=1073741824 unit=bytes",
            () -> Quantities.size("window", text, 4096, 1 << 30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648000000000000", "65", "0", "-99999999999999999999"})
    void shouldTellTheRangeOfACountHoweverFarItIsOut(final String text) {
        assertTold("out of range: pollers=" + text + " minimum=1 maximum=64",
            () -> Quantities.count("pollers", text, 1, 64));
    }

    @Test
    void shouldNameValueAndBoundsOfWhatIsOutOfRange() {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> Quantities.checkRange("window", 10, 11, 20));
        assertTrue(ex.getMessage().contains("window=10"), ex.getMessage());
        assertTrue(ex.getMessage().contains("minimum=11"), ex.getMessage());
        assertTrue(ex.getMessage().contains("maximum=20"), ex.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Quantities.checkRange("window", 21, 11, 20));
        assertEquals(11, Quantities.checkRange("window", 11, 11, 20));
        assertEquals(20, Quantities.checkRange("window", 20, 11, 20));
    }

    private static void assertTold(final String expected, final Executable call) {
        assertEquals(expected, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"3, 2, 4", "5000, 4096, 8192", "2147483647, 1073741824, 2147483648"})
    void shouldNameThePowersOfTwoBesideANumber(final int value, final long below, final long above) {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> Quantities.checkPowerOfTwo("ring", value, " channel=c")).getMessage();

        assertEquals(
            "not a power of two: ring=" + value + " below=" + below + " above=" + above + " channel=c", message);
    }

    @Test
    void shouldTakePowersOfTwo() {
        assertDoesNotThrow(() -> Quantities.checkPowerOfTwo("ring", 4096, ""));
    }
}
