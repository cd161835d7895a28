package io.sluice.samples.learn;

import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.QuoteDecoder;
import io.sluice.samples.marketdata.QuoteEncoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sample 4: SBE messages of two kinds on one stream, each handed to the handler of its kind, decoded in place.
 */
public final class Sample4SbeDispatch {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-4";
    private static final int STREAM_ID = 10;
    private static final int MAX_LENGTH = 256;

    private Sample4SbeDispatch() {
    }

    private static void publish(final Publication publication) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final TradeEncoder trade = new TradeEncoder().wrapAndApplyHeader(buffer, 0, header);
        trade.instrumentId(7).quantity(25).price().mantissa(108_420_000L);
        offer(publication, buffer, MessageHeaderEncoder.ENCODED_LENGTH + trade.encodedLength());
        // another buffer, or fields that are not set keep the bytes of the trade
        final UnsafeBuffer other = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final QuoteEncoder quote = new QuoteEncoder().wrapAndApplyHeader(other, 0, header);
        quote.instrumentId(7).bidQuantity(40).bidPrice().mantissa(108_410_000L);
        offer(publication, other, MessageHeaderEncoder.ENCODED_LENGTH + quote.encodedLength());
        // too short for an SBE message: it goes to the handler for the rest
        offer(publication, buffer, 1);
    }

    private static void offer(final Publication publication, final DirectBuffer buffer, final int length) {
        while (publication.offer(buffer, 0, length) < 0) {
            Thread.onSpinWait();
        }
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        final MessageDispatcher dispatcher = new MessageDispatcher(
            (buffer, offset, length, header) -> System.out.println("something else of " + length + " byte"),
            Throwable::printStackTrace)
            .on(new TradeDecoder(), (trade, header) -> System.out.println(
                "trade of " + trade.quantity() + " at " + trade.price().mantissa()))
            .on(new QuoteDecoder(), (quote, header) -> System.out.println(
                "bid of " + quote.bidQuantity() + " at " + quote.bidPrice().mantissa()));
        try (Transport transport = Transport.launch();
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
            Publication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID)) {
            publish(publication);
            int messages = 0;
            while (messages < 3) {
                messages += subscription.poll(dispatcher, 10);
            }
        }
    }
}
