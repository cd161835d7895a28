package io.sluice.samples;

import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.Header;
import io.sluice.transport.MessageDispatcher;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

/**
 * Adds up the trades of every instrument: last price, volume and the price averaged by volume. The thread of its {@link
 * #consumer()}.
 */
final class TradeStatistics {
    private final FeedConsumer<Totals> consumer;
    private final MessageDispatcher dispatcher;
    private final long[] lastPrices;
    private final long[] volumes;
    private final double[] turnovers;
    private long trades;

    /** The sums of all instruments at the end of a batch; immutable. */
    record Totals(long trades, long[] lastPrices, long[] averagePrices, long[] volumes) {
    }

    TradeStatistics(final int instruments, final ErrorHandler errorHandler) {
        lastPrices = new long[instruments];
        volumes = new long[instruments];
        turnovers = new double[instruments];
        reset();
        dispatcher = new MessageDispatcher((buffer, offset, length, header) -> { }, errorHandler)
            .on(new TradeDecoder(), this::onTrade);
        consumer = new FeedConsumer<>("statistics", dispatcher, this::reset, this::totals);
    }

    private Totals totals() {
        return new Totals(trades, lastPrices.clone(),
            IntStream.range(0, volumes.length).mapToLong(this::averagePrice).toArray(), volumes.clone());
    }

    FeedConsumer<Totals> consumer() {
        return consumer;
    }

    void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        dispatcher.onFragment(buffer, offset, length, header);
    }

    private void onTrade(final TradeDecoder trade, final Header header) {
        final int index = Instrument.indexOf(trade.instrumentId());
        if (index >= 0 && index < volumes.length) {
            trades++;
            lastPrices[index] = trade.price().mantissa();
            volumes[index] += trade.quantity();
            turnovers[index] += (double) trade.price().mantissa() * trade.quantity();
        }
    }

    /** Forget everything: another feed begins. */
    void reset() {
        Arrays.fill(lastPrices, PriceBook.NO_PRICE);
        Arrays.fill(volumes, 0);
        Arrays.fill(turnovers, 0);
    }

    /** The price of the last trade, or {@link PriceBook#NO_PRICE}. */
    long lastPrice(final int index) {
        return lastPrices[index];
    }

    long volume(final int index) {
        return volumes[index];
    }

    /** The price averaged by volume, or {@link PriceBook#NO_PRICE}. */
    long averagePrice(final int index) {
        return volumes[index] == 0 ? PriceBook.NO_PRICE : Math.round(turnovers[index] / volumes[index]);
    }

    long trades() {
        return trades;
    }
}
