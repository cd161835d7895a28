package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The cursor of a batch, as a completion queue moves it. */
class CompletionBatchTest {
    private final CompletionBatch batch = new CompletionBatch(CompletionField.BYTE_LENGTH);
    private long id;

    private void fill(final int count) {
        final MemorySegment records =
            MemorySegment.ofAddress(batch.address()).reinterpret(CompletionBatch.CAPACITY * ibv_wc.sizeof());
        for (int i = 0; i < count; i++) {
            final MemorySegment record = ibv_wc.asSlice(records, i);
            ibv_wc.wr_id(record, ++id);
            ibv_wc.byte_len(record, (int) id * 10);
        }
        batch.fill(count);
    }

    @Test
    void shouldPassOverEachCompletionOnce() {
        assertTrue(batch.isDrained());
        fill(2);
        batch.start();

        assertEquals(1, batch.workRequestId());
        assertEquals(10, batch.byteLength());
        assertTrue(batch.next());
        assertEquals(2, batch.workRequestId());
        assertEquals(20, batch.byteLength());
        assertFalse(batch.next());
        assertTrue(batch.isShort());
        assertEquals(2, batch.workRequestId(), "the last one stays current");
        batch.end();
        assertTrue(batch.isDrained());
    }

    @Test
    void shouldBeginWithWhatWasLeftBehind() {
        fill(3);
        batch.start();
        batch.end();

        assertFalse(batch.isDrained());
        batch.start();
        assertEquals(2, batch.workRequestId());
        assertTrue(batch.next());
        assertEquals(3, batch.workRequestId());
        batch.end();
        assertTrue(batch.isDrained());
    }

    @Test
    void shouldGoOnWithWhatWasTakenWithinTheBatch() {
        fill(CompletionBatch.CAPACITY);
        batch.start();
        for (int i = 1; i < CompletionBatch.CAPACITY; i++) {
            assertTrue(batch.next());
        }
        assertFalse(batch.next());
        assertFalse(batch.isShort());

        fill(1);
        assertEquals(CompletionBatch.CAPACITY + 1, batch.workRequestId());
        assertFalse(batch.next());
        batch.end();
        assertTrue(batch.isDrained());
    }

    @Test
    void shouldRefuseWhatIsOutOfOrder() {
        assertThrows(IllegalStateException.class, batch::next);
        assertThrows(IllegalStateException.class, batch::end);
        assertThrows(IllegalStateException.class, batch::status);
        fill(1);
        batch.start();

        assertEquals("startPoll within a batch: endPoll has not been called",
            assertThrows(IllegalStateException.class, batch::checkEnded).getMessage());
        assertEquals("queuePairNumber was not asked for when the completion queue was created",
            assertThrows(IllegalStateException.class, batch::queuePairNumber).getMessage());
        batch.end();
        assertEquals("status outside a batch: startPoll has not succeeded",
            assertThrows(IllegalStateException.class, batch::status).getMessage());
    }
}
