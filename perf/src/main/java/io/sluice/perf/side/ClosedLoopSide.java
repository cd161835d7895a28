package io.sluice.perf.side;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A side with one message under way at a time: it sends, spins until the echo is there, and so on. What it times by
 * the batch has no look at the clock in it: two of them are a tenth of a round trip between near cores, and more of one
 * between threads. A batch is so short that a thread which loses its processor now and then spoils few of them.
 */
abstract class ClosedLoopSide extends EchoedSide {
    static final int ROUND_TRIPS_PER_BATCH = 200;

    /** The time limit of all batches: a side that is slow shows it in fewer batches, too. */
    private static final long BATCHES_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Mean round trip of each batch; here from the start, since what is allocated while it is measured counts. */
    private final double[] batchNs;

    ClosedLoopSide(final SideSettings settings) {
        super(settings, "an echo");
        batchNs = new double[Math.max(1, settings.roundTrips() / ROUND_TRIPS_PER_BATCH)];
    }

    /**
     * {@return the number of batches that were timed, until there were as many round trips as asked for or time was up}
     */
    final int timeBatches() {
        final long startNs = System.nanoTime();
        int count = 0;
        long batchStartNs = startNs;
        while (count < batchNs.length && batchStartNs - startNs < BATCHES_LIMIT_NS) {
            batch();
            final long batchEndNs = System.nanoTime();
            batchNs[count++] = (double) (batchEndNs - batchStartNs) / ROUND_TRIPS_PER_BATCH;
            batchStartNs = batchEndNs;
        }
        return count;
    }

    /** {@return the middle one of the batches' mean round trips, in nanoseconds} How far they scatter is told, too. */
    final double medianNs(final int batches, final SideResult result) {
        Arrays.sort(batchNs, 0, batches);
        result.put(SideResult.BATCH_SPREAD, batchNs[3 * batches / 4] / batchNs[batches / 4]);
        return batchNs[batches / 2];
    }

    /** Runs a batch, in a method of its own, so that the compiler gets to it within the first batches. */
    final void batch() {
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH; i++) {
            encode(++sequence);
            send();
            awaitEcho();
            patience.renew();
        }
    }

    /** Sends the message that ends the measurement and has no echo. */
    final void sendEnd() {
        encode(RoundTripMessage.END_SEQUENCE);
        send();
    }

    final void encode(final long value) {
        RoundTripMessage.encode(message, settings.messageLength(), value);
    }

    final void send() {
        while (!sender.offer(message, 0, settings.messageLength())) {
            sender.flush();
            patience.spin();
        }
        sender.flush();
    }

    /**
     * Spins until the echo is there. A poll may have handled a part of a long echo, or none: what counts is what the
     * handler was told of.
     */
    final void awaitEcho() {
        while (echoes < sequence) {
            if (receiver.poll() == 0) {
                patience.spin();
            }
        }
    }
}
