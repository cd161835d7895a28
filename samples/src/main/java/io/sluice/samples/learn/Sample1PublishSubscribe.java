package io.sluice.samples.learn;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sample 1, the shortest whole program: publishes one message and receives it. The README shows what stands between the
 * marks.
 */
public final class Sample1PublishSubscribe {
    private Sample1PublishSubscribe() {
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        // README: begin
        try (Transport transport = Transport.launch();
            Subscription prices = transport.addSubscription("sluice:ipc?endpoint=prices", 10);
            Publication publication = transport.addExclusivePublication("sluice:ipc?endpoint=prices", 10)) {

            final MutableDirectBuffer message = new ExpandableArrayBuffer();
            final int length = message.putStringWithoutLengthUtf8(0, "EURUSD 1.0842");
            while (publication.offer(message, 0, length) < 0) {
                Thread.onSpinWait(); // not connected yet, or back-pressured: try again
            }

            final FragmentHandler print = (buffer, offset, size, header) ->
                System.out.println(buffer.getStringWithoutLengthUtf8(offset, size));
            while (prices.poll(print, 10) == 0) {
                Thread.onSpinWait(); // nothing there yet
            }
        }
        // README: end
    }
}
