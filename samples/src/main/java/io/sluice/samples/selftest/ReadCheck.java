package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkOpcode;

/** READs bring the bytes there are, alone and more at a time than may be under way, and end in order. One thread. */
final class ReadCheck {
    private static final int[] LENGTHS = {1, 8, 4096, 4097, Loop.LENGTH / 2};
    private static final int PLACE = 64;

    private ReadCheck() {
    }

    static String run(final RdmaDevice device) {
        try (ConnectedLoop loop =
            ConnectedLoop.open(device, LoopOptions.DEFAULT.withRemoteAccess(AccessFlags.REMOTE_READ))) {
            for (int i = 0; i < LENGTHS.length; i++) {
                Loop.fill(loop.target, i, LENGTHS[i], i);
                Loop.fill(loop.source, i, LENGTHS[i], i + 1);
                loop.read(i, LENGTHS[i], i);
                loop.takeOne(loop.sends, loop.first, WorkOpcode.RDMA_READ);
                Loop.checkArrived(loop.source, i, LENGTHS[i], i);
            }
            final int burst = Math.min(3 * loop.reads(), Loop.WORK);
            for (int i = 0; i < burst; i++) {
                Loop.fill(loop.target, i * PLACE, PLACE, burst + i);
            }
            for (int i = 0; i < burst; i++) {
                loop.read(i * PLACE, PLACE, i);
            }
            final int[] next = {0};
            loop.take(loop.sends, burst, queue -> {
                if (queue.workRequestId() != next[0]) {
                    throw new CheckFailure("READ=" + queue.workRequestId() + " ends where " + next[0] + " is due");
                }
                Loop.checkArrived(loop.source, next[0] * PLACE, PLACE, burst + next[0]);
                next[0]++;
            });
            loop.requireEmpty(loop.receives);
            return "1 to " + Loop.LENGTH / 2 + " bytes, and " + burst + " at a time with " + loop.reads()
                + " under way";
        }
    }
}
