package io.sluice.verbs.software;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Data path: finds the next completion among the queue pairs attached to a completion queue, in turn. A few are polled
 * directly; of many, those whose ready bit is set. Attaching and detaching copy the arrays, so that polling needs no
 * lock.
 */
final class CompletionSources {
    private static final CompletionSource[] NONE = {};
    private static final int SLOTS_PER_WORD = Long.SIZE;

    private final long file;
    private volatile Attached attached = new Attached(NONE, NONE);
    private int cursor;
    private int quantum = SoftwareLimits.POLL_QUANTUM;

    CompletionSources(final long file) {
        this.file = file;
    }

    /** Make the next completion the current one; false when there is none. */
    boolean poll(final PolledCompletionQueue queue) {
        final Attached now = attached;
        return now.sources.length <= SoftwareLimits.DIRECT_POLL_QUEUE_PAIRS
            ? pollDirectly(now.sources, queue) : pollReady(now.slots, queue);
    }

    private boolean pollDirectly(final CompletionSource[] sources, final PolledCompletionQueue queue) {
        int index = cursor;
        for (int i = 0; i < sources.length; i++) {
            if (index >= sources.length) {
                index = 0;
            }
            if (sources[index].poll(queue)) {
                stayAt(index);
                return true;
            }
            index++;
        }
        return false;
    }

    private boolean pollReady(final CompletionSource[] slots, final PolledCompletionQueue queue) {
        final int words = slots.length / SLOTS_PER_WORD;
        if (words > 1 && !isAnyReady(words)) {
            return false;
        }
        final int start = cursor < slots.length ? cursor : 0;
        final long fromStart = -1L << start;
        int word = start / SLOTS_PER_WORD;
        // The first word is read twice: from the cursor on at first, up to the cursor at last.
        for (int i = 0; i <= words; i++) {
            long bits = UnsafeApi.getLongAcquire(null, CompletionQueueLayout.readyWord(file, word * SLOTS_PER_WORD));
            if (i == 0) {
                bits &= fromStart;
            } else if (i == words) {
                bits &= ~fromStart;
            }
            while (bits != 0) {
                final int slot = word * SLOTS_PER_WORD + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                if (pollSlot(slots[slot], queue)) {
                    return true;
                }
            }
            word = word + 1 < words ? word + 1 : 0;
        }
        return false;
    }

    /** Takes a quick look, of which only that there is nothing counts: most polls of many queue pairs find nothing. */
    private boolean isAnyReady(final int words) {
        final long first = CompletionQueueLayout.readyWord(file, 0);
        long bits = 0;
        for (int i = 0; i < words; i++) {
            bits |= UnsafeApi.getLong(first + (long) i * Long.BYTES);
        }
        return bits != 0;
    }

    private boolean pollSlot(final CompletionSource source, final PolledCompletionQueue queue) {
        if (source == null) {
            // The peer of a queue pair that is gone has set the bit; whoever gets the slot next clears it.
            return false;
        }
        if (source.pollCounting(queue)) {
            stayAt(source.slot());
            return true;
        }
        if (source.isIdle()) {
            sleep(source);
        }
        return false;
    }

    private void stayAt(final int index) {
        if (--quantum > 0) {
            cursor = index;
        } else {
            cursor = index + 1;
            quantum = SoftwareLimits.POLL_QUANTUM;
        }
    }

    /** Clear a ready bit, then look again: posters store their completion first and read the bit after a fence. */
    private void sleep(final CompletionSource source) {
        final long word = CompletionQueueLayout.readyWord(file, source.slot());
        final long bit = CompletionQueueLayout.readyBit(source.slot());
        UnsafeApi.getAndBitwiseAndLong(null, word, ~bit);
        UnsafeApi.fullFence();
        if (source.hasWork()) {
            UnsafeApi.getAndBitwiseOrLong(null, word, bit);
        }
    }

    /** Set-up: a free slot, or -1. Calls of set-up methods are serialised by the completion queue. */
    int freeSlot() {
        final CompletionSource[] slots = attached.slots;
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == null) {
                return i;
            }
        }
        return slots.length < SoftwareLimits.MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE ? slots.length : -1;
    }

    void attach(final CompletionSource source) {
        final int slot = source.slot();
        UnsafeApi.getAndBitwiseAndLong(
            null, CompletionQueueLayout.readyWord(file, slot), ~CompletionQueueLayout.readyBit(slot));
        final CompletionSource[] old = attached.slots;
        final CompletionSource[] slots =
            Arrays.copyOf(old, Math.max(old.length, (slot / SLOTS_PER_WORD + 1) * SLOTS_PER_WORD));
        slots[slot] = source;
        publish(slots);
    }

    /** Set-up: whether {@link #poll} looks at every queue pair by itself. */
    boolean isDirect() {
        return attached.sources.length <= SoftwareLimits.DIRECT_POLL_QUEUE_PAIRS;
    }

    /** Set-up: tell the peers whether they need not signal. */
    void unsignalled(final boolean isUnsignalled) {
        for (final CompletionSource source : attached.sources) {
            source.unsignalled(isUnsignalled);
        }
    }

    /** Set-up: make the poller look at every queue pair. */
    void raiseAll() {
        for (final CompletionSource source : attached.sources) {
            UnsafeApi.getAndBitwiseOrLong(
                null,
                CompletionQueueLayout.readyWord(file, source.slot()),
                CompletionQueueLayout.readyBit(source.slot()));
        }
    }

    void detach(final CompletionSource source) {
        final CompletionSource[] slots = attached.slots.clone();
        slots[source.slot()] = null;
        publish(slots);
    }

    private void publish(final CompletionSource[] slots) {
        int size = 0;
        final CompletionSource[] sources = new CompletionSource[slots.length];
        for (final CompletionSource source : slots) {
            if (source != null) {
                sources[size++] = source;
            }
        }
        attached = new Attached(Arrays.copyOf(sources, size), slots);
    }

    /** All sources; not to be changed. */
    CompletionSource[] all() {
        return attached.sources;
    }

    /**
     * The sources, and the same by slot.
     *
     * @param sources without gaps.
     * @param slots   with nulls, as long as whole words of the bitmap.
     */
    private record Attached(CompletionSource[] sources, CompletionSource[] slots) {
    }
}
