package io.sluice.perf.side;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Round trips between two threads, timed by the batch: two looks at the clock in each of them would be a fifth of the
 * figure. A batch is so short that a thread which loses its processor now and then spoils few of them.
 */
final class HandOffSide extends EchoedSide {
    private static final int ROUND_TRIPS_PER_BATCH = 200;
    private static final double WAYS_PER_ROUND_TRIP = 2;

    HandOffSide(final SideSettings settings) {
        super(settings, "an echo");
    }

    @Override
    public void run(final SideResult result) {
        final long startNs = System.nanoTime();
        do {
            batch();
        } while (System.nanoTime() - startNs < settings.warmUpNs());
        final long preemptions = Preemptions.count();
        final double[] oneWayNs = new double[Math.max(1, settings.roundTrips() / ROUND_TRIPS_PER_BATCH)];
        for (int i = 0; i < oneWayNs.length; i++) {
            final long batchNs = System.nanoTime();
            batch();
            oneWayNs[i] = (System.nanoTime() - batchNs) / WAYS_PER_ROUND_TRIP / ROUND_TRIPS_PER_BATCH;
        }
        result.put(SideResult.PREEMPTIONS, Preemptions.count() - preemptions);
        Arrays.sort(oneWayNs);
        result.put(SideResult.ONE_WAY_NS, oneWayNs[oneWayNs.length / 2]);
        result.put(SideResult.MESSAGES, oneWayNs.length * ROUND_TRIPS_PER_BATCH);
        putEchoes(result);
        encode(RoundTripMessage.END_SEQUENCE);
        send();
    }

    /** A method of its own, so that the compiler gets to it within the first batches. */
    private void batch() {
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH; i++) {
            encode(++sequence);
            send();
            awaitEcho();
            patience.renew();
        }
    }

    /** What a poll handled may not have been an echo: what counts is what the handler was told of. */
    private void awaitEcho() {
        while (echoes < sequence) {
            if (receiver.poll() == 0) {
                patience.spin();
            }
        }
    }

    /** Where the echoing side looks for the sequence there is the phase in a one-way message. */
    private void encode(final long value) {
        StreamMessage.encode(message, settings.messageLength(), value, value);
    }

    private void send() {
        while (!sender.offer(message, 0, settings.messageLength())) {
            sender.flush();
            patience.spin();
        }
        sender.flush();
    }

    @Override
    void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        echoes++;
        if (length != settings.messageLength() || !StreamMessage.isWhole(buffer, offset, length, sequence)) {
            wrongEchoes++;
        }
    }
}
