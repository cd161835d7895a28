package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.DataPathLinker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Changes of a completion queue that the device makes while nobody may be in a batch of it: queues for one thread have
 * no lock against that, and where there is one the poller would spin for it, and a safepoint wait for the poller.
 */
class ScriptedPauseTest extends ScriptedManagerTests {
    private final List<Integer> starts = new ArrayList<>();
    private final ScriptedDevice first = new ScriptedDevice();
    private final ScriptedDevice second = new ScriptedDevice();

    @BeforeEach
    void assumeThatJavaMayBeCalled() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
    }

    @AfterEach
    void closeDevices() {
        first.close();
        second.close();
    }

    private ExtendedCompletionQueue extended(final ScriptedDevice scripted) {
        return new ExtendedCompletionQueue(
            manager.device.context(), manager.device.completionQueues(), scripted.queue(),
            ScriptedDevice.asked(0), scripted.notifyFunction(), ExtendedCompletionQueue.MAX_BATCH,
            manager.device.queuePairs().examination()::onFailedWork);
    }

    private LegacyCompletionQueue legacy() {
        return new LegacyCompletionQueue(
            manager.device.context(), manager.device.completionQueues(), first.queue(), ScriptedDevice.asked(0),
            first.notifyFunction(), first.pollFunction(), false, manager.device.queuePairs().examination());
    }

    private QueuePair queuePair(final CompletionQueue send, final CompletionQueue receive) {
        return manager.domain.createQueuePair(
            new QueuePairAttributes(send, receive, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
    }

    /** Polls queues while the device is asked to do something. */
    private void pollDuring(final String call, final CompletionQueue... queues) {
        manager.libraries.answer(call, arguments -> {
            for (final CompletionQueue queue : queues) {
                starts.add(queue.startPoll());
            }
            return 0;
        });
    }

    @Test
    void shouldKeepPollersOutWhileAQueuePairGoes() {
        final CompletionQueue sends = extended(first);
        final CompletionQueue receives = extended(second);
        final QueuePair queuePair = queuePair(sends, receives);
        pollDuring("ibv_destroy_qp", sends, receives);

        queuePair.close();

        assertEquals(List.of(Errno.EBUSY, Errno.EBUSY), starts);
        assertEquals(Errno.ENOENT, sends.startPoll());
        assertEquals(Errno.ENOENT, receives.startPoll());
        assertEquals(List.of("start"), first.calls);
    }

    /** Polls of some providers follow a pointer to the queue pair, which is freed. */
    @Test
    void shouldKeepThePollerOfALegacyQueueOutWhileAQueuePairGoes() {
        final CompletionQueue queue = legacy();
        final QueuePair queuePair = queuePair(queue, queue);
        pollDuring("ibv_destroy_qp", queue);

        queuePair.close();

        assertEquals(List.of(Errno.EBUSY), starts);
        assertEquals(Errno.ENOENT, queue.startPoll());
    }

    @Test
    void shouldDestroyAQueuePairWhenTheBatchOfAnotherThreadHasEnded() throws InterruptedException {
        final ExtendedCompletionQueue queue = extended(first);
        final QueuePair queuePair = queuePair(queue, queue);
        manager.libraries.answer("ibv_destroy_qp", arguments -> {
            first.calls.add("destroy");
            return 0;
        });
        first.starts.add(Errno.OK);
        final CountDownLatch inBatch = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final Thread poller = new Thread(() -> {
            starts.add(queue.startPoll());
            inBatch.countDown();
            awaitQuietly(mayEnd);
            queue.endPoll();
        });
        poller.start();
        inBatch.await();
        final Thread closer = new Thread(queuePair::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING && closer.isAlive()) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        poller.join();
        closer.join();

        assertEquals(List.of(Errno.OK), starts);
        assertEquals(List.of("start", "end", "destroy"), first.calls);
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The resize waits for the end of the batch, and so must not make the poller wait before. */
    @Test
    void shouldCreateAQueuePairWithinABatchThatAResizeWaitsFor() throws InterruptedException {
        final ExtendedCompletionQueue queue = extended(first);
        final List<Exception> refusals = new ArrayList<>();
        manager.libraries.answer("ibv_resize_cq", arguments -> {
            first.calls.add("resize");
            return 0;
        });
        first.starts.add(Errno.OK);
        assertEquals(Errno.OK, queue.startPoll());
        final Thread resizer = new Thread(() -> {
            try {
                queue.resize(ScriptedDevice.CAPACITY);
            } catch (final VerbsException e) {
                refusals.add(e);
            }
        });
        resizer.start();
        while (resizer.getState() != Thread.State.TIMED_WAITING && resizer.isAlive()) {
            Thread.onSpinWait();
        }

        final QueuePair queuePair = queuePair(queue, queue);
        queue.endPoll();
        resizer.join();

        assertEquals(List.of(), refusals);
        assertEquals(List.of("start", "end", "resize"), first.calls);
        queuePair.close();
    }

    @Test
    void shouldKeepThePollerOutWhileTheQueueIsResized() {
        for (final CompletionQueue queue : List.of(extended(second), legacy())) {
            pollDuring("ibv_resize_cq", queue);

            queue.resize(ScriptedDevice.CAPACITY);

            assertEquals(Errno.ENOENT, queue.startPoll());
        }
        assertEquals(List.of(Errno.EBUSY, Errno.EBUSY), starts);
    }

    @Test
    void shouldEndALegacyBatchThatCannotGoOnWhileTheQueueIsResized() {
        final LegacyCompletionQueue queue = legacy();
        first.polls.add(CompletionBatch.CAPACITY);
        first.polls.add(1);
        manager.libraries.answer("ibv_resize_cq", arguments -> {
            int taken = 1;
            starts.add(queue.startPoll());
            while (queue.nextPoll() == Errno.OK) {
                taken++;
            }
            queue.endPoll();
            starts.add(taken);
            return 0;
        });
        assertEquals(Errno.OK, queue.startPoll());
        queue.endPoll();

        queue.resize(ScriptedDevice.CAPACITY);

        assertEquals(List.of(Errno.OK, CompletionBatch.CAPACITY - 1), starts);
        assertEquals(Errno.OK, queue.startPoll());
        queue.endPoll();
    }

    /** Sends of the queue pair with the number that the device's completions have; receives and errors are none. */
    @Test
    void shouldTellALedgerOfSendsThatHaveCompleted() {
        for (final CompletionQueue queue : List.of(extended(first.withReaders()), legacy())) {
            final SendLedger ledger = ((VerbsCompletionQueue) queue).keep(
                ScriptedDevice.QUEUE_PAIR, new SendLedger(1, false));
            ((VerbsCompletionQueue) queue).keep(ScriptedDevice.QUEUE_PAIR + 1, new SendLedger(1, true));
            ledger.onPosting(WorkFlags.SIGNALED);
            first.opcode = WorkOpcode.RECV;
            completeOne(queue, WorkStatus.SUCCESS);
            first.opcode = WorkOpcode.RDMA_WRITE;
            completeOne(queue, WorkStatus.WR_FLUSH_ERR);
            assertFalse(ledger.hasRoom(1));
            completeOne(queue, WorkStatus.SUCCESS);
            assertTrue(ledger.hasRoom(1));
            ledger.onPosting(WorkFlags.SIGNALED);
            ((VerbsCompletionQueue) queue).forget(ScriptedDevice.QUEUE_PAIR);
            completeOne(queue, WorkStatus.SUCCESS);
            assertFalse(ledger.hasRoom(1));
        }
    }

    /** A batch may be ended before all of it was looked at; meanwhile a queue pair goes, and another has its number. */
    @Test
    void shouldNotTellALedgerOfWhatWasTakenBeforeItWasKept() {
        final CompletionQueue queue = legacy();
        first.opcode = WorkOpcode.RDMA_WRITE;
        first.polls.add(2);
        first.statuses.addAll(List.of(WorkStatus.SUCCESS, WorkStatus.SUCCESS));
        assertEquals(Errno.OK, queue.startPoll());
        queue.endPoll();
        final SendLedger ledger = ((VerbsCompletionQueue) queue).keep(
            ScriptedDevice.QUEUE_PAIR, new SendLedger(2, true));
        ledger.onPosting(WorkFlags.SIGNALED);
        ledger.onPosting(WorkFlags.SIGNALED);

        assertEquals(Errno.OK, queue.startPoll());
        queue.endPoll();

        assertFalse(ledger.hasRoom(1));
        completeOne(queue, WorkStatus.SUCCESS);
        assertTrue(ledger.hasRoom(1));
        assertFalse(ledger.hasRoom(2));
    }

    private void completeOne(final CompletionQueue queue, final int status) {
        first.starts.add(Errno.OK);
        first.polls.add(1);
        first.statuses.add(status);
        assertEquals(Errno.OK, queue.startPoll());
        queue.endPoll();
        first.starts.clear();
        first.polls.clear();
    }
}
