package io.sluice.perf.port.sluice;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Counts messages and bytes until the stream ends, and tells the rate. */
public final class RateSubscriber {
    private static final String CHANNEL = "sluice:ipc?endpoint=samples";
    private static final int STREAM_ID = 1002;
    private static final int FRAGMENT_LIMIT = 256;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private RateSubscriber() {
    }

    /** Runs the sample, without arguments. */
    public static void main(final String[] args) {
        final MutableLong messages = new MutableLong();
        final MutableLong bytes = new MutableLong();
        final FragmentHandler handler = (buffer, offset, length, header) -> {
            messages.increment();
            bytes.addAndGet(length);
        };
        final IdleStrategy idleStrategy = new BusySpinIdleStrategy();
        try (Transport aeron = Transport.launch();
            Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID)) {
            while (subscription.imageCount() == 0) {
                idleStrategy.idle();
            }
            final Image image = subscription.images().get(0);
            final long beginNs = System.nanoTime();
            while (!image.isClosed() && !image.isEndOfStream()) {
                idleStrategy.idle(image.poll(handler, FRAGMENT_LIMIT));
            }
            final double seconds = (System.nanoTime() - beginNs) / (double) NANOS_PER_SECOND;
            System.out.println("received " + messages.get() + ", " + bytes.get() + " bytes, "
                + Math.round(messages.get() / seconds) + " a second");
        }
    }
}
