package io.sluice.perf.port.sluice;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends one message from a publication to a subscription of the same program. */
public final class SimplePair {
    private static final String CHANNEL = "sluice:ipc?endpoint=samples";
    private static final int STREAM_ID = 1005;

    private SimplePair() {
    }

    /** Runs the sample, without arguments. */
    public static void main(final String[] args) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final int length = buffer.putStringUtf8(0, "hello");
        final FragmentHandler handler = (received, offset, size, header) ->
            System.out.println("received " + received.getStringUtf8(offset));

        try (Transport aeron = Transport.launch();
            Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
            Publication publication = aeron.addPublication(CHANNEL, STREAM_ID)) {
            while (publication.offer(buffer, 0, length) < 0) {
                Thread.yield();
            }
            while (subscription.poll(handler, 1) == 0) {
                Thread.yield();
            }
        }
    }
}
