package io.sluice.perf.port.sluice;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Prints texts with their session and position, and images that come and go. */
public final class BasicSubscriber {
    private static final String CHANNEL = "sluice:ipc?endpoint=samples";
    private static final int STREAM_ID = 1001;
    private static final int FRAGMENT_LIMIT = 10;

    private BasicSubscriber() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        final MutableInteger received = new MutableInteger();
        final FragmentHandler handler = (buffer, offset, length, header) -> {
            received.increment();
            System.out.println("session " + header.sessionId() + " position " + header.position() + ": "
                + buffer.getStringWithoutLengthAscii(offset, length));
        };
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();

        try (Transport aeron = Transport.launch();
            Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID,
                image -> System.out.println("available " + image.sessionId()),
                image -> System.out.println("unavailable " + image.sessionId()))) {
            while (received.get() < count) {
                idleStrategy.idle(subscription.poll(handler, FRAGMENT_LIMIT));
            }
            System.out.println("received " + received.get());
        }
    }
}
