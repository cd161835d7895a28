package io.sluice.samples.selftest;

import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import java.util.BitSet;

/**
 * Two queue pairs draw on one shared receive queue: each receive is used once and has the bytes of its message, those
 * of a queue pair come in order, a full queue answers ENOMEM, and an event tells when fewer are left than was asked.
 * One thread.
 */
final class SharedReceivesCheck {
    private static final int ROUNDS = 200;
    /** Messages of each of the two queue pairs in a round. */
    private static final int MESSAGES = 8;
    private static final int MESSAGE_LENGTH = 128;
    private static final int LIMIT = 4;
    private static final int MOST = 16 * Loop.WORK;

    private final ConnectedLoop loop;
    private final ConnectedLoop.Pair other;
    private final BitSet free = new BitSet();
    private final int[] next = new int[2];

    private SharedReceivesCheck(final ConnectedLoop loop, final ConnectedLoop.Pair other) {
        this.loop = loop;
        this.other = other;
    }

    static String run(final RdmaDevice device, final long timeoutNs, final int divisor) {
        final LoopOptions options = LoopOptions.DEFAULT.withSharedReceives(
            Math.min(Loop.WORK, device.attributes().maxSharedReceiveWorkRequests()));
        final int rounds = Math.max(1, ROUNDS / divisor);
        try (ConnectedLoop loop = ConnectedLoop.open(device, options);
            ConnectedLoop.Pair other = loop.newPair()) {
            final SharedReceivesCheck check = new SharedReceivesCheck(loop, other);
            for (int round = 0; round < rounds; round++) {
                check.round(round);
            }
            check.limit(timeoutNs);
        }
        try (ConnectedLoop loop = ConnectedLoop.open(device, options)) {
            return 2 * rounds * MESSAGES + " messages of two queue pairs, the limit is told, ENOMEM after "
                + fill(loop) + " of " + options.sharedReceives();
        }
    }

    private void round(final int round) {
        post(2 * MESSAGES);
        final int from = round * MESSAGES;
        next[0] = from;
        next[1] = from;
        for (int i = 0; i < MESSAGES; i++) {
            send(loop.first, 2 * i, from + i);
            send(other.first(), 2 * i + 1, from + i);
        }
        loop.take(loop.receives, 2 * MESSAGES, queue -> {
            Loop.requireOf(queue, queue.queuePairNumber() == loop.second.number() ? loop.second : other.second(),
                WorkOpcode.RECV);
            final int which = queue.queuePairNumber() == loop.second.number() ? 0 : 1;
            final int place = (int) queue.workRequestId();
            if (!free.get(place)) {
                throw new CheckFailure("receive=" + place + " completes, and was not posted, or has completed before");
            }
            free.clear(place);
            if (queue.immediateData() != next[which]) {
                throw new CheckFailure("immediate=" + queue.immediateData() + " instead of " + next[which]);
            }
            Loop.checkArrived(loop.target, place * MESSAGE_LENGTH, MESSAGE_LENGTH, 2 * next[which] + which);
            next[which]++;
        });
        loop.take(loop.sends, 2 * MESSAGES, queue -> { });
        loop.requireEmpty(loop.receives);
    }

    private void post(final int count) {
        for (int place = 0; place < count; place++) {
            free.set(place);
            Loop.require("ibv_post_srq_recv", loop.shared.postReceive(place,
                loop.target.address() + (long) place * MESSAGE_LENGTH, loop.target.localKey(), MESSAGE_LENGTH));
        }
    }

    private void send(final QueuePair queuePair, final int place, final int number) {
        final int offset = place * MESSAGE_LENGTH;
        Loop.fill(loop.source, offset, MESSAGE_LENGTH, 2 * number + (queuePair == loop.first ? 0 : 1));
        Loop.require("ibv_post_send", queuePair.postSendWithImmediate(number, WorkFlags.SIGNALED,
            loop.source.address() + offset, loop.source.localKey(), MESSAGE_LENGTH, number));
    }

    private void limit(final long timeoutNs) {
        post(LIMIT + 1);
        loop.shared.armLimit(LIMIT);
        loop.duties();
        if (isTold()) {
            throw new CheckFailure("an event tells that fewer receives are left than " + LIMIT + ", and there are "
                + (LIMIT + 1));
        }
        for (int i = 0; i < 2; i++) {
            send(loop.first, i, i);
            loop.take(loop.receives, 1, queue -> { });
            loop.take(loop.sends, 1, queue -> { });
        }
        final long startNs = System.nanoTime();
        while (!isTold()) {
            if (System.nanoTime() - startNs > timeoutNs) {
                throw new CheckFailure("no event tells that fewer receives are left than " + LIMIT);
            }
            loop.duties();
        }
    }

    private boolean isTold() {
        return loop.events.contains(AsyncEventType.SRQ_LIMIT_REACHED);
    }

    private static int fill(final ConnectedLoop loop) {
        final int granted = loop.shared.capacity();
        int posted = 0;
        int result = Errno.OK;
        while (result == Errno.OK && posted < granted + MOST) {
            result = loop.shared.postReceive(0, 0, 0, 0);
            posted += result == Errno.OK ? 1 : 0;
        }
        if (result != Errno.ENOMEM || posted < granted) {
            throw new CheckFailure("a full queue answers " + Errno.describe(result) + " after " + posted
                + ", and capacity=" + granted + " was granted");
        }
        return posted;
    }
}
