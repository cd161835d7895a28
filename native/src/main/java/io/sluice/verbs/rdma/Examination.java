package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Chooses which queue pairs of a device are asked for their states, and when. One that an event is about is asked at
 * once. Suspects are asked at the next interval: one whose completion has told of an error, since the requester's
 * errors come so and by no event, and one that could not be asked at its event. All others are asked in turn, for what
 * neither tells.
 */
final class Examination implements FailedWork {
    /** Time between two looks at queue pairs whose work has failed, and where events cannot be trusted at others. */
    static final long INTERVAL_NS = 20_000_000L;
    /**
     * Time between two looks at queue pairs of which nothing is known, where events can be trusted: nothing is expected
     * then, and a thousand connections that are well would otherwise cost a card's firmware 400 commands a second for
     * ever.
     */
    static final long TRUSTED_TURN_NS = 500_000_000L;
    /** Queue pairs that are asked at a time: a card's firmware takes tens of microseconds for each answer. */
    static final int AT_ONCE = 8;

    private final Environment environment;
    private final Collection<VerbsQueuePair> queuePairs;
    private final long turnNs;
    /**
     * The queue pairs by their numbers, copied on every change: pollers look there, by the number that a completion
     * has.
     */
    private volatile KnownByNumber known = new KnownByNumber(new Int2ObjectHashMap<>());
    /**
     * Whether there is a suspect: set after a queue pair has become one, and cleared before they are looked for: none
     * is missed.
     */
    private volatile boolean isAnySuspect;
    /** The duties', as all that follow. */
    private long nextNs;
    private long nextTurnNs;
    /** Queue pairs that were not asked yet when the others were; used up at first. */
    private Iterator<VerbsQueuePair> unexamined = Collections.emptyIterator();
    private int suspectsAsked;
    /**
     * End of patience in the cycle of duties under way: so long it waits for threads that post, however many queue
     * pairs fail.
     */
    private long patienceEndNs;
    /** Suspects of the last time are asked twice: a device may write the completion before it changes the state. */
    private List<VerbsQueuePair> again = List.of();

    /**
     * Create the examination of a device.
     *
     * @param environment its clock, and the fence.
     * @param queuePairs  all of it, which change while they are iterated over.
     * @param isTrusted   whether its events tell of every failure that no completion tells of.
     */
    Examination(
        final Environment environment, final Collection<VerbsQueuePair> queuePairs, final boolean isTrusted) {
        this.environment = environment;
        this.queuePairs = queuePairs;
        turnNs = isTrusted ? TRUSTED_TURN_NS : INTERVAL_NS;
        nextNs = environment.nanoTime();
        nextTurnNs = nextNs;
    }

    private synchronized void change(final Consumer<Int2ObjectHashMap<VerbsQueuePair>> change) {
        final Int2ObjectHashMap<VerbsQueuePair> changed = new Int2ObjectHashMap<>(known.byNumber);
        change.accept(changed);
        known = new KnownByNumber(changed);
    }

    void add(final VerbsQueuePair queuePair) {
        change(changed -> changed.put(queuePair.number(), queuePair));
    }

    void remove(final QueuePair queuePair) {
        // another one may have its number by now
        change(changed -> changed.remove(queuePair.number(), queuePair));
    }

    /**
     * Notes that work has failed, and not by a flush. The completion may be of an earlier queue pair with the same
     * number, and where the device cannot be asked it is believed: it counts only where work of the queue pair can have
     * completed. Poller: a few loads, whatever the number of queue pairs.
     */
    void onFailedWork(final CompletionQueue queue, final int queuePairNumber) {
        known.onFailedWork(queue, queuePairNumber);
    }

    @Override
    public Known known() {
        return known;
    }

    /** Queue pairs by number: a map that is not changed any more. */
    private final class KnownByNumber implements Known {
        private final Int2ObjectHashMap<VerbsQueuePair> byNumber;

        private KnownByNumber(final Int2ObjectHashMap<VerbsQueuePair> byNumber) {
            this.byNumber = byNumber;
        }

        @Override
        public void onFailedWork(final CompletionQueue queue, final int queuePairNumber) {
            final VerbsQueuePair queuePair = byNumber.get(queuePairNumber);
            if (queuePair != null && queuePair.uses(queue) && queuePair.state() == QueuePairState.READY_TO_SEND) {
                queuePair.onFailedWork();
                isAnySuspect = true;
            }
        }
    }

    /** Notes that a queue pair has become a suspect. Any thread. */
    void onSuspect() {
        isAnySuspect = true;
    }

    /** Notes that a cycle of the device's duties begins. */
    void onDuties(final long nowNs) {
        patienceEndNs = nowNs + VerbsQueuePair.FAIL_PATIENCE_NS;
    }

    /**
     * Device's duty, as often as it likes.
     *
     * @return queue pairs that have turned out to have failed.
     */
    int examine(final long nowNs) {
        if (nowNs - nextNs < 0) {
            return 0;
        }
        nextNs = nowNs + INTERVAL_NS;
        final List<VerbsQueuePair> next = new ArrayList<>(again);
        next.removeIf(queuePair -> queuePair.state() == QueuePairState.ERROR);
        again = nextSuspects(next);
        next.addAll(again);
        if (nowNs - nextTurnNs >= 0) {
            nextTurnNs = nowNs + turnNs;
            addInTurn(next);
        }
        return ask(next);
    }

    /** Suspects for which there is no room come later: from one time to the next others are the first of them. */
    private List<VerbsQueuePair> nextSuspects(final List<VerbsQueuePair> others) {
        if (!isAnySuspect) {
            return List.of();
        }
        isAnySuspect = false;
        final List<VerbsQueuePair> all = queuePairs.stream()
            .filter(queuePair -> queuePair.isSuspect() && !others.contains(queuePair)).toList();
        final int count = Math.min(AT_ONCE - others.size(), all.size());
        if (count < all.size()) {
            isAnySuspect = true;
        }
        return IntStream.range(0, count)
            .mapToObj(i -> all.get(Math.floorMod(suspectsAsked++, all.size()))).toList();
    }

    private void addInTurn(final List<VerbsQueuePair> next) {
        if (!unexamined.hasNext()) {
            unexamined = queuePairs.iterator();
        }
        while (next.size() < AT_ONCE && unexamined.hasNext()) {
            final VerbsQueuePair queuePair = unexamined.next();
            if (!next.contains(queuePair)) {
                next.add(queuePair);
            }
        }
    }

    /**
     * Device's duty: asks these queue pairs, to which something has happened. All of them are asked, also when one
     * cannot be: each may be the one that somebody waits for. One that is in a transition is asked again. One fence
     * serves them all.
     */
    int ask(final Collection<VerbsQueuePair> those) {
        boolean isFenceNeeded = false;
        for (final VerbsQueuePair queuePair : those) {
            isFenceNeeded |= queuePair.prepare();
        }
        try {
            if (isFenceNeeded) {
                environment.fenceAllThreads();
            }
            return askPrepared(those);
        } finally {
            those.forEach(VerbsQueuePair::endExamination);
        }
    }

    private int askPrepared(final Collection<VerbsQueuePair> those) {
        int work = 0;
        VerbsException first = null;
        for (final VerbsQueuePair queuePair : those) {
            try {
                work += queuePair.examine(patienceEndNs);
            } catch (final VerbsException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
            if (queuePair.isSuspect()) {
                isAnySuspect = true;
            }
        }
        if (first != null) {
            throw first;
        }
        return work;
    }
}
