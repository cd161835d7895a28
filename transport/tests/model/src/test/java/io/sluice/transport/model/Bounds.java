package io.sluice.transport.model;

import java.util.SplittableRandom;

/**
 * The bounds of one run of the model.
 *
 * @param windowLength        bytes of log and ring.
 * @param sharedLog           whether the ring is the log itself.
 * @param memoryCompletion    whether the subscriber looks at the shared log's frames.
 * @param receiveDepth        receives kept posted.
 * @param writesInFlight      writes not yet drained, at most.
 * @param sendQueueLength     slots of the publisher's send queue.
 * @param signalInterval      at least every n-th write is signalled.
 * @param feedbackQueueLength slots of the subscriber's send queue.
 * @param startPosition       where the stream begins.
 */
record Bounds(
    int windowLength,
    boolean sharedLog,
    boolean memoryCompletion,
    int receiveDepth,
    int writesInFlight,
    int sendQueueLength,
    int signalInterval,
    int feedbackQueueLength,
    long startPosition) {
    private static final int MAX_BOUND = 8;

    /** Half of the runs are near a place where the 32 bits of the immediate wrap. */
    private static final long IMMEDIATE_WRAP = 1L << 37;

    static Bounds draw(final SplittableRandom random, final int windowLength) {
        final boolean sharedLog = random.nextBoolean();
        return new Bounds(
            windowLength,
            sharedLog,
            sharedLog && random.nextBoolean(),
            1 + random.nextInt(MAX_BOUND),
            1 + random.nextInt(MAX_BOUND),
            1 + random.nextInt(MAX_BOUND),
            1 + random.nextInt(MAX_BOUND),
            1 + random.nextInt(MAX_BOUND),
            random.nextBoolean() ? 0 : IMMEDIATE_WRAP - 32L * random.nextInt(100_000));
    }

    int reportInterval() {
        return Math.max(1, Math.min(receiveDepth / 4, Math.min(writesInFlight, receiveDepth) / 2));
    }
}
