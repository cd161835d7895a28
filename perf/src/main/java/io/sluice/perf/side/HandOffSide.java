package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Round trips between two threads, timed by the batch: two looks at the clock in each of them would be a fifth of the
 * figure. A batch is so short that a thread which loses its processor now and then spoils few of them.
 */
final class HandOffSide implements Side {
    private static final int ROUND_TRIPS_PER_BATCH = 200;
    private static final int BUFFER_ALIGNMENT = 64;
    private static final double WAYS_PER_ROUND_TRIP = 2;

    private final SideSettings settings;
    private final UnsafeBuffer message;
    private final Patience patience;
    private Sender sender;
    private Receiver receiver;
    private long sequence;
    private long echoes;
    private long wrongEchoes;

    HandOffSide(final SideSettings settings) {
        this.settings = settings;
        message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(settings.messageLength(), BUFFER_ALIGNMENT));
        patience = new Patience("an echo", settings.yielding());
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(PingSide.REQUEST_STREAM_ID);
        receiver = peer.addReceiver(PingSide.REPLY_STREAM_ID, this::onEcho, PingSide.MESSAGE_LIMIT);
    }

    @Override
    public boolean isConnected() {
        return sender.isConnected() & receiver.isConnected();
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
        result.put(SideResult.TOTAL_MESSAGES, sequence);
        if (wrongEchoes > 0 || echoes != sequence) {
            result.fail("sent " + sequence + " messages, got " + echoes + " echoes, " + wrongEchoes + " of them wrong");
        }
        encode(PingSide.END_SEQUENCE);
        send();
    }

    /** A method of its own, so that the compiler gets to it within the first batches. */
    private void batch() {
        for (int i = 0; i < ROUND_TRIPS_PER_BATCH; i++) {
            encode(++sequence);
            send();
            while (receiver.poll() == 0) {
                patience.spin();
            }
            patience.renew();
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

    private void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        echoes++;
        if (length != settings.messageLength() || !StreamMessage.isWhole(buffer, offset, length, sequence)) {
            wrongEchoes++;
        }
    }

    @Override
    public void attend() {
        sender.flush();
    }
}
