package io.sluice.transport.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.sun.management.ThreadMXBean;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionPollerTest {
    private static final int EIO = 5;
    private static final int LENGTH = 8;

    @TempDir
    Path directory;
    private final List<Throwable> errors = new ArrayList<>();
    private final StubCompletionQueue stub = new StubCompletionQueue();
    private final RingBuffer<CompletionEvent> ring =
        RingBuffer.createSingleProducer(CompletionEvent::new, LENGTH, new BusySpinWaitStrategy());
    private final Sequence consumed = new Sequence();

    private CompletionPoller pollerOf(final CompletionQueue queue) {
        ring.addGatingSequences(consumed);
        return new CompletionPoller(queue, ring, errors::add);
    }

    private void complete(final int count) {
        for (int i = 0; i < count; i++) {
            stub.add(i, WorkStatus.SUCCESS, 0);
        }
    }

    private CompletionEvent nextEvent() {
        final long sequence = consumed.get() + 1;
        assertTrue(sequence <= ring.getCursor(), "sequence=" + sequence + " cursor=" + ring.getCursor());
        consumed.set(sequence);
        return ring.get(sequence);
    }

    @Test
    void shouldPublishEachCompletionInOrderWithAllItsFields() {
        try (CompletionPairs pairs = new CompletionPairs(directory)) {
            final CompletionPoller poller = pollerOf(pairs.receives());
            int seen = 0;
            for (int i = 0; i < 5 * LENGTH; i++) {
                pairs.post(100 + i);
                pairs.send(-i);
                if (i % 3 == 0) {
                    assertEquals(i + 1 - seen, poller.doWork());
                    while (seen <= i) {
                        assertIsReceive(nextEvent(), pairs.receivingNumber(), seen++);
                    }
                }
            }
            assertTrue(seen > 4 * LENGTH, "seen=" + seen);
            assertEquals(List.of(), errors);
        }
    }

    private static void assertIsReceive(final CompletionEvent event, final int queuePair, final int index) {
        assertEquals(100 + index, event.workRequestId());
        assertTrue(event.isSuccess());
        assertEquals(WorkStatus.SUCCESS, event.status());
        assertEquals(WorkOpcode.RECV, event.opcode());
        assertEquals(WorkFlags.WITH_IMMEDIATE, event.flags());
        assertEquals(CompletionPairs.MESSAGE_LENGTH, event.byteLength());
        assertEquals(-index, event.immediateData());
        assertEquals(0, event.invalidatedKey(), "there is no SEND WITH INVALIDATE");
        assertEquals(queuePair, event.queuePairNumber());
        assertEquals(0, event.vendorError());
    }

    /** The slots have had other completions before. */
    @Test
    void shouldTakeFourFieldsOnlyOfACompletionThatHasFailed() {
        try (CompletionPairs pairs = new CompletionPairs(directory)) {
            final CompletionPoller poller = pollerOf(pairs.receives());
            for (int i = 0; i < LENGTH; i++) {
                pairs.post(i);
                pairs.send(7);
            }
            assertEquals(LENGTH, poller.doWork());
            consumed.set(LENGTH - 1);
            for (int i = 0; i < LENGTH; i++) {
                pairs.post(50 + i);
            }
            pairs.fail();
            assertEquals(LENGTH, poller.doWork());
            for (int i = 0; i < LENGTH; i++) {
                final CompletionEvent event = nextEvent();
                assertFalse(event.isSuccess());
                assertEquals(WorkStatus.WR_FLUSH_ERR, event.status());
                assertEquals(50 + i, event.workRequestId());
                assertEquals(pairs.receivingNumber(), event.queuePairNumber());
                assertEquals(List.of(0, 0, 0, 0),
                    List.of(event.opcode(), event.flags(), event.byteLength(), event.immediateData()));
            }
        }
    }

    @Test
    void shouldLeaveOutWhatTheQueueWasNotAskedFor() {
        final CompletionPoller poller = pollerOf(stub);
        stub.add(3, WorkStatus.SUCCESS, 5);
        assertEquals(1, poller.doWork());
        final CompletionEvent event = nextEvent();
        assertEquals(WorkOpcode.RECV_RDMA_WITH_IMM, event.opcode());
        assertEquals(WorkFlags.WITH_IMMEDIATE, event.flags());
        assertEquals(List.of(0, 0, 0),
            List.of(event.byteLength(), event.immediateData(), event.queuePairNumber()));
    }

    /** The stub's reader of the key refuses, as those of queues do that were not asked for it. */
    @ParameterizedTest
    @ValueSource(ints = {0, CompletionField.IMMEDIATE})
    void shouldReadTheInvalidatedKeyOnlyOfAQueueThatWasAskedForIt(final int fields) {
        final StubCompletionQueue invalidating = new StubCompletionQueue() {
            @Override
            public int flags() {
                return WorkFlags.WITH_INVALIDATED_KEY;
            }

            @Override
            public int fields() {
                return fields;
            }

            @Override
            public int invalidatedKey() {
                return fields == 0 ? super.invalidatedKey() : 77;
            }

            @Override
            public int immediateData() {
                throw new AssertionError("there is none beside an invalidated key");
            }
        };
        final CompletionPoller poller = pollerOf(invalidating);
        invalidating.add(3, WorkStatus.SUCCESS, 5);
        assertEquals(1, poller.doWork());
        final CompletionEvent event = nextEvent();
        assertEquals(WorkFlags.WITH_INVALIDATED_KEY, event.flags());
        assertEquals(fields == 0 ? 0 : 77, event.invalidatedKey());
        assertEquals(0, event.immediateData());
    }

    @Test
    void shouldLeaveCompletionsInTheQueueWhileTheRingIsFull() {
        final CompletionPoller poller = pollerOf(stub);
        complete(LENGTH + 5);
        assertEquals(LENGTH, poller.doWork());
        assertEquals(0, poller.fullEvents());
        for (int i = 0; i < 3; i++) {
            assertEquals(0, poller.doWork());
            assertEquals(1, poller.fullEvents(), "it became full once");
        }
        assertEquals(5, stub.waiting());

        consumed.set(1);
        assertEquals(2, poller.doWork());
        assertEquals(0, poller.doWork());
        assertEquals(2, poller.fullEvents());
        consumed.set(LENGTH + 1);
        assertEquals(3, poller.doWork());
        for (int i = LENGTH + 2; i < LENGTH + 5; i++) {
            assertEquals(i, nextEvent().workRequestId());
        }
        assertEquals(0, stub.waiting());
    }

    @Test
    void shouldTakeNoMoreThanTheRingHadRoomForAtTheBeginning() {
        final CompletionPoller poller = pollerOf(new EndlessCompletionQueue());
        assertEquals(LENGTH, poller.doWork());
        assertEquals(LENGTH - 1, ring.getCursor());
    }

    @Test
    void shouldGoOnBehindTheEndOfABatch() {
        final RingBuffer<CompletionEvent> large =
            RingBuffer.createSingleProducer(CompletionEvent::new, 64, new BusySpinWaitStrategy());
        large.addGatingSequences(consumed);
        assertEquals(64, new CompletionPoller(new EndlessCompletionQueue(), large, errors::add).doWork());
        for (int i = 0; i < 64; i++) {
            assertEquals(i + 1, large.get(i).workRequestId());
        }
    }

    @Test
    void shouldTellOnceThatTheQueueHasFailed() {
        final CompletionPoller poller = pollerOf(stub);
        stub.whenEmpty(EIO);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, poller.doWork());
        }
        assertEquals(1, errors.size(), errors::toString);
        assertEquals(EIO, ((VerbsException) errors.getFirst()).errno());
    }

    @Test
    void shouldTellAgainWhenTheQueueHasWorkedMeanwhile() {
        final CompletionPoller poller = pollerOf(stub);
        stub.whenEmpty(EIO);
        poller.doWork();
        stub.whenEmpty(Errno.ENOENT);
        complete(1);
        assertEquals(1, poller.doWork());
        stub.whenEmpty(EIO);
        poller.doWork();
        assertEquals(2, errors.size(), errors::toString);
    }

    @Test
    void shouldPublishWhatCameBeforeTheQueueFailed() {
        final CompletionPoller poller = pollerOf(stub);
        complete(2);
        stub.whenEmpty(EIO);
        assertEquals(2, poller.doWork());
        assertEquals(1, ring.getCursor());
        assertEquals(1, errors.size(), errors::toString);
    }

    @Test
    void shouldNotTellThatTheQueueIsEmptyOrBusy() {
        final CompletionPoller poller = pollerOf(stub);
        poller.doWork();
        stub.whenEmpty(Errno.EBUSY);
        poller.doWork();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAllocateNothing() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count allocations by thread");
        threads.setThreadAllocatedMemoryEnabled(true);
        final CompletionPoller poller = pollerOf(new EndlessCompletionQueue());
        drain(poller, 20_000);
        final long before = threads.getCurrentThreadAllocatedBytes();
        final long drained = drain(poller, 200_000);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // room for what the JVM itself allocates now and then
        assertTrue(allocated < drained / 100, allocated + " bytes for " + drained + " completions");
    }

    private long drain(final CompletionPoller poller, final int times) {
        long drained = 0;
        for (int i = 0; i < times; i++) {
            drained += poller.doWork();
            poller.doWork();
            consumed.set(ring.getCursor());
        }
        return drained;
    }
}
