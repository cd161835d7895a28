package io.sluice.samples;

import io.sluice.samples.marketdata.AggressorSide;
import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.IncrementalBookRefreshEncoder;
import io.sluice.samples.marketdata.IncrementalBookRefreshEncoder.EntriesEncoder;
import io.sluice.samples.marketdata.InstrumentDefinitionEncoder;
import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.SecurityType;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.samples.marketdata.TradingStatus;
import io.sluice.samples.marketdata.UpdateAction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes market data as SBE messages into one buffer, and hands each over when it is whole. Allocates nothing but for
 * instrument definitions. One thread.
 */
final class MarketDataWriter {
    /** Length of the buffer, longer than the longest message: a recovery of all levels of both sides. */
    private static final int BUFFER_LENGTH = 1024;
    private static final long UINT32_MASK = 0xFFFFFFFFL;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BUFFER_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final TradeEncoder trade = new TradeEncoder();
    private final IncrementalBookRefreshEncoder refresh = new IncrementalBookRefreshEncoder();
    private final InstrumentDefinitionEncoder definition = new InstrumentDefinitionEncoder();
    private final EpochNanoClock clock;
    private final Sink sink;
    private final long[] instrumentSequences;
    private EntriesEncoder entries;
    private long sequence;

    /** The receiver of the messages. */
    @FunctionalInterface
    interface Sink {
        /** Takes a message at the beginning of the buffer, which is overwritten by the next one. */
        void onMessage(DirectBuffer buffer, int length);
    }

    MarketDataWriter(final int instruments, final EpochNanoClock clock, final Sink sink) {
        this.clock = clock;
        this.sink = sink;
        instrumentSequences = new long[instruments];
    }

    void trade(
        final int instrumentId, final long tradeId, final long price, final int quantity,
        final AggressorSide aggressor) {
        trade.wrapAndApplyHeader(buffer, 0, header).transactTimeNs(clock.nanoTime()).tradeId(tradeId)
            .instrumentId(instrumentId).quantity(quantity).aggressorSide(aggressor).orderCount(2);
        trade.price().mantissa(price);
        trade.conditions().clear();
        send(trade.encodedLength());
    }

    /** Begin a book refresh, to be followed by exactly so many entries and {@link #endRefresh()}. */
    void beginRefresh(final int entryCount) {
        sequence = (sequence + 1) & UINT32_MASK;
        refresh.wrapAndApplyHeader(buffer, 0, header).transactTimeNs(clock.nanoTime()).sequence(sequence)
            .matchEvent().clear().lastBook(true).endOfEvent(true);
        entries = refresh.entriesCount(entryCount);
    }

    void entry(
        final int instrumentId, final EntryType side, final UpdateAction action, final int level, final long price,
        final int quantity) {
        entries.next().instrumentId(instrumentId).entryType(side).action(action).level((short) level)
            .quantity(action == UpdateAction.DELETE ? EntriesEncoder.quantityNullValue() : quantity)
            .instrumentSequence(++instrumentSequences[Instrument.indexOf(instrumentId)] & UINT32_MASK)
            .orderCount(EntriesEncoder.orderCountNullValue())
            .impliedQuantity(EntriesEncoder.impliedQuantityNullValue());
        entries.price().mantissa(price);
    }

    void endRefresh() {
        send(refresh.encodedLength());
    }

    /** Writes what an instrument is and its whole book, for those who joined late. */
    void recovery(final Instrument instrument, final PriceBook book) {
        definition.wrapAndApplyHeader(buffer, 0, header).updateTimeNs(clock.nanoTime()).instrumentId(instrument.id())
            .lotSize(1).maturityDate(InstrumentDefinitionEncoder.maturityDateNullValue())
            .securityType(SecurityType.FUTURE).tradingStatus(TradingStatus.OPEN).currency("USD");
        definition.minPriceIncrement().mantissa(instrument.tickMantissa());
        definition.attributes().clear();
        definition.lowLimitPrice().mantissa(PriceBook.NO_PRICE);
        definition.highLimitPrice().mantissa(PriceBook.NO_PRICE);
        definition.symbol(instrument.symbol()).description("").exchange("XSLU");
        send(definition.encodedLength());

        final int bids = book.levels(EntryType.BID);
        final int offers = book.levels(EntryType.OFFER);
        beginRefresh(bids + offers);
        refresh.matchEvent().recovery(true);
        for (int i = 1; i <= bids; i++) {
            entry(instrument.id(), EntryType.BID, UpdateAction.NEW, i,
                book.price(EntryType.BID, i), book.quantity(EntryType.BID, i));
        }
        for (int i = 1; i <= offers; i++) {
            entry(instrument.id(), EntryType.OFFER, UpdateAction.NEW, i,
                book.price(EntryType.OFFER, i), book.quantity(EntryType.OFFER, i));
        }
        endRefresh();
    }

    private void send(final int encodedLength) {
        sink.onMessage(buffer, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }
}
