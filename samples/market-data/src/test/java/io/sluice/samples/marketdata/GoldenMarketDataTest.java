package io.sluice.samples.marketdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder.EntriesDecoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GoldenMarketDataTest {
    private static final long TIME_NS = 1_700_000_000_123_456_789L;
    private static final int MAX_LENGTH = 256;

    private final byte[] bytes = new byte[MAX_LENGTH];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();

    @BeforeEach
    void fillWithWhatNobodyWrote() {
        Arrays.fill(bytes, (byte) 0xCC);
    }

    @Test
    void shouldEncodeATrade() {
        TradeEncoder trade = new TradeEncoder().wrapAndApplyHeader(buffer, 0, header);
        trade.transactTimeNs(TIME_NS).tradeId(-2).price().mantissa(108_420_000);
        trade.instrumentId(70_001).quantity(25).aggressorSide(AggressorSide.SELL).orderCount(3);
        trade.conditions().clear().openingTrade(true).correction(true);
        assertEncoded(GoldenMarketData.TRADE, trade.encodedLength());
    }

    @Test
    void shouldDecodeATrade() {
        TradeDecoder trade = new TradeDecoder().wrapAndApplyHeader(golden(GoldenMarketData.TRADE), 0, headerDecoder);
        assertEquals(TIME_NS, trade.transactTimeNs());
        assertEquals(-2, trade.tradeId());
        assertEquals(108_420_000, trade.price().mantissa());
        assertEquals(-8, trade.price().exponent());
        assertEquals(70_001, trade.instrumentId());
        assertEquals(25, trade.quantity());
        assertEquals(AggressorSide.SELL, trade.aggressorSide());
        assertTrue(trade.conditions().openingTrade());
        assertFalse(trade.conditions().closingTrade());
        assertFalse(trade.conditions().block());
        assertTrue(trade.conditions().correction());
        assertEquals(3, trade.orderCount());
    }

    @Test
    void shouldEncodeAQuoteOfOneSide() {
        QuoteEncoder quote = new QuoteEncoder().wrapAndApplyHeader(buffer, 0, header);
        quote.transactTimeNs(TIME_NS).bidPrice().mantissa(-3_725_000_000L);
        quote.offerPrice().mantissa(OptionalPriceDecoder.mantissaNullValue());
        quote.instrumentId(-1).bidQuantity(12).offerQuantity(QuoteEncoder.offerQuantityNullValue())
            .condition(QuoteCondition.INDICATIVE).quoteSequence(0xFFFFFFFEL);
        assertEncoded(GoldenMarketData.QUOTE, quote.encodedLength());
    }

    @Test
    void shouldDecodeAQuoteOfOneSide() {
        QuoteDecoder quote = new QuoteDecoder().wrapAndApplyHeader(golden(GoldenMarketData.QUOTE), 0, headerDecoder);
        assertEquals(TIME_NS, quote.transactTimeNs());
        assertEquals(-3_725_000_000L, quote.bidPrice().mantissa());
        assertEquals(OptionalPriceDecoder.mantissaNullValue(), quote.offerPrice().mantissa());
        assertEquals(-1, quote.instrumentId());
        assertEquals(12, quote.bidQuantity());
        assertEquals(QuoteDecoder.offerQuantityNullValue(), quote.offerQuantity());
        assertEquals(QuoteCondition.INDICATIVE, quote.condition());
        assertEquals(0xFFFFFFFEL, quote.quoteSequence());
    }

    @Test
    void shouldEncodeABookRefresh() {
        IncrementalBookRefreshEncoder refresh =
            new IncrementalBookRefreshEncoder().wrapAndApplyHeader(buffer, 0, header);
        refresh.transactTimeNs(TIME_NS).sequence(0x80000001L).matchEvent().clear().lastBook(true).endOfEvent(true);
        IncrementalBookRefreshEncoder.EntriesEncoder entries = refresh.entriesCount(2);
        entries.next().price().mantissa(108_410_000);
        entries.instrumentId(70_001).quantity(40).instrumentSequence(1001).orderCount(7).level((short) 1)
            .action(UpdateAction.NEW).entryType(EntryType.BID).impliedQuantity(5);
        entries.next().price().mantissa(OptionalPriceDecoder.mantissaNullValue());
        entries.instrumentId(70_002).quantity(EntriesDecoder.quantityNullValue()).instrumentSequence(0xFFFFFFFFL)
            .orderCount(EntriesDecoder.orderCountNullValue()).level((short) 10).action(UpdateAction.DELETE)
            .entryType(EntryType.OFFER).impliedQuantity(EntriesDecoder.impliedQuantityNullValue());
        assertEncoded(GoldenMarketData.INCREMENTAL_BOOK_REFRESH, refresh.encodedLength());
    }

    @Test
    void shouldDecodeABookRefresh() {
        UnsafeBuffer golden = golden(GoldenMarketData.INCREMENTAL_BOOK_REFRESH);
        IncrementalBookRefreshDecoder refresh =
            new IncrementalBookRefreshDecoder().wrapAndApplyHeader(golden, 0, headerDecoder);
        assertEquals(TIME_NS, refresh.transactTimeNs());
        assertEquals(0x80000001L, refresh.sequence());
        assertTrue(refresh.matchEvent().lastBook());
        assertFalse(refresh.matchEvent().lastTrade());
        assertFalse(refresh.matchEvent().recovery());
        assertTrue(refresh.matchEvent().endOfEvent());
        EntriesDecoder entries = refresh.entries();
        assertEquals(2, entries.count());
        entries.next();
        assertEquals(108_410_000, entries.price().mantissa());
        assertEquals(70_001, entries.instrumentId());
        assertEquals(40, entries.quantity());
        assertEquals(1001, entries.instrumentSequence());
        assertEquals(7, entries.orderCount());
        assertEquals(1, entries.level());
        assertEquals(UpdateAction.NEW, entries.action());
        assertEquals(EntryType.BID, entries.entryType());
        assertEquals(5, entries.impliedQuantity());
        entries.next();
        assertEquals(OptionalPriceDecoder.mantissaNullValue(), entries.price().mantissa());
        assertEquals(70_002, entries.instrumentId());
        assertEquals(EntriesDecoder.quantityNullValue(), entries.quantity());
        assertEquals(0xFFFFFFFFL, entries.instrumentSequence());
        assertEquals(EntriesDecoder.orderCountNullValue(), entries.orderCount());
        assertEquals(10, entries.level());
        assertEquals(UpdateAction.DELETE, entries.action());
        assertEquals(EntryType.OFFER, entries.entryType());
        assertEquals(EntriesDecoder.impliedQuantityNullValue(), entries.impliedQuantity());
        assertEquals(golden.capacity(), refresh.limit());
    }

    @Test
    void shouldEncodeAnInstrumentDefinition() {
        InstrumentDefinitionEncoder definition =
            new InstrumentDefinitionEncoder().wrapAndApplyHeader(buffer, 0, header);
        definition.updateTimeNs(TIME_NS).minPriceIncrement().mantissa(1_000);
        definition.instrumentId(70_001).lotSize(100_000)
            .maturityDate(InstrumentDefinitionEncoder.maturityDateNullValue())
            .securityType(SecurityType.FX_SPOT).tradingStatus(TradingStatus.OPEN).currency("EUR");
        definition.attributes().clear().negativePriceAllowed(true).blockTradeEligible(true);
        definition.lowLimitPrice().mantissa(100_000_000);
        definition.highLimitPrice().mantissa(OptionalPriceDecoder.mantissaNullValue());
        definition.symbol("EURUSD").description("€ in US$").exchange("XSLU");
        assertEncoded(GoldenMarketData.INSTRUMENT_DEFINITION, definition.encodedLength());
    }

    @Test
    void shouldDecodeAnInstrumentDefinition() {
        UnsafeBuffer golden = golden(GoldenMarketData.INSTRUMENT_DEFINITION);
        InstrumentDefinitionDecoder definition =
            new InstrumentDefinitionDecoder().wrapAndApplyHeader(golden, 0, headerDecoder);
        assertEquals(TIME_NS, definition.updateTimeNs());
        assertEquals(1_000, definition.minPriceIncrement().mantissa());
        assertEquals(70_001, definition.instrumentId());
        assertEquals(100_000, definition.lotSize());
        assertEquals(InstrumentDefinitionDecoder.maturityDateNullValue(), definition.maturityDate());
        assertFalse(definition.attributes().testInstrument());
        assertFalse(definition.attributes().shortSaleRestricted());
        assertTrue(definition.attributes().negativePriceAllowed());
        assertTrue(definition.attributes().blockTradeEligible());
        assertEquals(SecurityType.FX_SPOT, definition.securityType());
        assertEquals(TradingStatus.OPEN, definition.tradingStatus());
        assertEquals("EUR", definition.currency());
        assertEquals(100_000_000, definition.lowLimitPrice().mantissa());
        assertEquals(OptionalPriceDecoder.mantissaNullValue(), definition.highLimitPrice().mantissa());
        assertEquals("EURUSD", definition.symbol());
        assertEquals("€ in US$", definition.description());
        assertEquals("XSLU", definition.exchange());
        assertEquals(golden.capacity(), definition.limit());
    }

    @Test
    void shouldShareNoSchemaIdWithTheControlMessages() {
        assertEquals(7702, MessageHeaderDecoder.SCHEMA_ID);
        assertEquals(7701, io.sluice.codec.control.MessageHeaderDecoder.SCHEMA_ID);
        assertEquals(PriceDecoder.SCHEMA_ID, MessageHeaderDecoder.SCHEMA_ID);
    }

    private void assertEncoded(GoldenMarketData golden, int encodedLength) {
        assertArrayEquals(golden.bytes(), Arrays.copyOf(bytes, header.encodedLength() + encodedLength));
    }

    private static UnsafeBuffer golden(GoldenMarketData golden) {
        return new UnsafeBuffer(golden.bytes());
    }
}
