package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.collections.ArrayUtil;

/** The living objects of a device, and the events about them that wait to be delivered. Any thread may call. */
final class DeviceObjects {
    private static final AsyncEventType[] EVENT_TYPES = AsyncEventType.values();

    private final DeviceContext device;
    // Copied on every change, so that polling needs neither lock nor iterator. Queue pairs stay until they are closed.
    private volatile SoftwareQueuePair[] queuePairs = {};
    private volatile SoftwareCompletionQueue[] completionQueues = {};
    private volatile SoftwareSharedReceiveQueue[] sharedQueues = {};
    private volatile SoftwareConnection[] connections = {};
    /**
     * The queue pairs that were closed although a thread did not come back from a post: it may still touch what they
     * used.
     */
    private volatile SoftwareQueuePair[] abandoned = {};
    private int lastQueuePairNumber;
    /** Whether the device is released, or about to be. */
    private boolean isReleased;

    DeviceObjects(final DeviceContext device) {
        this.device = device;
    }

    synchronized void add(final SoftwareQueuePair queuePair) {
        checkThere("ibv_create_qp");
        queuePairs = ArrayUtil.add(queuePairs, queuePair);
    }

    synchronized void remove(final SoftwareQueuePair queuePair) {
        queuePairs = ArrayUtil.remove(queuePairs, queuePair);
    }

    private void checkThere(final String call) {
        if (isReleased) {
            throw new VerbsException(call, Remedies.ENODEV, "the device was removed meanwhile");
        }
    }

    synchronized void add(final SoftwareCompletionQueue queue) {
        checkThere("ibv_create_cq_ex");
        if (completionQueues.length >= SoftwareLimits.MAX_COMPLETION_QUEUES) {
            throw new VerbsException("ibv_create_cq_ex", Errno.ENOMEM,
                "the device has " + completionQueues.length + " completion queues, its maximum");
        }
        completionQueues = ArrayUtil.add(completionQueues, queue);
    }

    synchronized void remove(final SoftwareCompletionQueue queue) {
        completionQueues = ArrayUtil.remove(completionQueues, queue);
    }

    /** Carry over what peers have put into files that replaced others. */
    void carryReadyBits() {
        if (device.removedFiles().hasReplacedQueues()) {
            for (final SoftwareCompletionQueue queue : completionQueues) {
                queue.carryReadyBits();
            }
        }
    }

    synchronized void add(final SoftwareSharedReceiveQueue queue) {
        checkThere("ibv_create_srq");
        sharedQueues = ArrayUtil.add(sharedQueues, queue);
    }

    synchronized void remove(final SoftwareSharedReceiveQueue queue) {
        sharedQueues = ArrayUtil.remove(sharedQueues, queue);
    }

    synchronized void add(final SoftwareConnection connection) {
        connections = ArrayUtil.add(connections, connection);
    }

    synchronized void remove(final SoftwareConnection connection) {
        connections = ArrayUtil.remove(connections, connection);
    }

    /** A number that no living queue pair has. */
    synchronized int newQueuePairNumber() {
        if (queuePairs.length >= SoftwareLimits.MAX_QUEUE_PAIRS) {
            throw new VerbsException(
                "ibv_create_qp", Errno.ENOMEM, "the device has " + queuePairs.length + " queue pairs, its maximum");
        }
        while (true) {
            lastQueuePairNumber =
                lastQueuePairNumber == SoftwareLimits.MAX_QUEUE_PAIR_NUMBER ? 1 : lastQueuePairNumber + 1;
            final int number = lastQueuePairNumber;
            if (Arrays.stream(queuePairs).noneMatch(queuePair -> queuePair.number() == number)) {
                return number;
            }
        }
    }

    synchronized void abandon(final SoftwareQueuePair queuePair) {
        abandoned = ArrayUtil.add(abandoned, queuePair);
    }

    /** Guards of the threads inside sends, which may be reading a region. */
    List<BooleanSupplier> sends() {
        final List<BooleanSupplier> guards = new ArrayList<>();
        // in this order: one that moves from the first to the second is in the second before it leaves the first
        addSends(queuePairs, guards);
        addSends(abandoned, guards);
        return guards;
    }

