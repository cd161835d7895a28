package io.sluice.perf.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class BlocksTest {
    private static final long BLOCK_NS = 1_000;

    private final Blocks blocks = new Blocks();
    private long endNs;

    private void add(final int count, final long medianNs) {
        for (int i = 0; i < count; i++) {
            endNs += BLOCK_NS;
            blocks.add(endNs, new long[] {medianNs + 1, 1_000_000, medianNs, 1, medianNs - 1});
        }
    }

    /** The end of the first block of a window of which more than half comes after so many blocks. */
    private static long endOfFirst(final int slowBlocks) {
        return (slowBlocks + Blocks.WINDOW / 2 + 1 - Blocks.WINDOW + 1) * BLOCK_NS;
    }

    @Test
    void shouldBeSteadyFromTheFirstBlocksOnThatAreAsFastAsTheLast() {
        add(2_000, 500);
        add(1_000, 121);
        add(3_000, 119);
        add(3_000, 100);

        assertEquals(100, blocks.steadyNs());
        assertEquals(endOfFirst(3_000), blocks.steadyAfterNs());
    }

    @Test
    void shouldNotTakeALuckyBlockForSteady() {
        add(50, 500);
        add(4, 100);
        add(50, 500);
        add(100, 100);

        assertEquals(endOfFirst(104), blocks.steadyAfterNs());
    }

    @Test
    void shouldRefuseFewerBlocksThanAMedianNeeds() {
        add(Blocks.WINDOW - 1, 100);

        assertThrows(IllegalStateException.class, blocks::steadyNs);
    }
}
