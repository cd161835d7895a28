package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReceiverNotReadyTest extends VerbsSuite {
    private static final int FOR_EVER = 7;
    /** Code of ibv_modify_qp(3) for 10 ms. */
    private static final int TEN_MS = 20;
    /** Code of ibv_modify_qp(3) for 491 ms: with it, six retries leave ample time to post a late receive. */
    private static final int HALF_A_SECOND = 31;

    private Rig.Link link(final int rnrRetryCount, final int minRnrTimerCode) {
        return rig.link(
            new EndpointOptions().rnrRetryCount(rnrRetryCount),
            new EndpointOptions().minRnrTimerCode(minRnrTimerCode));
    }

    @Test
    void shouldFailWithoutRetries() {
        final Rig.Link link = link(0, TEN_MS);

        assertEquals(Errno.OK, link.left().writeImmediate(1, WorkFlags.NONE, 0, 8, link.right(), 1));

        final Completion failed = rig.await(link.left().sendQueue);
        assertEquals(WorkStatus.RNR_RETRY_EXC_ERR, failed.status(), failed.toString());
        assertEquals(1, failed.workRequestId());
        rig.awaitState(link.left().queuePair, QueuePairState.ERROR);
        assertEquals(QueuePairState.READY_TO_SEND, link.right().queuePair.state(), "the receiver is not told");
    }

    @Test
    void shouldFailAfterTheRetriesAndFlushWhatWaitedBehind() {
        final Rig.Link link = link(2, TEN_MS);

        link.left().send(1, WorkFlags.NONE, 0, 8);
        link.left().write(2, WorkFlags.NONE, 0, 8, link.right());
        link.left().writeImmediate(3, WorkFlags.SIGNALED, 0, 8, link.right(), 1);

        final List<Completion> completions = rig.await(link.left().sendQueue, 3);
        assertEquals(List.of(1L, 2L, 3L), completions.stream().map(Completion::workRequestId).toList());
        assertEquals(
            List.of(WorkStatus.RNR_RETRY_EXC_ERR, WorkStatus.WR_FLUSH_ERR, WorkStatus.WR_FLUSH_ERR),
            completions.stream().map(Completion::status).toList());
    }

    @Test
    void shouldSucceedWhenTheReceiveComesLate() {
        final Rig.Link link = link(6, HALF_A_SECOND);
        link.left().fill(0, 100, 3);
        link.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 100, link.right(), 42);
        rig.duties();
        assertEquals(Errno.ENOENT, link.left().sendQueue.startPoll());
        assertEquals(Errno.ENOENT, link.right().receiveQueue.startPoll());

        link.right().queuePair.postReceives(7, 1);

        assertEquals(1, rig.awaitSuccess(link.left().sendQueue).workRequestId());
        assertEquals(42, rig.awaitSuccess(link.right().receiveQueue).immediate());
        assertTrue(link.right().holds(0, 100, 3));
    }

    @Test
    void shouldKeepTheOrderOfWhatWaits() {
        final Rig.Link link = link(FOR_EVER, TEN_MS);
        for (int i = 0; i < 10; i++) {
            link.left().buffer.putInt(4 * i, i);
            assertEquals(Errno.OK, link.left().writeImmediate(
                i, WorkFlags.SIGNALED, 4 * i, 4, link.right(), 100 + i));
        }
        for (int i = 0; i < 10; i++) {
            link.right().queuePair.postReceives(i, 1);
            assertEquals(100 + i, rig.awaitSuccess(link.right().receiveQueue).immediate());
            assertEquals(i, link.right().buffer.getInt(4 * i));
        }
        final List<Completion> sent = rig.await(link.left().sendQueue, 10);
        assertEquals(
            LongStream.range(0, 10).boxed().toList(), sent.stream().map(Completion::workRequestId).toList());
    }

    @Test
    void shouldKeepInlineBytesOfWhatWaits() {
        rig.assumeInline(50);
        final Rig.Link link = link(FOR_EVER, TEN_MS);
        final int flags = WorkFlags.SIGNALED | WorkFlags.INLINE;
        for (int i = 0; i < 4; i++) {
            link.left().fill(0, 50, i);
            assertEquals(Errno.OK, link.left().queuePair.postSend(i, flags, link.left().address(0), 0, 50));
            link.left().buffer.setMemory(0, 50, (byte) 0);
        }
        for (int i = 0; i < 4; i++) {
            link.right().receive(i, 64 * i, 64);
        }
        rig.await(link.left().sendQueue, 4);
        rig.await(link.right().receiveQueue, 4);
        for (int i = 0; i < 4; i++) {
            assertTrue(link.right().holds(64 * i, 50, i));
        }
    }

    @Test
    void shouldRefuseWhenTheSendQueueIsFullOfWhatWaits() {
        final Rig.Link link = link(FOR_EVER, TEN_MS);
        final int slots = link.left().queuePair.attributes().maxSendWork();
        for (int i = 0; i < slots; i++) {
            assertEquals(Errno.OK, link.left().writeImmediate(i, WorkFlags.SIGNALED, 0, 8, link.right(), i));
        }

        assertEquals(Errno.ENOMEM, link.left().writeImmediate(99, WorkFlags.SIGNALED, 0, 8, link.right(), 1));
        assertEquals(Errno.ENOMEM, link.left().write(99, WorkFlags.SIGNALED, 0, 8, link.right()));
    }

    @Test
    void shouldWaitForEverAndBeFlushedByFailure() {
        final Rig.Link link = link(FOR_EVER, 1);
        link.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 8, link.right(), 1);
        link.left().write(2, WorkFlags.NONE, 0, 8, link.right());
        for (int i = 0; i < 1000; i++) {
            rig.duties();
            assertEquals(Errno.ENOENT, link.left().sendQueue.startPoll());
        }

        link.left().queuePair.fail();

        for (final Completion completion : rig.await(link.left().sendQueue, 2)) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, completion.status());
        }
    }

    @Test
    void shouldCloseWithSendsWaiting() {
        final Rig.Link link = link(FOR_EVER, TEN_MS);
        link.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 8, link.right(), 1);

        link.left().queuePair.close();

        rig.duties();
        assertEquals(Errno.ENOENT, link.left().sendQueue.startPoll());
    }
}
