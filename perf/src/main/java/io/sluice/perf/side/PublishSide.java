package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.Sender;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Offers messages as fast as the stream takes them: a time of warm-up, a time that is measured, and one last message.
 */
final class PublishSide implements Side {
    static final int STREAM_ID = 1003;

    /** Messages between looks at the clock, so that its price is not measured. */
    private static final int BATCH = 1024;
    /** Messages that are handed on together, where handing on is the sender's duty. */
    private static final int FLUSH_INTERVAL = 32;
    private static final int BUFFER_ALIGNMENT = 64;

    private final SideSettings settings;
    private final UnsafeBuffer message;
    private final Patience patience;
    private Sender sender;
    private long sequence;
    private long refusedOffers;

    PublishSide(final SideSettings settings) {
        this.settings = settings;
        patience = new Patience("room for a message", settings.yielding());
        message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(settings.messageLength(), BUFFER_ALIGNMENT));
    }

    @Override
    public void open(final Peer peer) {
        sender = peer.addSender(STREAM_ID);
    }

    @Override
    public boolean isConnected() {
        return sender.isConnected();
    }

    @Override
    public void run(final SideResult result) {
        send(StreamMessage.WARM_UP, settings.warmUpNs());
        final long first = sequence;
        refusedOffers = 0;
        final long allocated = Allocations.count();
        send(StreamMessage.MEASURED, settings.durationNs());
        result.put(SideResult.ALLOCATED_BYTES, Allocations.count() - allocated);
        result.put(SideResult.MESSAGES, sequence - first);
        result.put(SideResult.REFUSED_OFFERS, refusedOffers);
        send(StreamMessage.END);
        result.put(SideResult.TOTAL_MESSAGES, sequence);
    }

    private void send(final long phase, final long durationNs) {
        final long startNs = System.nanoTime();
        do {
            sendBatch(phase);
        } while (System.nanoTime() - startNs < durationNs);
    }

    private void sendBatch(final long phase) {
        for (int i = 0; i < BATCH; i++) {
            send(phase);
        }
        patience.renew();
    }

    private void send(final long phase) {
        StreamMessage.encode(message, settings.messageLength(), sequence, phase);
        while (!sender.offer(message, 0, settings.messageLength())) {
            refusedOffers++;
            sender.flush();
            patience.spin();
        }
        if ((++sequence & (FLUSH_INTERVAL - 1)) == 0 || phase == StreamMessage.END) {
            sender.flush();
        }
    }

    @Override
    public void attend() {
        sender.flush();
    }
}
