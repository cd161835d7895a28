package io.sluice.samples.selftest;

import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import java.util.BitSet;

/**
 * Posting of datagrams ends with ENOMEM, or goes on for as long as the device sends fast enough; nothing that was taken
 * is overwritten, each signalled send completes once, and there is room again afterwards. A device may refuse sends
 * that are not signalled. One thread.
 */
final class DatagramFullQueueCheck {
    private static final int REFUSED = -1;

    private final DatagramLoop loop;
    private final boolean isSignalled;
    private final int granted;
    /** Numbers that have been sent, and have not arrived. */
    private final BitSet missing = new BitSet();
    private int next;
    private int receives;
    private int lost;
    private boolean isFull = true;

    private DatagramFullQueueCheck(final DatagramLoop loop, final boolean isSignalled) {
        this.loop = loop;
        this.isSignalled = isSignalled;
        granted = loop.first.attributes().maxSendWork();
    }

    /** Fills a queue in two ways. */
    static String run(final RdmaDevice device) {
        return "signalled: " + run(device, true) + ", unsignalled: " + run(device, false) + ", of maxSendWork="
            + Loop.WORK;
    }

    private static String run(final RdmaDevice device, final boolean isSignalled) {
        try (DatagramLoop loop = DatagramLoop.open(
            device, LoopOptions.DEFAULT.withCapacity(FullQueueCheck.MOST), FullQueueCheck.MESSAGE_LENGTH)) {
            return new DatagramFullQueueCheck(loop, isSignalled).rounds();
        }
    }

    private String rounds() {
        int least = Integer.MAX_VALUE;
        for (int round = 0; round < FullQueueCheck.ROUNDS; round++) {
            final int taken = round();
            if (taken == REFUSED) {
                return "refused by EINVAL";
            }
            least = Math.min(least, taken);
        }
        return (isFull ? "ENOMEM after " : "not full after ") + least;
    }

    /** Runs one round, and returns how many completions were taken. */
    private int round() {
        loop.expect(Loop.WORK - receives);
        receives = Loop.WORK;
        int taken = 0;
        int signalled = 0;
        int behind = 0;
        int result = Errno.OK;
        while (result == Errno.OK && taken < FullQueueCheck.MOST) {
            final int place = next % FullQueueCheck.MOST * FullQueueCheck.MESSAGE_LENGTH;
            final boolean completes = isSignalled || taken == granted - 1;
            loop.fill(place, FullQueueCheck.MESSAGE_LENGTH, next);
            result = loop.send(completes ? WorkFlags.SIGNALED : 0, place, FullQueueCheck.MESSAGE_LENGTH, next);
            if (result == Errno.OK) {
                missing.set(next++);
                taken++;
                signalled += completes ? 1 : 0;
                behind = completes ? 0 : behind + 1;
            }
        }
        if (result == Errno.EINVAL && next == 0 && !isSignalled) {
            return REFUSED;
        }
        require(result, taken);
        isFull &= result == Errno.ENOMEM;
        loop.take(loop.sends, signalled, queue -> { });
        loop.requireEmpty(loop.sends);
        if (behind > 0) {
            settle();
        }
        receive(Math.min(taken, Loop.WORK));
        return taken;
    }

    /**
     * Settles what is under way: the device may still have sends that nothing tells the end of; one behind them does.
     */
    private void settle() {
        final long startNs = System.nanoTime();
        final int place = next % FullQueueCheck.MOST * FullQueueCheck.MESSAGE_LENGTH;
        loop.fill(place, FullQueueCheck.MESSAGE_LENGTH, next);
        int result = Errno.ENOMEM;
        while (result == Errno.ENOMEM && System.nanoTime() - startNs < Loop.TIMEOUT_NS) {
            result = loop.send(WorkFlags.SIGNALED, place, FullQueueCheck.MESSAGE_LENGTH, next);
        }
        if (result != Errno.OK) {
            throw new CheckFailure("a queue that was full answers " + Errno.describe(result) + " for ever");
        }
        missing.set(next++);
        loop.take(loop.sends, 1, queue -> { });
    }

    private void require(final int result, final int taken) {
        if (result != Errno.OK && result != Errno.ENOMEM) {
            throw new CheckFailure("a queue answers " + Errno.describe(result) + " after " + taken);
        }
        if (taken < granted) {
            throw new CheckFailure("ENOMEM after " + taken + ", and maxSendWork=" + granted + " was granted");
        }
    }

    /** Takes as many as there were receives for; the others are nobody's. */
    private void receive(final int count) {
        final int arrived =
            loop.takeWithin(loop.receives, count, DatagramChecks.LOSS_TIMEOUT_NS, queue -> {
                final int number = queue.immediateData();
                if (number < 0 || !missing.get(number)) {
                    throw new CheckFailure("message=" + number + " arrives, and was not sent, or has arrived before");
                }
                loop.checkReceived(queue, FullQueueCheck.MESSAGE_LENGTH);
                missing.clear(number);
            });
        receives -= arrived;
        lost += count - arrived;
        if (lost > DatagramChecks.MOST_LOST) {
            throw new CheckFailure("lost=" + lost + " of the datagrams for which there were receives");
        }
    }
}
