package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Receiver;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Receives a one-way stream, checks every message, and measures from the arrival of the first measured message to that
 * of the last message.
 */
final class SubscribeSide implements Side {
    /** Messages per poll, as in Aeron's own throughput samples. */
    static final int MESSAGE_LIMIT = 256;

    private final SideSettings settings;
    private final Patience patience;
    private Receiver receiver;
    private long expectedSequence;
    private long phase = StreamMessage.WARM_UP;
    private long startSequence;
    private long endSequence;
    private long startNs;
    private long endNs;
    private long preemptions;
    private long allocated;
    private String failure;

    SubscribeSide(final SideSettings settings) {
        this.settings = settings;
        patience = new Patience("the next message", settings.yielding());
    }

    @Override
    public void open(final Peer peer) {
        receiver = peer.addReceiver(PublishSide.STREAM_ID, this::onMessage, MESSAGE_LIMIT);
    }

    @Override
    public boolean isConnected() {
        return receiver.isConnected();
    }

    @Override
    public void run(final SideResult result) {
        while (phase != StreamMessage.END && failure == null) {
            if (receiver.poll() == 0) {
                patience.spin();
            } else {
                patience.renew();
            }
        }
        result.put(SideResult.TOTAL_MESSAGES, expectedSequence);
        if (failure != null) {
            result.fail(failure);
            return;
        }
        final long messages = endSequence - startSequence;
        result.put(SideResult.MESSAGES, messages);
        result.put(SideResult.PREEMPTIONS, preemptions);
        result.put(SideResult.ALLOCATED_BYTES, allocated);
        result.put(
            SideResult.MESSAGES_PER_SECOND, (double) messages * TimeUnit.SECONDS.toNanos(1) / (endNs - startNs));
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (length != settings.messageLength() || !StreamMessage.isWhole(buffer, offset, length, expectedSequence)) {
            onWrong(buffer, offset, length);
            return;
        }
        if (StreamMessage.phase(buffer, offset) != phase) {
            onPhase(StreamMessage.phase(buffer, offset));
        }
        expectedSequence++;
    }

    private void onPhase(final long newPhase) {
        phase = newPhase;
        if (newPhase == StreamMessage.MEASURED) {
            preemptions = Preemptions.count();
            startNs = System.nanoTime();
            startSequence = expectedSequence;
            allocated = Allocations.count();
        } else {
            allocated = Allocations.count() - allocated;
            endNs = System.nanoTime();
            endSequence = expectedSequence;
            preemptions = Preemptions.count() - preemptions;
        }
    }

    private void onWrong(final DirectBuffer buffer, final int offset, final int length) {
        if (failure == null) {
            failure = "message lost, repeated or torn: expected sequence=" + expectedSequence + " found="
                + StreamMessage.sequence(buffer, offset) + " length=" + length;
        }
    }
}
