package io.sluice.samples.learn;

import io.sluice.transport.Context;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sample 7: one publisher, several subscribers, and a group among them that is waited for. Matching engines carry the
 * tag; a screen does not, and when it falls behind by more than a window it is left behind.
 */
public final class Sample7TaggedGroup {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-7";
    private static final String PUBLISHER = CHANNEL + "|window=64k|fc=tagged,g:7/2";
    private static final String ENGINE = CHANNEL + "|gtag=7";
    private static final int STREAM_ID = 10;
    private static final int LENGTH = 1_000;
    /** Several windows full. */
    private static final int MESSAGES = 500;

    private Sample7TaggedGroup() {
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        // that the screen is left behind is an error, since it loses messages; here it is meant to be
        final Context context = new Context().errorHandler(error -> System.err.println("told: " + error.getMessage()));
        try (Transport transport = Transport.launch(context);
            Subscription first = transport.addSubscription(ENGINE, STREAM_ID);
            Subscription second = transport.addSubscription(ENGINE, STREAM_ID);
            Subscription screen = transport.addSubscription(CHANNEL, STREAM_ID);
            Publication publication = transport.addExclusivePublication(PUBLISHER, STREAM_ID)) {
            while (!screen.isConnected()) {
                Thread.onSpinWait(); // so that it is there when the stream begins
            }
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            final FragmentHandler ignore = (buffer, offset, length, header) -> { };
            int sent = 0;
            int ofFirst = 0;
            int ofSecond = 0;
            while (ofFirst < MESSAGES || ofSecond < MESSAGES) {
                // not connected before both engines are there: g:7/2 asks for two
                if (sent < MESSAGES && publication.offer(message, 0, LENGTH) > 0) {
                    sent++;
                }
                ofFirst += first.poll(ignore, 10);
                ofSecond += second.poll(ignore, 10);
            }
            System.out.println("engines received " + ofFirst + " and " + ofSecond + " of " + sent + " messages");
            while (screen.isConnected()) {
                screen.poll(ignore, 10);
            }
            System.out.println("the screen, which did not poll, was left behind");
        }
    }
}
