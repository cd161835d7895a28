package io.sluice.samples.selftest;

import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;

/**
 * Sends and receives of a queue pair complete in the queue that each was given, be it one of its own, or one that has
 * sends of one queue pair and receives of another. The first queue pair writes and the second one sends back. One
 * thread.
 */
final class QueuesCheck {
    private static final int ROUNDS = 1_000;
    private static final int MESSAGE_LENGTH = 256;
    /** The offset of the messages of the way back. */
    private static final int BACK = Loop.LENGTH / 2;

    private final ConnectedLoop loop;
    private int backs;

    private QueuesCheck(final ConnectedLoop loop) {
        this.loop = loop;
    }

    static String run(final RdmaDevice device, final int divisor) {
        final int rounds = ROUNDS / divisor;
        try (ConnectedLoop loop = ConnectedLoop.open(device, LoopOptions.DEFAULT)) {
            final QueuesCheck check = new QueuesCheck(loop);
            for (int round = 0; round < rounds; round++) {
                check.exchange(round);
            }
        }
        return rounds + " messages each way, sends and receives in queues apart and in one";
    }

    private void exchange(final int number) {
        loop.expect(1);
        Loop.require("ibv_post_recv", loop.first.postReceive(number, loop.source.address() + BACK,
            loop.source.localKey(), MESSAGE_LENGTH));
        loop.fill(0, MESSAGE_LENGTH, number);
        Loop.fill(loop.target, BACK, MESSAGE_LENGTH, number + 1);
        loop.sendSignalled(0, MESSAGE_LENGTH, number);
        Loop.require("ibv_post_send", loop.second.postSendWithImmediate(number, WorkFlags.SIGNALED,
            loop.target.address() + BACK, loop.target.localKey(), MESSAGE_LENGTH, number + 1));
        loop.takeOne(loop.sends, loop.first, WorkOpcode.RDMA_WRITE);
        loop.takeOne(loop.receives, loop.second, WorkOpcode.RECV_RDMA_WITH_IMM);
        loop.checkArrived(0, MESSAGE_LENGTH, number);
        backs = 0;
        loop.take(loop.returns, 2, queue -> {
            if (WorkOpcode.isReceive(queue.opcode())) {
                Loop.requireOf(queue, loop.first, WorkOpcode.RECV);
                Loop.checkArrived(loop.source, BACK, MESSAGE_LENGTH, number + 1);
                backs++;
            } else {
                Loop.requireOf(queue, loop.second, WorkOpcode.SEND);
            }
        });
        if (backs != 1) {
            throw new CheckFailure("receives=" + backs + " sends=" + (2 - backs)
                + " completed in a queue for both, where one of each was posted");
        }
        loop.requireEmpty(loop.sends);
        loop.requireEmpty(loop.receives);
        loop.requireEmpty(loop.returns);
    }
}
