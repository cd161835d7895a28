package io.sluice.perf.port.aeron;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Prints texts with their session and position, and images that come and go. */
public final class BasicSubscriber {
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM_ID = 1001;
    private static final int FRAGMENT_LIMIT = 10;
    private static final boolean EMBEDDED_DRIVER = Boolean.getBoolean("port.embedded.driver");

    private BasicSubscriber() {
    }

    /** Runs the sample; the argument is the number of messages. */
    public static void main(final String[] args) {
        final int count = Integer.parseInt(args[0]);
        final MediaDriver driver = EMBEDDED_DRIVER ? MediaDriver.launchEmbedded() : null;
        final Aeron.Context context = new Aeron.Context();
        if (driver != null) {
            context.aeronDirectoryName(driver.aeronDirectoryName());
        }

        final MutableInteger received = new MutableInteger();
        final FragmentHandler handler = (buffer, offset, length, header) -> {
            received.increment();
            System.out.println("session " + header.sessionId() + " position " + header.position() + ": "
                + buffer.getStringWithoutLengthAscii(offset, length));
        };
        final FragmentHandler assembler = new FragmentAssembler(handler);
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();

        try (Aeron aeron = Aeron.connect(context);
            Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID,
                image -> System.out.println("available " + image.sessionId()),
                image -> System.out.println("unavailable " + image.sessionId()))) {
            while (received.get() < count) {
                idleStrategy.idle(subscription.poll(assembler, FRAGMENT_LIMIT));
            }
            System.out.println("received " + received.get());
        }
        CloseHelper.close(driver);
    }
}
