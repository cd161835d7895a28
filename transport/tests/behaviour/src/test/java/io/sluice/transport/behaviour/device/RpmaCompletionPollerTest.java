package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.rpma.RpmaError;
import io.sluice.rpma.ScriptedRpmaQueue;
import io.sluice.transport.completion.CompletionEvent;
import io.sluice.transport.completion.CompletionPoller;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A completion queue of librpma on a ring, as those of the verbs; there the library takes up to 16 at a time. */
class RpmaCompletionPollerTest {
    private static final int LENGTH = 64;
    private static final int EIO = 5;

    private final List<Throwable> errors = new ArrayList<>();
    private final RingBuffer<CompletionEvent> ring =
        RingBuffer.createSingleProducer(CompletionEvent::new, LENGTH, new BusySpinWaitStrategy());
    private final Sequence consumed = new Sequence();
    private ScriptedRpmaQueue script;
    private CompletionPoller poller;

    @BeforeEach
    void open() {
        final String missing = ScriptedRpmaQueue.missing();
        assumeTrue(missing.isEmpty(), missing);
        script = new ScriptedRpmaQueue();
        ring.addGatingSequences(consumed);
        poller = new CompletionPoller(script.queue(), ring, errors::add);
    }

    @AfterEach
    void close() {
        if (script != null) {
            script.close();
        }
    }

    private void complete(final int first, final int count) {
        for (int i = first; i < first + count; i++) {
            script.complete(i, 100 + i, -i);
        }
    }

    private CompletionEvent nextEvent() {
        final long sequence = consumed.get() + 1;
        assertTrue(sequence <= ring.getCursor(), "sequence=" + sequence + " cursor=" + ring.getCursor());
        consumed.set(sequence);
        return ring.get(sequence);
    }

    /** The slots are used again: what came before is not seen. */
    @Test
    void shouldCarryTheKeyThatAMessageHasInvalidated() {
        final int key = 0x0102_0304;
        for (int i = 0; i < 2 * LENGTH; i++) {
            if (i % 3 == 0) {
                script.invalidate(i, 8, key + i);
            } else if (i % 3 == 1) {
                script.complete(i, 8, -1);
            } else {
                script.fail(i, WorkStatus.WR_FLUSH_ERR);
            }
            assertEquals(1, poller.doWork());
            final CompletionEvent event = nextEvent();
            assertEquals(i % 3 == 0 ? key + i : 0, event.invalidatedKey());
            assertEquals(i % 3 == 1 ? -1 : 0, event.immediateData());
            if (i % 3 == 0) {
                assertEquals(WorkFlags.WITH_INVALIDATED_KEY, event.flags());
            }
        }
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 33, LENGTH})
    void shouldPublishEachCompletionInOrderWithAllItsFields(final int count) {
        for (int round = 0; round < 3; round++) {
            complete(round * count, count);
            assertEquals(count, poller.doWork());
            for (int i = round * count; i < (round + 1) * count; i++) {
                final CompletionEvent event = nextEvent();
                assertEquals(i, event.workRequestId());
                assertTrue(event.isSuccess());
                assertEquals(ScriptedRpmaQueue.OPCODE, event.opcode());
                assertEquals(ScriptedRpmaQueue.FLAGS, event.flags());
                assertEquals(100 + i, event.byteLength());
                assertEquals(-i, event.immediateData());
                assertEquals(ScriptedRpmaQueue.NUMBER, event.queuePairNumber());
            }
        }
        assertEquals(0, poller.doWork());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTakeFourFieldsOnlyOfACompletionThatHasFailed() {
        script.complete(1, 100, 5);
        script.fail(2, WorkStatus.REM_ACCESS_ERR);
        script.complete(3, 100, 5);
        assertEquals(3, poller.doWork());
        assertTrue(nextEvent().isSuccess());
        final CompletionEvent failed = nextEvent();
        assertFalse(failed.isSuccess());
        assertEquals(2, failed.workRequestId());
        assertEquals(WorkStatus.REM_ACCESS_ERR, failed.status());
        assertEquals(ScriptedRpmaQueue.NUMBER, failed.queuePairNumber());
        assertEquals(List.of(0, 0, 0, 0),
            List.of(failed.opcode(), failed.flags(), failed.byteLength(), failed.immediateData()));
        assertTrue(nextEvent().isSuccess());
    }

    /** Some are with the binding by then, which has asked the library for a batch. */
    @Test
    void shouldLoseNothingWhileTheRingIsFull() {
        complete(0, LENGTH + 20);
        assertEquals(LENGTH, poller.doWork());
        assertEquals(0, poller.doWork());
        assertEquals(1, poller.fullEvents());
        assertEquals(20, script.waiting(), "left with the library");
        consumed.set(2);
        assertEquals(3, poller.doWork());
        consumed.set(ring.getCursor());
        assertEquals(17, poller.doWork());
        for (int i = LENGTH + 3; i < LENGTH + 20; i++) {
            assertEquals(i, nextEvent().workRequestId());
        }
        assertEquals(0, script.waiting());
    }

    @ParameterizedTest
    @ValueSource(ints = {RpmaError.E_PROVIDER, RpmaError.E_UNKNOWN})
    void shouldTellOnceThatTheLibraryFails(final int error) {
        complete(0, 2);
        script.whenEmpty(error);
        assertEquals(2, poller.doWork());
        poller.doWork();
        poller.doWork();
        assertEquals(1, errors.size(), errors::toString);
        assertEquals(EIO, ((VerbsException) errors.getFirst()).errno());
        script.whenEmpty(RpmaError.E_NO_COMPLETION);
        complete(2, 1);
        assertEquals(1, poller.doWork());
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    void shouldTellThatTheQueueIsNone() {
        script.whenEmpty(RpmaError.E_INVAL);
        assertEquals(0, poller.doWork());
        assertEquals(Errno.EINVAL, ((VerbsException) errors.getFirst()).errno());
    }
}
