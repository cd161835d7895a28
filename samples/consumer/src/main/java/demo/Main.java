package demo;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** The program of the README. */
final class Main {
    private Main() {
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
