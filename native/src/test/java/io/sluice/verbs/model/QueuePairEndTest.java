package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The end of a queue pair whose completion queue others use, too. A poll of some cards follows a pointer to the queue
 * pair, and would read freed memory: the model tells that as a violation.
 */
class QueuePairEndTest extends OpenedModelTests {
    /** More than one call of {@code ibv_poll_cq} takes. */
    private static final int PAIRS = 12;

    private static Stream<ModelCard> cards() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS));
    }

    private static Stream<ModelCard> sharingCards() {
        return cards().filter(card -> card.has(Trait.SHARED_RECEIVES));
    }

    private void open(final ModelCard card) {
        open(card, PostingInterface.WORK_REQUESTS, 2 * PAIRS * WORK);
    }

    private QueuePair queuePair(final CompletionQueue receives, final SharedReceiveQueue shared) {
        final QueuePairAttributes asked =
            new QueuePairAttributes(queue, receives, WORK, shared == null ? WORK : 0, 0, 0, 12, 6, 14);
        return keep(domain.createQueuePair(shared == null ? asked : asked.withSharedReceiveQueue(shared)));
    }

    private QueuePair linked() {
        final QueuePair left = queuePair(queue, null);
        link(left, queuePair(queue, null));
        return left;
    }

    private int write(final QueuePair queuePair, final long id, final int flags) {
        return queuePair.postWrite(id, flags, region.address(), region.localKey(), Long.BYTES,
            region.address() + Long.BYTES, region.remoteKey());
    }

    /** Request ids of all completions of a queue pair that come, in batches as long as they come. */
    private List<Long> idsOf(final QueuePair queuePair) {
        final List<Long> ids = new ArrayList<>();
        while (queue.startPoll() == Errno.OK) {
            do {
                if (queue.queuePairNumber() == queuePair.number()) {
                    ids.add(queue.workRequestId());
                }
            } while (queue.nextPoll() == Errno.OK);
            queue.endPoll();
        }
        return ids;
    }

    private void assertSafe() {
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldNotBePolledWhileItGoes(final ModelCard card) {
        open(card);
        final QueuePair left = linked();
        final AtomicInteger polls = new AtomicInteger();
        model.onDestroy(() -> {
            assertEquals(Errno.EBUSY, poll());
            polls.incrementAndGet();
        });

        left.close();

        model.onDestroy(() -> { });
        assertEquals(1, polls.get());
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldLeaveNothingBehindThatAPollFollows(final ModelCard card) {
        open(card);
        final QueuePair left = linked();
        assertEquals(Errno.OK, left.postReceives(7, WORK - 1));
        for (int i = 0; i < WORK; i++) {
            assertEquals(Errno.OK, write(left, i, WorkFlags.SIGNALED));
        }

        left.close();

        idsOf(left);
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldLeaveTheCompletionsOfOthersInOrder(final ModelCard card) {
        open(card);
        final QueuePair left = linked();
        final QueuePair other = linked();
        write(left, 1, WorkFlags.SIGNALED);
        write(other, 2, WorkFlags.SIGNALED);
        write(left, 3, WorkFlags.SIGNALED);
        write(other, 4, WorkFlags.SIGNALED);

        left.close();
        write(other, 5, WorkFlags.SIGNALED);

        assertEquals(List.of(2L, 4L, 5L), idsOf(other));
        assertSafe();
    }

    /** A batch that ends early says that there is no more, and a thread would wait for an event that has come. */
    @Test
    void shouldGoOnWithTheQueueInOneBatch() {
        open(ModelCard.QEDR);
        final QueuePair left = linked();
        final List<QueuePair> others = Stream.generate(this::linked).limit(PAIRS - 2).toList();
        others.forEach(other -> write(other, 1, WorkFlags.SIGNALED));
        others.forEach(other -> write(other, 2, WorkFlags.SIGNALED));
        left.close();
        others.forEach(other -> write(other, 3, WorkFlags.SIGNALED));

        assertEquals(Errno.OK, queue.startPoll());
        int taken = 1;
        while (queue.nextPoll() == Errno.OK) {
            taken++;
        }
        queue.endPoll();

        assertEquals(3 * (PAIRS - 2), taken);
        assertSafe();
    }

    /** The device may give its number to the next one. */
    @Test
    void shouldTakeItsCompletionsAlongThatAnotherOneHasSetAside() {
        open(ModelCard.QEDR);
        final QueuePair left = linked();
        final QueuePair other = linked();
        write(other, 1, WorkFlags.SIGNALED);
        left.close();

        other.close();

        assertEquals(Errno.ENOENT, poll());
        assertSafe();
    }

    /** Each would take the markers of the other one. */
    @Test
    void shouldGoOneAfterTheOther() throws InterruptedException {
        open(ModelCard.QEDR);
        final QueuePair left = linked();
        final QueuePair other = linked();
        final Thread closer = new Thread(other::close);
        final AtomicInteger ended = new AtomicInteger();
        final AtomicInteger endedMeanwhile = new AtomicInteger(-1);
        model.onDestroy(() -> {
            if (closer.getState() == Thread.State.NEW) {
                closer.start();
                while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
                    Thread.onSpinWait();
                }
                endedMeanwhile.set(ended.get());
            } else {
                ended.incrementAndGet();
            }
        });

        left.close();

        closer.join();
        model.onDestroy(() -> { });
        assertEquals(0, endedMeanwhile.get());
        assertEquals(1, ended.get());
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldGoWithAFullSendQueueAndAFullReceiveQueue(final ModelCard card) {
        open(card);
        final QueuePair left = linked();
        for (int i = 0; i < WORK; i++) {
            assertEquals(Errno.OK, write(left, i, WorkFlags.NONE));
            assertEquals(Errno.OK, left.postReceive(i, 0, 0, 0));
        }
        left.fail();

        left.close();

        idsOf(left);
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldGoFromAnyState(final ModelCard card) {
        open(card);
        final QueuePair fresh = queuePair(queue, null);
        final QueuePair initialised = queuePair(queue, null);
        initialised.initialise(ACCESS);
        assertEquals(Errno.OK, initialised.postReceive(1, 0, 0, 0));
        final QueuePair receiving = queuePair(queue, null);
        receiving.initialise(ACCESS);
        receiving.readyToReceive(initialised.localAddress());
        final QueuePair failed = linked();
        failed.fail();

        List.of(fresh, initialised, receiving, failed).forEach(QueuePair::close);

        idsOf(failed);
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldLeaveNothingInEitherOfTwoQueues(final ModelCard card) {
        open(card);
        final CompletionQueue receives = keep(device.createCompletionQueue(
            new CompletionQueueAttributes(WORK, CompletionField.QUEUE_PAIR_NUMBER, null)));
        final QueuePair left = queuePair(receives, null);
        final QueuePair right = queuePair(receives, null);
        link(left, right);
        assertEquals(Errno.OK, right.postReceives(1, 1));
        assertEquals(Errno.OK, left.postSend(2, WorkFlags.SIGNALED, 0, 0, 0));

        left.close();
        right.close();

        while (receives.startPoll() == Errno.OK) {
            receives.endPoll();
        }
        idsOf(left);
        assertSafe();
    }

    @ParameterizedTest
    @MethodSource("sharingCards")
    void shouldLeaveNothingOfSharedReceivesBehind(final ModelCard card) {
        open(card);
        final SharedReceiveQueue shared = keep(domain.createSharedReceiveQueue(WORK));
        final QueuePair left = queuePair(queue, shared);
        final QueuePair right = queuePair(queue, shared);
        link(left, right);
        assertEquals(Errno.OK, shared.postReceives(1, WORK));
        assertEquals(Errno.OK, left.postSend(2, WorkFlags.SIGNALED, 0, 0, 0));
        assertEquals(Errno.OK, right.postSend(3, WorkFlags.SIGNALED, 0, 0, 0));

        right.close();

        assertEquals(List.of(2L, 1L), idsOf(left));
        assertSafe();
    }
}
