package io.sluice.transport.buffer;

/**
 * Account of a send queue under selective signalling: which posted requests still hold a slot, and which next one must
 * be signalled so that slots come back. A signalled completion retires its request and every earlier one.
 * <p>
 * One thread at a time, the one that holds the post token. Pure arithmetic; allocates nothing after construction.
 */
public final class SendQueueLedger {
    private final int capacity;
    private final int signalInterval;
    private final long[] signalledCounts;
    private final int mask;
    private long posted;
    private long retired;
    private long lastSignalled;
    private int head;
    private int tail;

    /**
     * An empty send queue.
     *
     * @param capacity       slots, at least 1.
     * @param signalInterval at least every n-th request is signalled; bounded by half the capacity, since a longer one
     *                       would leave the queue full with nothing on its way back.
     */
    public SendQueueLedger(final int capacity, final int signalInterval) {
        if (capacity < 1) {
            throw new IllegalArgumentException("send queue too small: capacity=" + capacity + " minimum=1");
        }
        this.capacity = capacity;
        this.signalInterval = Math.max(1, Math.min(signalInterval, capacity / 2));
        int length = 1;
        while (length < capacity) {
            length <<= 1;
        }
        signalledCounts = new long[length];
        mask = length - 1;
    }

    /**
     * Whether a request can be posted.
     *
     * @return true while a slot is free.
     */
    public boolean hasRoom() {
        return posted - retired < capacity;
    }

    /**
     * Whether completions should be reaped now, before the queue is full.
     *
     * @return true when half of the slots or more are taken.
     */
    public boolean wantsReaping() {
        return (posted - retired) * 2 >= capacity;
    }

    /**
     * Whether the next request must be signalled.
     *
     * @return true for every n-th request and for the one that takes the last slot.
     */
    public boolean nextIsSignalled() {
        return posted + 1 - lastSignalled >= signalInterval || posted + 1 - retired >= capacity;
    }

    /**
     * Notes that a request was posted.
     *
     * @param signalled what {@link #nextIsSignalled()} said.
     */
    public void onPosted(final boolean signalled) {
        posted++;
        if (signalled) {
            signalledCounts[tail++ & mask] = posted;
            lastSignalled = posted;
        }
    }

    /**
     * The completion of the oldest signalled request arrived.
     *
     * @return false when no signalled request is outstanding, which means that the completion is not one of ours.
     */
    public boolean onCompletion() {
        if (head == tail) {
            return false;
        }
        retired = signalledCounts[head++ & mask];
        return true;
    }

    /**
     * Slots taken.
     *
     * @return requests posted and not yet retired.
     */
    public int outstanding() {
        return (int) (posted - retired);
    }
}
