package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopReportTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "9999, 9999", "10000, 10.0k", "99949, 99.9k", "99951, 100k", "999499, 999k", "999500, 1.0M",
        "1234567890, 1.2G", "9223372036854775807, 9.2E"})
    void shouldScaleNumbersToFourDigitsAtMost(final long value, final String expected) {
        assertEquals(expected, TopReport.scaled(value));
    }
}
