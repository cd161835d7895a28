package demo;

import demo.prices.MessageHeaderEncoder;
import demo.prices.QuoteDecoder;
import demo.prices.QuoteEncoder;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** A program with messages of a schema of its own: src/main/sbe/prices.xml. */
final class Quotes {
    private Quotes() {
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        try (Transport transport = Transport.launch();
            Subscription prices = transport.addSubscription("sluice:ipc?endpoint=quotes", 10);
            Publication publication = transport.addExclusivePublication("sluice:ipc?endpoint=quotes", 10)) {

            final MutableDirectBuffer message = new ExpandableArrayBuffer();
            final QuoteEncoder quote =
                new QuoteEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder());
            quote.price(1.0842).symbol("EURUSD");
            final int length = MessageHeaderEncoder.ENCODED_LENGTH + quote.encodedLength();
            while (publication.offer(message, 0, length) < 0) {
                Thread.onSpinWait(); // not connected yet, or back-pressured: try again
            }

            final MessageDispatcher print = new MessageDispatcher(
                (buffer, offset, size, header) -> System.out.println("of another schema"), Throwable::printStackTrace)
                .on(new QuoteDecoder(), (decoder, header) ->
                    System.out.println(decoder.symbol() + " " + decoder.price()));
            while (prices.poll(print, 10) == 0) {
                Thread.onSpinWait(); // nothing there yet
            }
        }
    }
}
