package io.sluice.transport.simulation;

import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Completion queues that have become smaller than their transport takes them for, so that they overrun: what keeps them
 * from it is bypassed. One that has not when things calm down is as large as before again.
 */
final class Overruns {
    private final World world;
    private final SplittableRandom random;
    private final Map<CompletionQueue, NarrowQueue> queues = new LinkedHashMap<>();

    /** A queue's room, and who is struck when it overruns: a publication, a subscription, or else the whole process. */
    private record NarrowQueue(
        SimulatedProcess process, int capacity, Publisher publisher, Subscriber subscriber) {
    }

    Overruns(final World world) {
        this.world = world;
        random = world.newRandom();
    }

    /** Some queue of a process, if there is one, has room for nothing more than waits in it. Between two steps. */
    void narrow(final SimulatedProcess process) {
        final CompletionQueue queue = choose(process);
        if (queue == null) {
            return;
        }
        final int capacity = Math.max(1, (int) Internals.arrived(queue));
        world.trace().event("process " + process.id(), "has a narrow completion queue: capacity={} committed={}",
            capacity, Internals.committed(queue));
        queue.resize(capacity);
    }

    /** Some queue of a process, if there is one, overruns at once. */
    void overrun(final SimulatedProcess process) {
        final CompletionQueue queue = choose(process);
        if (queue != null) {
            Internals.overrun(queue);
        }
    }

    private CompletionQueue choose(final SimulatedProcess process) {
        final List<CompletionQueue> candidates = new ArrayList<>();
        for (final CompletionQueue queue : Internals.completionQueues(process.device())) {
            if (Internals.isAlive(queue) && Internals.committed(queue) > 1 && !queues.containsKey(queue)) {
                candidates.add(queue);
            }
        }
        if (candidates.isEmpty()) {
            return null;
        }
        final CompletionQueue queue = candidates.get(random.nextInt(candidates.size()));
        queues.put(queue, new NarrowQueue(process, queue.capacity(),
            world.publishers().stream().filter(publisher -> publisher.process() == process
                && Internals.completesAt(publisher.state(), queue)).findFirst().orElse(null),
            world.subscribers().stream().filter(subscriber -> subscriber.process() == process
                && Internals.completesAt(subscriber.state(), queue)).findFirst().orElse(null)));
        return queue;
    }

    /** Whether a queue may overrun. */
    boolean isNarrow(final CompletionQueue queue) {
        return queues.containsKey(queue);
    }

    /** Notices, after a step, those that have overrun, and may have been replaced in the same step. */
    void watch() {
        queues.forEach((queue, narrow) -> {
            if (Internals.hasOverrun(queue) && narrow.process().onOverrun(queue)) {
                strike(narrow);
            }
        });
    }

    private void strike(final NarrowQueue narrow) {
        world.trace().event("process " + narrow.process().id(), "its completion queue has overrun", 0, 0);
        if (narrow.publisher() != null) {
            LinkEnd.strike(world, Fault.COMPLETION_QUEUE_OVERRUN, narrow.publisher());
        } else if (narrow.subscriber() != null) {
            LinkEnd.strike(world, Fault.COMPLETION_QUEUE_OVERRUN, narrow.subscriber());
        } else {
            LinkEnd.strike(world, Fault.COMPLETION_QUEUE_OVERRUN, narrow.process());
        }
    }

    /** Let those that have not overrun be as large as before, so that they will not. */
    void end() {
        queues.forEach((queue, narrow) -> {
            if (narrow.process().isAlive() && Internals.isAlive(queue)) {
                queue.resize(Math.max(queue.capacity(), narrow.capacity()));
            }
        });
    }

    /** A process knows of no other overruns than there have been. */
    static void check(final SimulatedProcess process) {
        final long known = process.transport().counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS);
        final long events = process.transport().counters().get(TransportCounter.DEVICE_EVENTS);
        if (known > process.overruns() || events > 0 && process.overruns() == 0) {
            throw new AssertionError("a completion queue overran that had room: " + process.transport().counters());
        }
    }
}
