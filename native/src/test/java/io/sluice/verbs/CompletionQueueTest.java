package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CompletionQueueTest extends VerbsSuite {
    @Test
    void shouldTellThatItIsEmpty() {
        final CompletionQueue queue = rig.queueOnFirst(16, null);

        for (int i = 0; i < 5000; i++) {
            assertEquals(Errno.ENOENT, queue.startPoll());
        }
    }

    @Test
    void shouldRefuseToEndWhatHasNotBegun() {
        final CompletionQueue queue = rig.queueOnFirst(16, null);

        assertThrows(IllegalStateException.class, queue::endPoll);
        assertEquals(Errno.ENOENT, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::endPoll);
    }

    @Test
    void shouldEndABatchAfterNextPollFoundNothing() {
        final Rig.Link link = rig.link();
        link.left().write(1, WorkFlags.SIGNALED, 0, 8, link.right());
        final CompletionQueue queue = link.left().sendQueue;
        rig.until("a completion", () -> queue.startPoll() == Errno.OK);

        assertEquals(1, queue.workRequestId());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        queue.endPoll();

        assertThrows(IllegalStateException.class, queue::endPoll);
        assertEquals(Errno.ENOENT, queue.startPoll());
    }

    /** A device may hold a lock until the batch ends, for which its poller would wait for ever. */
    @Test
    void shouldRefuseWithinABatchWhatWaitsForItsEnd() {
        final Rig.Link link = rig.link();
        final Endpoint left = link.left();
        left.write(1, WorkFlags.SIGNALED, 0, 8, link.right());
        rig.until("a completion", () -> left.sendQueue.startPoll() == Errno.OK);

        try {
            assertThrows(IllegalStateException.class, left.queuePair::close);
            assertThrows(IllegalStateException.class, left.sendQueue::close);
            assertThrows(IllegalStateException.class, () -> left.sendQueue.resize(left.sendQueue.capacity()));
            assertEquals(QueuePairState.READY_TO_SEND, left.queuePair.state());
        } finally {
            left.sendQueue.endPoll();
        }
        left.queuePair.close();
        left.sendQueue.close();
    }

    @Test
    void shouldEndABatchBeforeItsEnd() {
        final Rig.Link link = rig.link();
        for (int i = 0; i < 4; i++) {
            link.left().write(i, WorkFlags.SIGNALED, 0, 8, link.right());
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(i, rig.awaitSuccess(link.left().sendQueue).workRequestId());
        }
    }

    @Test
    void shouldRefuseReadersThatWereNotAskedFor() {
        final CompletionQueue bare =
            rig.keep(rig.first.createCompletionQueue(new CompletionQueueAttributes(16, 0, null)));
        final Rig.Link link = rig.link(new EndpointOptions().queues(bare, bare), new EndpointOptions());
        link.left().write(77, WorkFlags.SIGNALED, 0, 8, link.right());
        rig.until("a completion", () -> bare.startPoll() == Errno.OK);

        assertEquals(0, bare.fields());
        assertEquals(77, bare.workRequestId());
        assertEquals(WorkStatus.SUCCESS, bare.status());
        assertEquals(WorkOpcode.RDMA_WRITE, bare.opcode());
        assertEquals(WorkFlags.NONE, bare.flags());
        assertThrows(IllegalStateException.class, bare::byteLength);
        assertThrows(IllegalStateException.class, bare::immediateData);
        assertThrows(IllegalStateException.class, bare::queuePairNumber);
        assertThrows(IllegalStateException.class, bare::sourceQueuePair);
        bare.endPoll();
    }

    @Test
    void shouldReadTheSourceQueuePair() {
        rig.assumeHas(DeviceFixture.Ability.TELLS_SOURCE_WHEN_CONNECTED);
        final int field = CompletionField.SOURCE_QUEUE_PAIR;
        final CompletionQueue queue =
            rig.keep(rig.second.createCompletionQueue(new CompletionQueueAttributes(16, field, null)));
        final Rig.Link link = rig.link(
            new EndpointOptions(),
            new EndpointOptions().queues(rig.queueOnSecond(16, null), queue).receiveWork(8));
        link.right().queuePair.postReceives(1, 1);
        link.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 8, link.right(), 1);
        rig.until("a completion", () -> queue.startPoll() == Errno.OK);

        assertEquals(link.left().queuePair.number(), queue.sourceQueuePair());
        queue.endPoll();
    }

    @Test
    void shouldRefuseFieldsThatTheDeviceCannotRead() {
        final int supported = rig.first.attributes().completionFields();
        for (int bit = 0; bit < 12; bit++) {
            final CompletionQueueAttributes asked = new CompletionQueueAttributes(16, 1 << bit, null);
            if ((supported & 1 << bit) != 0) {
                rig.keep(rig.first.createCompletionQueue(asked));
            } else {
                final VerbsException refused = assertThrows(
                    VerbsException.class, () -> rig.first.createCompletionQueue(asked));
                assertEquals(Errno.EOPNOTSUPP, refused.errno());
                assertTrue(refused.getMessage().contains(CompletionField.describe(1 << bit)), refused.getMessage());
            }
        }
    }

    @Test
    void shouldHoldAtLeastWhatWasAsked() {
        final int max = rig.first.attributes().maxCompletionQueueEntries();
        for (final int capacity : new int[] {1, 63, 64, 1000, max}) {
            assertTrue(rig.queueOnFirst(capacity, null).capacity() >= capacity);
        }
        for (final int capacity : new int[] {0, -1, max + 1}) {
            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, () -> rig.queueOnFirst(capacity, null)).errno());
        }
    }

    @Test
    void shouldPollManyBatches() {
        final Rig.Link link = rig.link();
        int next = 0;
        for (int batch = 0; batch < 2000; batch++) {
            final int count = 1 + batch % 16;
            link.right().queuePair.postReceives(batch, count);
            for (int i = 0; i < count; i++) {
                final int flags = i == count - 1 ? WorkFlags.SIGNALED : WorkFlags.NONE;
                assertEquals(Errno.OK, link.left().writeImmediate(i, flags, 0, 8, link.right(), next + i));
            }
            for (int i = 0; i < count; i++) {
                assertEquals(next++, rig.awaitSuccess(link.right().receiveQueue).immediate());
            }
            rig.awaitSuccess(link.left().sendQueue);
        }
        assertEquals(Errno.ENOENT, link.right().receiveQueue.startPoll());
    }

    @Test
    void shouldServeSendsAndReceivesOfOneQueuePair() {
        final CompletionQueue queue = rig.queueOnFirst(64, null);
        final Rig.Link link = rig.link(new EndpointOptions().queues(queue, queue), new EndpointOptions());
        link.left().queuePair.postReceives(1, 1);
        link.right().queuePair.postReceives(2, 1);
        link.left().writeImmediate(3, WorkFlags.SIGNALED, 0, 8, link.right(), 5);
        link.right().writeImmediate(4, WorkFlags.SIGNALED, 0, 8, link.left(), 6);

        int sum = 0;
        for (final Completion completion : rig.await(queue, 2)) {
            assertTrue(completion.isSuccess());
            sum += (int) completion.workRequestId();
        }
        assertEquals(4, sum);
    }

    @Test
    void shouldNotCloseWhileInUse() {
        final Endpoint endpoint = rig.onFirst(new EndpointOptions());

        assertEquals(
            Errno.EBUSY, assertThrows(VerbsException.class, endpoint.receiveQueue::close).errno());
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, endpoint.sendQueue::close).errno());
        assertEquals(Errno.ENOENT, endpoint.sendQueue.startPoll());
    }

    @Test
    void shouldResize() {
        rig.assumeHas(DeviceFixture.Ability.RESIZES);
        final CompletionQueue queue = rig.queueOnFirst(16, null);

        queue.resize(100);
        assertTrue(queue.capacity() >= 100);
        queue.resize(8);
        assertTrue(queue.capacity() >= 8);
        assertThrows(VerbsException.class, () -> queue.resize(0));
        assertThrows(VerbsException.class,
            () -> queue.resize(rig.first.attributes().maxCompletionQueueEntries() + 1));
    }

    @Test
    void shouldNotResizeBelowWhatWaits() {
        rig.assumeHas(DeviceFixture.Ability.RESIZES);
        // A queue may hold more than what it is asked to, but not many times that.
        final int count = 60;
        final Rig.Link link =
            rig.link(new EndpointOptions().sendWork(count), new EndpointOptions().receiveWork(count));
        final CompletionQueue queue = link.right().receiveQueue;
        link.right().queuePair.postReceives(1, count);
        for (int i = 0; i < count; i++) {
            final int flags = i == count - 1 ? WorkFlags.SIGNALED : WorkFlags.NONE;
            assertEquals(Errno.OK, link.left().writeImmediate(i, flags, 0, 8, link.right(), i));
        }
        // What the sender knows to have arrived is waiting.
        rig.awaitSuccess(link.left().sendQueue);

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> queue.resize(1)).errno());
        queue.resize(2 * count);

        for (int i = 0; i < count; i++) {
            assertEquals(i, rig.awaitSuccess(queue).immediate());
        }
    }

    @Test
    void shouldTakeTurnsAmongQueuePairs() {
        rig.assumeHas(DeviceFixture.Ability.TAKES_TURNS);
        final CompletionQueue queue = rig.queueOnSecond(4096, null);
        final int links = 5;
        final int each = 200;
        final Rig.Link[] all = new Rig.Link[links];
        for (int i = 0; i < links; i++) {
            all[i] = rig.link(new EndpointOptions().sendWork(256),
                new EndpointOptions().queues(queue, queue).receiveWork(256));
            all[i].right().queuePair.postReceives(i, each);
            for (int j = 0; j < each; j++) {
                assertEquals(Errno.OK, all[i].left().writeImmediate(j, WorkFlags.NONE, 0, 8, all[i].right(), j));
            }
        }
        final int[] seen = new int[links];
        for (int i = 0; i < links * each / 2; i++) {
            final Completion completion = rig.awaitSuccess(queue);
            assertEquals(seen[(int) completion.workRequestId()]++, completion.immediate());
        }
        for (int i = 0; i < links; i++) {
            assertTrue(seen[i] > 0, "link " + i + " had no turn in half of the completions");
        }
    }
}
