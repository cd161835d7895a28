package io.sluice.samples.marketdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder.EntriesDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Version 2 against the bytes of version 1 (sluice-market-data-1.xml), and the reverse. */
class MarketDataEvolutionTest {
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.sluice.samples.marketdata.first.MessageHeaderDecoder firstHeader =
        new io.sluice.samples.marketdata.first.MessageHeaderDecoder();

    @Test
    void shouldReadAnOlderTradeWithoutWhatWasAdded() {
        final TradeDecoder trade = new TradeDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(GoldenFirstMarketData.TRADE.bytes()), 0, header);
        assertEquals(1, trade.actingVersion());
        assertEquals(108_420_000, trade.price().mantissa());
        assertEquals(AggressorSide.SELL, trade.aggressorSide());
        assertTrue(trade.conditions().correction());
        assertEquals(TradeDecoder.orderCountNullValue(), trade.orderCount());
    }

    @Test
    void shouldReadAnOlderQuoteWithoutWhatWasAdded() {
        final QuoteDecoder quote = new QuoteDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(GoldenFirstMarketData.QUOTE.bytes()), 0, header);
        assertEquals(12, quote.bidQuantity());
        assertEquals(QuoteDecoder.offerQuantityNullValue(), quote.offerQuantity());
        assertEquals(QuoteDecoder.quoteSequenceNullValue(), quote.quoteSequence());
    }

    @Test
    void shouldReadOlderBookEntriesThatAreShorter() {
        final UnsafeBuffer older = new UnsafeBuffer(GoldenFirstMarketData.INCREMENTAL_BOOK_REFRESH.bytes());
        final IncrementalBookRefreshDecoder refresh =
            new IncrementalBookRefreshDecoder().wrapAndApplyHeader(older, 0, header);
        final EntriesDecoder entries = refresh.entries();
        assertEquals(2, entries.count());
        assertEquals(70_001, entries.next().instrumentId());
        assertEquals(EntriesDecoder.impliedQuantityNullValue(), entries.impliedQuantity());
        assertEquals(70_002, entries.next().instrumentId());
        assertEquals(10, entries.level());
        assertEquals(older.capacity(), refresh.limit());
    }

    @Test
    void shouldReadAnOlderInstrumentDefinitionWithoutWhatWasAdded() {
        final UnsafeBuffer older = new UnsafeBuffer(GoldenFirstMarketData.INSTRUMENT_DEFINITION.bytes());
        final InstrumentDefinitionDecoder definition =
            new InstrumentDefinitionDecoder().wrapAndApplyHeader(older, 0, header);
        assertEquals("EUR", definition.currency());
        assertNull(definition.lowLimitPrice());
        assertNull(definition.highLimitPrice());
        assertEquals("EURUSD", definition.symbol());
        assertEquals("€ in US$", definition.description());
        assertEquals("", definition.exchange());
        assertEquals(older.capacity(), definition.limit());
    }

    @Test
    void shouldLetAnOlderDecoderReadATradeAndSkipWhatWasAdded() {
        final io.sluice.samples.marketdata.first.TradeDecoder trade =
            new io.sluice.samples.marketdata.first.TradeDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(GoldenMarketData.TRADE.bytes()), 0, firstHeader);
        assertEquals(2, trade.actingVersion());
        assertEquals(-2, trade.tradeId());
        assertEquals(25, trade.quantity());
        assertTrue(trade.conditions().openingTrade());
    }

    @Test
    void shouldLetAnOlderDecoderReadAnEnumValueThatWasAddedAsUnknown() {
        final UnsafeBuffer newer = new UnsafeBuffer(GoldenMarketData.TRADE.bytes());
        final int offset = MessageHeaderDecoder.ENCODED_LENGTH + TradeDecoder.aggressorSideEncodingOffset();
        newer.putByte(offset, (byte) AggressorSide.BOTH.value());
        final io.sluice.samples.marketdata.first.TradeDecoder trade =
            new io.sluice.samples.marketdata.first.TradeDecoder().wrapAndApplyHeader(newer, 0, firstHeader);
        assertEquals(io.sluice.samples.marketdata.first.AggressorSide.SBE_UNKNOWN, trade.aggressorSide());
        assertEquals(AggressorSide.BOTH.value(), trade.aggressorSideRaw());
    }

    @Test
    void shouldLetAnOlderDecoderReadAQuoteAndSkipWhatWasAdded() {
        final io.sluice.samples.marketdata.first.QuoteDecoder quote =
            new io.sluice.samples.marketdata.first.QuoteDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(GoldenMarketData.QUOTE.bytes()), 0, firstHeader);
        assertEquals(-3_725_000_000L, quote.bidPrice().mantissa());
        assertEquals(io.sluice.samples.marketdata.first.QuoteCondition.INDICATIVE, quote.condition());
    }

    @Test
    void shouldLetAnOlderDecoderReadBookEntriesThatAreLonger() {
        final UnsafeBuffer newer = new UnsafeBuffer(GoldenMarketData.INCREMENTAL_BOOK_REFRESH.bytes());
        final io.sluice.samples.marketdata.first.IncrementalBookRefreshDecoder refresh =
            new io.sluice.samples.marketdata.first.IncrementalBookRefreshDecoder()
                .wrapAndApplyHeader(newer, 0, firstHeader);
        final io.sluice.samples.marketdata.first.IncrementalBookRefreshDecoder.EntriesDecoder entries =
            refresh.entries();
        assertEquals(2, entries.count());
        assertEquals(70_001, entries.next().instrumentId());
        assertEquals(70_002, entries.next().instrumentId());
        assertEquals(io.sluice.samples.marketdata.first.EntryType.OFFER, entries.entryType());
        assertFalse(entries.hasNext());
        assertEquals(newer.capacity(), refresh.limit());
    }

    @Test
    void shouldLetAnOlderDecoderReadAnInstrumentDefinitionAndIgnoreItsLastText() {
        final io.sluice.samples.marketdata.first.InstrumentDefinitionDecoder definition =
            new io.sluice.samples.marketdata.first.InstrumentDefinitionDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(GoldenMarketData.INSTRUMENT_DEFINITION.bytes()), 0, firstHeader);
        assertEquals(100_000, definition.lotSize());
        assertEquals("EUR", definition.currency());
        assertEquals("EURUSD", definition.symbol());
        assertEquals("€ in US$", definition.description());
    }
}