    private static void addSends(final SoftwareQueuePair[] pairs, final List<BooleanSupplier> guards) {
        for (final SoftwareQueuePair queuePair : pairs) {
            guards.addAll(queuePair.sends());
        }
    }

    /** Guards of the threads inside posts of closed queue pairs that used a completion queue. */
    List<BooleanSupplier> postsAt(final SoftwareCompletionQueue queue) {
        final List<BooleanSupplier> guards = new ArrayList<>();
        addPostsAt(queue, queuePairs, guards);
        addPostsAt(queue, abandoned, guards);
        return guards;
    }

    private static void addPostsAt(
        final SoftwareCompletionQueue queue, final SoftwareQueuePair[] pairs, final List<BooleanSupplier> guards) {
        for (final SoftwareQueuePair queuePair : pairs) {
            if (queuePair.sendCompletionQueue() == queue || queuePair.receiveCompletionQueue() == queue) {
                guards.addAll(queuePair.posts());
            }
        }
    }

    int deliver(final AsyncEventHandler handler) {
        if (!device.takeRaised()) {
            return 0;
        }
        boolean isDone = false;
        try {
            final int delivered = deliverEach(handler);
            isDone = true;
            return delivered;
        } finally {
            if (!isDone) {
                device.raiseAgain();
            }
        }
    }

    /** One at a time: a handler that throws loses no event but its own. */
    private int deliverEach(final AsyncEventHandler handler) {
        int delivered = 0;
        for (final SoftwareCompletionQueue queue : completionQueues) {
            for (int bit = queue.events().takeOne(); bit != 0; bit = queue.events().takeOne()) {
                handler.onAsyncEvent(EVENT_TYPES[Integer.numberOfTrailingZeros(bit)], queue, null);
                delivered++;
            }
        }
        for (final SoftwareQueuePair queuePair : queuePairs) {
            for (int bit = queuePair.events().takeOne(); bit != 0; bit = queuePair.events().takeOne()) {
                handler.onAsyncEvent(EVENT_TYPES[Integer.numberOfTrailingZeros(bit)], null, queuePair);
                delivered++;
            }
        }
        for (final SoftwareSharedReceiveQueue queue : sharedQueues) {
            for (int bit = queue.events().takeOne(); bit != 0; bit = queue.events().takeOne()) {
                handler.onSharedReceiveQueueEvent(EVENT_TYPES[Integer.numberOfTrailingZeros(bit)], queue);
                delivered++;
            }
        }
        return delivered;
    }

    /** Tries the sends again that wait. */
    void retrySends() {
        for (final SoftwareQueuePair queuePair : queuePairs) {
            queuePair.sendQueue().waiting().retry();
        }
    }

    /** Does the slow duties: faults told by peers, dead peers, overruns, closed sockets; returns what was found. */
    int examine() {
        int work = 0;
        for (final SoftwareQueuePair queuePair : queuePairs) {
            work += queuePair.examine();
        }
        for (final SoftwareCompletionQueue queue : completionQueues) {
            queue.checkOverrun();
        }
        for (final SoftwareSharedReceiveQueue queue : sharedQueues) {
            work += queue.examine();
        }
        for (final SoftwareConnection connection : connections) {
            work += connection.examine();
        }
        return work;
    }

    /** Closes everything, as the device goes, in the order in which one needs the other. */
    void releaseAll() {
        synchronized (this) {
            isReleased = true;
        }
        for (final SoftwareConnection connection : connections) {
            connection.disconnect();
        }
        for (final SoftwareQueuePair queuePair : queuePairs) {
            queuePair.close();
        }
        for (final SoftwareSharedReceiveQueue queue : sharedQueues) {
            queue.close();
        }
        for (final SoftwareCompletionQueue queue : completionQueues) {
            queue.release();
        }
    }

    /** Lets objects be created again, as the device is back. */
    synchronized void restore() {
        isReleased = false;
    }

    /** Fails all connections and queue pairs, as the device is closed under them: peers are to notice. */
    void failAll() {
        for (final SoftwareConnection connection : connections) {
            connection.disconnect();
        }
        for (final SoftwareQueuePair queuePair : queuePairs) {
            queuePair.fail();
        }
    }
}
