package io.sluice.samples.selftest;

import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import java.util.function.BooleanSupplier;

/**
 * More completes than a queue holds. Then an event tells, not before, and the queue and its queue pair are dead; or
 * everything is kept, since the queue holds more than it said; or there is no room in the send queue for so much. What
 * contradicts is a completion that is missing while no event tells. One thread.
 */
final class OverrunCheck {
    private static final int CAPACITY = 4;
    private static final int BEYOND = 64;
    private static final int ROUNDS = 4;
    /** The amount of work that no device grants for {@link #CAPACITY}, or what it holds cannot be found out. */
    private static final int MOST_WORK = 4096;
    private static final long EVENT_TIMEOUT_NS = 2_000_000_000L;

    private final Loop loop;
    private final boolean isReceived;
    private final long eventTimeoutNs;
    private final int granted;
    private int posted;

    private OverrunCheck(final Loop loop, final boolean isReceived, final long eventTimeoutNs) {
        this.loop = loop;
        this.isReceived = isReceived;
        this.eventTimeoutNs = eventTimeoutNs;
        granted = loop.sends.capacity();
    }

    /** Checks connected queue pairs, also with a queue that is not found to overrun, where there are any. */
    static String run(final RdmaDevice device) {
        return run(device, EVENT_TIMEOUT_NS);
    }

    /** Runs it with a time in which an event must be there. */
    static String run(final RdmaDevice device, final long eventTimeoutNs) {
        final String found;
        try (Loop loop = open(device, CompletionQueueFlags.NONE)) {
            found = new OverrunCheck(loop, true, eventTimeoutNs).overrun();
        }
        if ((device.attributes().completionQueueFlags() & CompletionQueueFlags.IGNORE_OVERRUN) == 0) {
            return found;
        }
        try (Loop loop = open(device, CompletionQueueFlags.IGNORE_OVERRUN)) {
            return found + "; IGNORE_OVERRUN: " + new OverrunCheck(loop, true, eventTimeoutNs).fill();
        }
    }

    private static Loop open(final RdmaDevice device, final int flags) {
        return ConnectedLoop.open(device, options(device, flags));
    }

    private static LoopOptions options(final RdmaDevice device, final int flags) {
        return LoopOptions.DEFAULT.withCapacity(CAPACITY).withFlags(flags).withSendWork(sendWork(device, flags));
    }

    /** Checks queue pairs of datagrams, which complete whether or not somebody receives. */
    static String runDatagrams(final RdmaDevice device) {
        return runDatagrams(device, EVENT_TIMEOUT_NS);
    }

    /** Runs it with datagrams, and a time in which an event must be there. */
    static String runDatagrams(final RdmaDevice device, final long eventTimeoutNs) {
        try (Loop loop = DatagramLoop.open(device, options(device, CompletionQueueFlags.NONE), 1)) {
            return new OverrunCheck(loop, false, eventTimeoutNs).overrun();
        }
    }

    /** The number of places in the send queue for more than the completion queue holds. */
    private static int sendWork(final RdmaDevice device, final int flags) {
        try (CompletionQueue queue =
            device.createCompletionQueue(new CompletionQueueAttributes(CAPACITY, 0, null).withFlags(flags))) {
            return Math.min(Math.min(device.attributes().maxQueuePairWorkRequests(), MOST_WORK),
                most(queue.capacity()));
        }
    }

    /**
     * The most completions that a queue may turn out to hold: devices round up, or are asked for more than is told, so
     * that a batch has room.
     */
    private static int most(final int capacity) {
        return capacity + BEYOND;
    }

    private boolean isTold() {
        return loop.events.contains(AsyncEventType.CQ_ERR);
    }

    private String overrun() {
        post(granted);
        loop.duties();
        if (isTold()) {
            throw new CheckFailure("an event tells of an overrun after completions=" + posted + ", and capacity="
                + granted);
        }
        post(most(granted));
        if (posted <= granted) {
            take();
            return figures() + ": the send queue is full before";
        }
        await(this::isTold);
        if (!isTold()) {
            take();
        }
        if (isTold()) {
            requireDead();
            return figures() + ": an event tells, and the queue is dead";
        }
        return figures() + ": all are kept";
    }

    private String figures() {
        return "capacity=" + granted + " completions=" + posted;
    }

    /** Post until there were so many, the send queue is full or an event tells. */
    private void post(final int count) {
        while (posted < count && !isTold()) {
            if (isReceived) {
                loop.expect(1);
            }
            final int result = loop.send(WorkFlags.SIGNALED, 0, 1, posted);
            if (result == Errno.ENOMEM) {
                return;
            }
            if (result != Errno.OK) {
                await(this::isTold);
                if (!isTold()) {
                    throw new CheckFailure("a post answers " + Errno.describe(result) + " after completions="
                        + posted + ", and no event tells why");
                }
                return;
            }
            posted++;
            if (isReceived && !await(this::hasArrived) && !isTold()) {
                throw new CheckFailure("message=" + posted + " does not arrive, and no event tells why");
            }
        }
    }

    private boolean hasArrived() {
        return loop.poll(loop.receives, 1, queue -> { }) != 0;
    }

    /** Wait for a condition, or for the event. */
    private boolean await(final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        boolean is = condition.getAsBoolean();
        while (!is && !isTold() && System.nanoTime() - startNs < eventTimeoutNs) {
            loop.duties();
            is = condition.getAsBoolean();
        }
        return is;
    }

    /** Takes completions until all that was posted has completed, or an event tells, which a poll may find first. */
    private void take() {
        int taken = 0;
        try {
            taken = loop.takeWithin(loop.sends, posted, eventTimeoutNs, queue -> { });
        } catch (final CheckFailure e) {
            await(this::isTold);
            if (!isTold()) {
                throw new CheckFailure(e.getMessage() + ", and no event tells why");
            }
        }
        if (taken != posted && !isTold()) {
            throw new CheckFailure("completions=" + taken + " of " + posted + " with capacity=" + granted
                + ": the others are lost, and no event tells");
        }
    }

    private void requireDead() {
        final int start = loop.sends.startPoll();
        if (start == Errno.OK) {
            loop.sends.endPoll();
        }
        if (start == Errno.OK || start == Errno.ENOENT) {
            throw new CheckFailure("an event tells of an overrun, and a poll answers " + Errno.describe(start));
        }
        final long startNs = System.nanoTime();
        while (loop.first.state() != QueuePairState.ERROR) {
            loop.duties();
            if (System.nanoTime() - startNs > eventTimeoutNs) {
                throw new CheckFailure(
                    "an event tells of an overrun, and the queue pair is in the state " + loop.first.state());
            }
        }
    }

    /** Fills a queue: one that is not found to overrun keeps all that it has said it holds. */
    private String fill() {
        for (int round = 0; round < ROUNDS; round++) {
            posted = 0;
            post(granted);
            take();
            loop.requireEmpty(loop.sends);
        }
        if (isTold()) {
            throw new CheckFailure("an event tells of an overrun that is to be ignored, capacity=" + granted);
        }
        return "all are kept up to capacity=" + granted;
    }
}
