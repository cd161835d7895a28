package io.sluice.samples.learn;

import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.status.PressureState;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sample 6: a subscriber that does not poll holds its publisher up. The publisher is told why and by whom, and again
 * when it can go on. Nothing is lost by it.
 */
public final class Sample6BackPressure {
    /** A small window, so that it is soon used up. */
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-6|window=64k";
    private static final int STREAM_ID = 10;
    private static final int LENGTH = 1_000;

    private Sample6BackPressure() {
    }

    /**
     * Run it.
     *
     * @param args none.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException {
        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch clear = new CountDownLatch(1);
        try (Transport transport = Transport.launch();
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
            Publication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID)) {
            // called on the thread of listeners: hand the news on, and return soon
            publication.backPressureListener(change -> {
                if (change.state() == PressureState.BLOCKED) {
                    System.out.println("blocked: " + change.cause() + ", " + change.bytesBehind() + " bytes behind");
                    blocked.countDown();
                } else if (change.state() == PressureState.CLEAR) {
                    clear.countDown();
                }
            });

            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            int sent = 0;
            long result = Publication.NOT_CONNECTED;
            while (result != Publication.BACK_PRESSURED) {
                result = publication.offer(message, 0, LENGTH);
                if (result > 0) {
                    sent++;
                } else {
                    Thread.onSpinWait();
                }
            }
            blocked.await();

            int received = 0;
            while (received < sent) {
                received += subscription.poll((buffer, offset, length, header) -> { }, sent);
            }
            clear.await();
            System.out.println("clear: all of " + sent + " messages are consumed");
        }
    }
}
