package io.sluice.transport.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkRequestIdTest {
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 268435455, -1", "3, 1, -2147483648", "15, 268435455, 2147483647", "4, 4096, 1"})
    void shouldUnpackWhatWasPacked(final int kind, final int index, final int generation) {
        final long id = WorkRequestId.pack(kind, index, generation);
        assertEquals(kind, WorkRequestId.kind(id));
        assertEquals(index, WorkRequestId.index(id));
        assertEquals(generation, WorkRequestId.generation(id));
    }

    @Test
    void shouldKeepItsLayout() {
        assertEquals(0x3012_3456_89AB_CDEFL, WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0x0012_3456, 0x89AB_CDEF));
    }

    @Test
    void shouldTellGenerationsOfOneIndexApart() {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            final int index = random.nextInt(WorkRequestId.MAX_INDEX + 1);
            final int generation = random.nextInt();
            final long id = WorkRequestId.pack(WorkRequestId.KIND_DATA, index, generation);
            assertNotEquals(id, WorkRequestId.pack(WorkRequestId.KIND_DATA, index, generation + 1));
            assertNotEquals(id, WorkRequestId.pack(WorkRequestId.KIND_FEEDBACK, index, generation));
        }
    }

    @Test
    void shouldNeverMakeTheIdThatMeansNone() {
        assertNotEquals(0L, WorkRequestId.pack(WorkRequestId.KIND_DATA, 0, 0));
    }
}
