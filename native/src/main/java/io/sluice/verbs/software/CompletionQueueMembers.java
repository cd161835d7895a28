package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;

/**
 * Set-up: which queue pairs complete at a completion queue, how many completions they can have, and whether their peers
 * must signal.
 * <p>
 * While there are few and nobody waits for events, the poller looks at each of them by itself, and peers are told that
 * they need neither fence nor signal. When one more comes, they are told otherwise. A peer that has just read the old
 * word has stored its completion before it; the poller goes on to look by itself until that store must long be visible,
 * then takes every ready bit for set, and so looks at every queue pair again before it relies on signals.
 */
final class CompletionQueueMembers {
    /** Bounds the wait where the clock does not move; an interrupted thread parks for no time. */
    private static final int MAX_PARKS = 1_000_000;

    private final Environment environment;
    private final CompletionSources sources;
    private final boolean hasChannel;

    CompletionQueueMembers(
        final Environment environment, final CompletionSources sources, final boolean hasChannel) {
        this.environment = environment;
        this.sources = sources;
        this.hasChannel = hasChannel;
    }

    CompletionSource attach(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final ReceiveCompletions receives,
        final LocalCompletions sends,
        final int maxCompletions) {
        final int slot = sources.freeSlot();
        if (slot < 0) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL, "a completion queue serves at most "
                + SoftwareLimits.MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE + " queue pairs");
        }
        if (!hasChannel && sources.all().length == SoftwareLimits.DIRECT_POLL_QUEUE_PAIRS) {
            stopLooking();
        }
        final CompletionSource source = new CompletionSource(owner, numbers, receives, sends, slot, maxCompletions);
        sources.attach(source);
        tellPeers();
        return source;
    }

    void detach(final CompletionSource source) {
        sources.detach(source);
        tellPeers();
    }

    private void tellPeers() {
        sources.unsignalled(!hasChannel && sources.isDirect());
    }

    private void stopLooking() {
        sources.unsignalled(false);
        final long startNs = environment.nanoTime();
        for (int i = 0; i < MAX_PARKS && environment.nanoTime() - startNs < SoftwareLimits.STORE_VISIBLE_NS; i++) {
            environment.park(SoftwareLimits.STORE_VISIBLE_NS);
        }
        sources.raiseAll();
    }

    /** Completions that can be outstanding at once. */
    long committed() {
        long committed = 0;
        for (final CompletionSource source : sources.all()) {
            committed += source.maxCompletions();
        }
        return committed;
    }

    int size() {
        return sources.all().length;
    }
}
