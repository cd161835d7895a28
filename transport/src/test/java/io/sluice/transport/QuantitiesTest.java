package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "4096, 4096", "4k, 4096", "4K, 4096", "64m, 67108864", "1g, 1073741824", "1G, 1073741824"})
    void shouldReadSizes(final String text, final long expected) {
        assertEquals(expected, Quantities.size("window", text));
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "5ns, 5", "7us, 7000", "100ms, 100000000", "5s, 5000000000", "5S, 5000000000"})
    void shouldReadDurations(final String text, final long expected) {
        assertEquals(expected, Quantities.durationNs("linger", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "k", "m", "four", "4kb", "4 k", "0x10", "1.5m", "9223372036854775807k", "99999999999999999999"
    })
    void shouldRefuseWhatIsNoSize(final String text) {
        assertNamed(text, assertThrows(IllegalArgumentException.class, () -> Quantities.size("window", text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "ms", "s", "fast", "5m", "5 s", "1.5s", "9223372036854775807s", "-", "99999999999999999999"
    })
    void shouldRefuseWhatIsNoDuration(final String text) {
        assertNamed(text, assertThrows(IllegalArgumentException.class, () -> Quantities.durationNs("window", text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1k", "one", "1.0", "2147483648000000000000"})
    void shouldRefuseWhatIsNoCount(final String text) {
        assertNamed(text, assertThrows(IllegalArgumentException.class, () -> Quantities.count("window", text)));
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

    private static void assertNamed(final String value, final Exception ex) {
        assertTrue(ex.getMessage().contains("window=" + value), ex.getMessage());
    }
}
