package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ErrorFlushTest extends VerbsSuite {
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        final Rig.Link link = rig.link();
        left = link.left();
        right = link.right();
    }

    @Test
    void shouldFlushReceivesInTheOrderPosted() {
        for (int i = 0; i < 5; i++) {
            right.receive(i, 0, 64);
        }

        right.queuePair.fail();

        for (int i = 0; i < 5; i++) {
            final Completion flushed = rig.await(right.receiveQueue);
            assertEquals(WorkStatus.WR_FLUSH_ERR, flushed.status());
            assertEquals(i, flushed.workRequestId());
            assertEquals(right.queuePair.number(), flushed.queuePair());
        }
        assertEquals(Errno.ENOENT, right.receiveQueue.startPoll());
    }

    @Test
    void shouldDeliverWhatHasArrivedBeforeItFlushes() {
        right.queuePair.postReceives(1, 3);
        left.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, right, 5);
        left.writeImmediate(2, WorkFlags.SIGNALED, 0, 8, right, 6);
        rig.awaitSuccess(left.sendQueue);
        rig.awaitSuccess(left.sendQueue);

        right.queuePair.fail();

        assertEquals(5, rig.awaitSuccess(right.receiveQueue).immediate());
        assertEquals(6, rig.awaitSuccess(right.receiveQueue).immediate());
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(right.receiveQueue).status());
    }

    @Test
    void shouldFlushSendsPostedInError() {
        left.queuePair.fail();

        assertEquals(Errno.OK, left.write(1, WorkFlags.NONE, 0, 8, right));
        assertEquals(Errno.OK, left.send(2, WorkFlags.SIGNALED, 0, 8));
        assertEquals(Errno.OK, left.writeImmediate(3, WorkFlags.NONE, 0, 8, right, 1));

        final List<Completion> flushed = rig.await(left.sendQueue, 3);
        assertEquals(List.of(1L, 2L, 3L), flushed.stream().map(Completion::workRequestId).toList());
        flushed.forEach(completion -> assertEquals(WorkStatus.WR_FLUSH_ERR, completion.status()));
    }

    @Test
    void shouldBoundSendsPostedInError() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        left.queuePair.fail();
        final int slots = left.queuePair.attributes().maxSendWork();
        for (int i = 0; i < slots; i++) {
            assertEquals(Errno.OK, left.write(i, WorkFlags.NONE, 0, 8, right));
        }

        assertEquals(Errno.ENOMEM, left.write(99, WorkFlags.NONE, 0, 8, right));

        rig.await(left.sendQueue);
        assertEquals(Errno.OK, left.write(100, WorkFlags.NONE, 0, 8, right));
    }

    @Test
    void shouldFlushReceivesPostedInError() {
        rig.assumeHas(DeviceFixture.Ability.FLUSHES_RECEIVES_POSTED_IN_ERROR);
        right.queuePair.fail();

        assertEquals(Errno.OK, right.receive(1, 0, 8));
        assertEquals(Errno.OK, right.queuePair.postReceives(2, 2));

        final List<Completion> flushed = rig.await(right.receiveQueue, 3);
        assertEquals(List.of(1L, 2L, 2L), flushed.stream().map(Completion::workRequestId).toList());
        flushed.forEach(completion -> assertEquals(WorkStatus.WR_FLUSH_ERR, completion.status()));
    }

    @Test
    void shouldGiveUpAPeerInError() {
        right.queuePair.postReceives(1, 1);
        right.queuePair.fail();

        left.writeImmediate(5, WorkFlags.NONE, 0, 8, right, 1);
        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(left.sendQueue).status());

        rig.awaitState(left.queuePair, QueuePairState.ERROR);
        left.writeImmediate(6, WorkFlags.NONE, 0, 8, right, 1);
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(left.sendQueue).status());
    }

    @Test
    void shouldGiveUpAPeerThatIsClosed() {
        right.queuePair.postReceives(1, 1);
        right.queuePair.close();

        left.write(5, WorkFlags.NONE, 0, 8, right);

        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(left.sendQueue).status());
    }

    @Test
    void shouldGiveUpAPeerThatIsConnectedToSomebodyElse() {
        final Endpoint intruder = rig.onFirst(new EndpointOptions());
        right.queuePair.postReceives(1, 1);
        intruder.initialise();
        intruder.connectTo(right.queuePair.localAddress());

        intruder.writeImmediate(5, WorkFlags.NONE, 0, 8, right, 1);

        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(intruder.sendQueue).status());
        left.writeImmediate(6, WorkFlags.NONE, 0, 8, right, 3);
        assertEquals(3, rig.awaitSuccess(right.receiveQueue).immediate());
    }

    @Test
    void shouldNotDisturbOtherQueuePairsOfTheSameQueues() {
        final CompletionQueue send = rig.queueOnFirst(64, null);
        final CompletionQueue receive = rig.queueOnSecond(64, null);
        final Rig.Link one = rig.link(
            new EndpointOptions().queues(send, send), new EndpointOptions().queues(receive, receive));
        final Rig.Link other = rig.link(
            new EndpointOptions().queues(send, send), new EndpointOptions().queues(receive, receive));
        one.right().queuePair.postReceives(1, 2);
        other.right().queuePair.postReceives(2, 1);

        one.right().queuePair.fail();
        other.left().writeImmediate(9, WorkFlags.SIGNALED, 0, 8, other.right(), 4);

        int flushed = 0;
        int arrived = 0;
        for (final Completion completion : rig.await(receive, 3)) {
            if (completion.isSuccess()) {
                assertEquals(other.right().queuePair.number(), completion.queuePair());
                arrived++;
            } else {
                assertEquals(one.right().queuePair.number(), completion.queuePair());
                flushed++;
            }
        }
        assertEquals(2, flushed);
        assertEquals(1, arrived);
        assertEquals(9, rig.awaitSuccess(send).workRequestId());
    }

    @Test
    void shouldCloseWithCompletionsOutstanding() {
        right.queuePair.postReceives(1, 3);
        left.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, right, 5);
        left.writeImmediate(2, WorkFlags.SIGNALED, 0, 8, right, 6);
        rig.awaitSuccess(left.sendQueue);

        right.queuePair.close();
        left.queuePair.close();

        for (int i = 0; i < 10; i++) {
            drain(right.receiveQueue);
            drain(left.sendQueue);
        }
    }

    private static void drain(final CompletionQueue queue) {
        if (queue.startPoll() == Errno.OK) {
            int result = queue.nextPoll();
            while (result == Errno.OK) {
                result = queue.nextPoll();
            }
            queue.endPoll();
        }
    }

    @Test
    void shouldUseAgainWhatAFailedLinkHasLeft() {
        for (int i = 0; i < 50; i++) {
            final Endpoint from = new Endpoint(rig.first, rig.firstDomain,
                new EndpointOptions().queues(left.sendQueue, left.receiveQueue));
            final Endpoint to = new Endpoint(rig.second, rig.secondDomain,
                new EndpointOptions().queues(right.sendQueue, right.receiveQueue));
            Endpoint.connect(from, to);
            to.queuePair.postReceives(i, 2);
            from.writeImmediate(i, WorkFlags.SIGNALED, 0, 8, to, i);
            assertEquals(i, rig.awaitSuccess(right.receiveQueue).immediate());
            assertEquals(i, rig.awaitSuccess(left.sendQueue).workRequestId());
            to.queuePair.fail();
            assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(right.receiveQueue).status());
            from.close();
            to.close();
        }
    }
}
