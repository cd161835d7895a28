package io.sluice.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuListTest {
    @Test
    void shouldReadRangesAndNumbers() {
        assertArrayEquals(new int[] {1, 2, 3, 5, 8, 9, 10, 11}, CpuList.parse("1-3,5,8-11"));
    }

    @Test
    void shouldReadTheLineOfAFile() {
        assertArrayEquals(new int[] {0, 1}, CpuList.parse("0-1\n"));
    }

    @Test
    void shouldSortAndMergeWhatOverlaps() {
        assertArrayEquals(new int[] {0, 3, 4, 5}, CpuList.parse("4-5,3-4,0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void shouldReadNothingFromABlankList(final String list) {
        assertArrayEquals(new int[0], CpuList.parse(list));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "x", "1-", "-1", "1--2", "1,", ",1", "1,,2", "1 2", "0x3", "1-3:2/4", "(null)", "\u0661"})
    void shouldRefuseGarbage(final String list) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> CpuList.parse(list)).getMessage();
        assertTrue(message.contains("list='" + list + "'"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3-1", "8192", "0-8192", "99999999999", "0-99999999999"})
    void shouldRefuseWhatIsOutOfBounds(final String list) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> CpuList.parse(list)).getMessage();
        assertTrue(message.contains("below 8192"), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0", "0-3", "1-3,5,8-11", "0,2,4", "8190-8191"})
    void shouldWriteWhatItReads(final String list) {
        assertEquals(list, CpuList.format(CpuList.parse(list)));
    }

    @Test
    void shouldWriteAnEmptySetAsNone() {
        assertEquals("none", CpuList.format(new int[0]));
    }
}
