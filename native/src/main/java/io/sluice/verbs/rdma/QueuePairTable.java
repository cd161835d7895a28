package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.foreign.Guard;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The queue pairs of a device that are not destroyed. Any thread may call; set-up, and the device's duties. */
final class QueuePairTable implements QueuePairOwner {
    private final Map<Long, VerbsQueuePair> byAddress = new ConcurrentHashMap<>();
    private final Examination examination;

    /**
     * Create the table of a device.
     *
     * @param isTrusted whether its events tell of every failure that no completion tells of.
     */
    QueuePairTable(final Environment environment, final boolean isTrusted) {
        examination = new Examination(environment, byAddress.values(), isTrusted);
    }

    /** Examination that says when queue pairs are asked for their states. */
    Examination examination() {
        return examination;
    }

    void add(final VerbsQueuePair queuePair) {
        byAddress.put(queuePair.handle(), queuePair);
        examination.add(queuePair);
    }

    @Override
    public void onSuspect() {
        examination.onSuspect();
    }

    @Override
    public void onDestroyed(final long handle, final QueuePair queuePair) {
        byAddress.remove(handle, queuePair);
        examination.remove(queuePair);
    }

    Iterable<VerbsQueuePair> all() {
        return byAddress.values();
    }

    /** The queue pair of an event; null for one that is being closed. */
    VerbsQueuePair find(final long handle) {
        final VerbsQueuePair found = byAddress.get(handle);
        return found == null || found.isClosed() ? null : found;
    }

    /** Have posts to the queue pairs of a completion queue be plain or critical. */
    void choosePosts(final CompletionQueue queue) {
        for (final VerbsQueuePair queuePair : byAddress.values()) {
            if (queuePair.uses(queue)) {
                queuePair.choosePosts();
            }
        }
    }

    /** Guards that are entered in these posts. */
    Stream<Guard> postGuards(final CompletionQueue queue) {
        return byAddress.values().stream().filter(queuePair -> queuePair.uses(queue))
            .flatMap(VerbsQueuePair::postGuards);
    }

    /**
     * Fails the queue pairs of a completion queue that has overrun: it is dead, and so are its queue pairs, those in
     * transition a little later.
     */
    void failThoseOf(final VerbsCompletionQueue queue) {
        queue.onOverrun();
        examination.ask(byAddress.values().stream().filter(queuePair -> queuePair.uses(queue)).toList());
    }
}
