package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Destroys queue pairs of a device whose library follows a pointer from each completion to the queue pair, which it
 * frees, and leaves the completions in the queue: a later poll would read what was freed. So they are all taken out
 * before. A queue pair that has failed completes its work in order, so there are none before a marker that is posted
 * then and has come. In RESET, where it is brought after that, the device has nothing left of it, nor of receives that
 * are shared, which no marker can follow.
 *
 * <p>A marker may never come: of a device that loses completions, or that goes. Then the completion queues of the queue
 * pair are given up: nobody asks the library for a completion of them any more, so that nothing is followed that comes
 * late, and the queue pair can be destroyed. Of a device that goes, where nobody polls any more, this is done at once;
 * else after some attempts that were refused, since other queue pairs of these queues go to the ERROR state with them,
 * as after an overrun. Any thread.
 */
final class QueuePairDrain {
    /**
     * The longest time in nanoseconds that a flush may take: a device does it within microseconds. Pollers of the
     * queues are told EBUSY so long.
     */
    private static final long TIMEOUT_NS = 1_000_000_000L;
    /** Time between two looks. */
    private static final long PARK_NS = 50_000;
    /**
     * The number of attempts to destroy a queue pair: when the last of them fails, its completion queues are given up.
     */
    static final int ATTEMPTS = 3;
    private static final String CALL = "ibv_destroy_qp";

    private final DeviceContext device;
    private final Consumer<VerbsCompletionQueue> giveUp;
    private final DrainMarkers markers;
    /** Lock held from the first look into a queue on: two that go would take each other's markers. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Attempts that were refused, of queue pairs that stay, by their transitions. Guarded by the lock. */
    private final Map<QueuePairTransitions, Integer> refusals = new HashMap<>();

    private QueuePairDrain(final DeviceContext device, final Consumer<VerbsCompletionQueue> giveUp) {
        this.device = device;
        this.giveUp = giveUp;
        markers = new DrainMarkers(device.environment().randomLong());
    }

    /**
     * Drain of a device by its vendor; null when its library removes completions itself, or needs no queue pair for
     * them.
     *
     * @param giveUp gives up a completion queue.
     */
    static QueuePairDrain of(final DeviceContext device, final Consumer<VerbsCompletionQueue> giveUp) {
        return device.vendor().followsFreedQueuePairs() ? new QueuePairDrain(device, giveUp) : null;
    }

    /**
     * Destroy a queue pair that nobody posts to, nor changes the state of.
     *
     * @param queuePair its number.
     * @throws VerbsException EBUSY when its work does not end in time. It stays then, and this can be repeated; from
     *                        attempt number {@value #ATTEMPTS} on it goes, and its completion queues are given up.
     */
    void destroy(
        final int queuePair,
        final QueuePairQueues queues,
        final QueuePairTransitions transitions,
        final Runnable destruction) {
        lock.lock();
        try {
            queues.whileQueuePairGoes(() -> {
                new Attempt(queuePair, queues, transitions).run();
                destruction.run();
            });
            refusals.remove(transitions);
        } finally {
            lock.unlock();
        }
    }

    /** One attempt. The lock is held, and no poller is in the queues. */
    private final class Attempt {
        private final int queuePair;
        private final QueuePairTransitions transitions;
        private final List<LegacyCompletionQueue> queues;
        private final long marker = markers.next();
        /** The marker for the send queue; null when it has been posted, or is of no use. */
        private SendRequest send;
        private ReceiveWork receive;
        private int posted;
        private int found;

        Attempt(
            final int queuePair,
            final QueuePairQueues queues,
            final QueuePairTransitions transitions) {
            this.queuePair = queuePair;
            this.transitions = transitions;
            // a device of this kind has no others
            this.queues = Stream.of(queues.send(), queues.receive()).distinct()
                .map(LegacyCompletionQueue.class::cast).toList();
            // what the device has not begun with it does not flush
            if (transitions.reached() == rdma_constants.IBV_QPS_RTS() && !queues.send().isShut()) {
                send = new SendRequest(
                    device.operation(ibv_context_ops.post_send$offset()), transitions.handle(), 0, true);
                send.fill(SendPoster.RDMA_WRITE, marker, WorkFlags.SIGNALED, 0, 0, 0);
            }
            if (queues.shared() == null && transitions.reached() >= rdma_constants.IBV_QPS_RTR()
                && !queues.receive().isShut()) {
                receive = new ReceiveWork(
                    device.operation(ibv_context_ops.post_recv$offset()), transitions.handle(), 1, true);
            }
        }

        void run() {
            try {
                if (device.presence().isUnderWay()) {
                    giveUp();
                } else {
                    drain();
                }
            } catch (final VerbsException e) {
                if (!device.presence().isUnderWay() && refusals.merge(transitions, 1, Integer::sum) < ATTEMPTS) {
                    throw e;
                }
                giveUp();
            } finally {
                if (found < posted) {
                    queues.forEach(LegacyCompletionQueue::awaitMarkers);
                }
                // another one may get its number
                queues.forEach(queue -> queue.forgetAside(queuePair));
            }
        }

        private void giveUp() {
            queues.forEach(giveUp);
        }

        private void drain() {
            if (transitions.reached() != rdma_constants.IBV_QPS_RESET()) {
                end();
            }
            take();
        }

        private void end() {
            transitions.fail();
            final long startNs = device.environment().nanoTime();
            // before a marker is posted: the queues have no room but for the work
            take();
            while (!isFlushed() && device.environment().nanoTime() - startNs < TIMEOUT_NS) {
                device.environment().park(PARK_NS);
                take();
            }
            if (found < posted) {
                throw new VerbsException(CALL, Errno.EBUSY, "queue pair " + queuePair
                    + " stays: the device has not flushed its work within " + TIMEOUT_NS / 1_000_000
                    + " ms; try again after that: attempt number " + ATTEMPTS + " gives up its completion queues");
            }
            // also where a queue had no place for a marker: it is full of what was done without a completion
            transitions.reset();
        }

        private boolean isFlushed() {
            if (send != null && isPosted("ibv_post_send", send.post())) {
                send = null;
            }
            if (receive != null && isPosted("ibv_post_recv", receive.post(marker, 0, 0, 0))) {
                receive = null;
            }
            take();
            return send == null && receive == null && found == posted;
        }

        /** Whether a post has succeeded: a full queue has places again when what was flushed has been taken. */
        private boolean isPosted(final String call, final int result) {
            if (result != Errno.OK && result != Errno.ENOMEM) {
                throw new VerbsException(
                    call, result, "queue pair " + queuePair + " stays: no marker can follow its work");
            }
            posted += result == Errno.OK ? 1 : 0;
            return result == Errno.OK;
        }

        private void take() {
            for (final LegacyCompletionQueue queue : queues) {
                found += queue.takeAside(queuePair, markers, marker);
            }
        }
    }
}
