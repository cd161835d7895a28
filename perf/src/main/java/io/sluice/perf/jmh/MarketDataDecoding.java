package io.sluice.perf.jmh;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.sluice.samples.marketdata.AggressorSide;
import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder.EntriesDecoder;
import io.sluice.samples.marketdata.IncrementalBookRefreshEncoder;
import io.sluice.samples.marketdata.MessageHeaderDecoder;
import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.samples.marketdata.UpdateAction;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of the market-data codec in memory, one after the other, each decoded in two ways that give the same sum:
 * by the codec's flyweights, and by loads from the same offsets without them. One thread.
 */
public final class MarketDataDecoding {
    /** A power of two, so few that all stay in the cache. */
    private static final int MESSAGES = 64;
    private static final int ENTRIES = 4;
    private static final int MESSAGE_LENGTH_MAX = 256;
    private static final int CACHE_LINE_LENGTH = 64;
    private static final long TIME_NS = 1_700_000_000_000_000_000L;

    private static final int TRADE = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int TRADE_TIME = TRADE + TradeDecoder.transactTimeNsEncodingOffset();
    private static final int TRADE_ID = TRADE + TradeDecoder.tradeIdEncodingOffset();
    private static final int TRADE_PRICE = TRADE + TradeDecoder.priceEncodingOffset();
    private static final int TRADE_INSTRUMENT = TRADE + TradeDecoder.instrumentIdEncodingOffset();
    private static final int TRADE_QUANTITY = TRADE + TradeDecoder.quantityEncodingOffset();
    private static final int TRADE_SIDE = TRADE + TradeDecoder.aggressorSideEncodingOffset();
    private static final int TRADE_ORDERS = TRADE + TradeDecoder.orderCountEncodingOffset();

    private static final int BOOK = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int BOOK_TIME = BOOK + IncrementalBookRefreshDecoder.transactTimeNsEncodingOffset();
    private static final int BOOK_SEQUENCE = BOOK + IncrementalBookRefreshDecoder.sequenceEncodingOffset();
    private static final int ENTRY_COUNT = BOOK + IncrementalBookRefreshDecoder.BLOCK_LENGTH + Short.BYTES;
    private static final int FIRST_ENTRY =
        BOOK + IncrementalBookRefreshDecoder.BLOCK_LENGTH + EntriesDecoder.sbeHeaderSize();
    private static final int ENTRY_LENGTH = EntriesDecoder.sbeBlockLength();

    private final UnsafeBuffer trades = memory();
    private final UnsafeBuffer books = memory();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TradeDecoder trade = new TradeDecoder();
    private final IncrementalBookRefreshDecoder book = new IncrementalBookRefreshDecoder();
    private int next;

    /** A state with messages that all differ. */
    public MarketDataDecoding() {
        final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
        for (int i = 0; i < MESSAGES; i++) {
            final TradeEncoder encoder = new TradeEncoder().wrapAndApplyHeader(
                trades, i * MESSAGE_LENGTH_MAX, headerEncoder);
            encoder.transactTimeNs(TIME_NS + i).tradeId(i).price().mantissa(100L * i);
            encoder.instrumentId(i % 3).quantity(1 + i).aggressorSide(i % 2 == 0 ? AggressorSide.BUY
                : AggressorSide.SELL).orderCount(2 * i);
            encodeBook(i, headerEncoder);
        }
    }

    private static UnsafeBuffer memory() {
        return new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(MESSAGES * MESSAGE_LENGTH_MAX, CACHE_LINE_LENGTH));
    }

    private void encodeBook(final int number, final MessageHeaderEncoder headerEncoder) {
        final IncrementalBookRefreshEncoder encoder = new IncrementalBookRefreshEncoder().wrapAndApplyHeader(
            books, number * MESSAGE_LENGTH_MAX, headerEncoder);
        encoder.transactTimeNs(TIME_NS - number).sequence(number);
        final IncrementalBookRefreshEncoder.EntriesEncoder entries = encoder.entriesCount(ENTRIES);
        for (int i = 0; i < ENTRIES; i++) {
            entries.next().price().mantissa(number + i);
            entries.instrumentId(number).quantity(10 + i).instrumentSequence(number * ENTRIES + i).orderCount(i)
                .level((short) (1 + i)).action(UpdateAction.NEW).entryType(EntryType.BID).impliedQuantity(i);
        }
    }

    private int next() {
        next = next + 1 & MESSAGES - 1;
        return next * MESSAGE_LENGTH_MAX;
    }

    /**
     * Wrap the next trade's header and message, and read its fields.
     *
     * @return the sum of what was read.
     */
    public long trade() {
        trade.wrapAndApplyHeader(trades, next(), header);
        return trade.transactTimeNs() + trade.tradeId() + trade.price().mantissa() + trade.instrumentId()
            + trade.quantity() + trade.aggressorSideRaw() + trade.orderCount();
    }

    /**
     * Read the same without the codec, and without a look at what the header says.
     *
     * @return the same sum.
     */
    public long tradeByOffsets() {
        final int offset = next();
        return trades.getLong(offset + TRADE_TIME, LITTLE_ENDIAN) + trades.getLong(offset + TRADE_ID, LITTLE_ENDIAN)
            + trades.getLong(offset + TRADE_PRICE, LITTLE_ENDIAN)
            + trades.getInt(offset + TRADE_INSTRUMENT, LITTLE_ENDIAN)
            + trades.getInt(offset + TRADE_QUANTITY, LITTLE_ENDIAN) + trades.getByte(offset + TRADE_SIDE)
            + trades.getInt(offset + TRADE_ORDERS, LITTLE_ENDIAN);
    }

    /**
     * Wrap the next book refresh's header and message, and read all fields of its entries that a book is built from.
     *
     * @return the sum of what was read.
     */
    public long book() {
        book.wrapAndApplyHeader(books, next(), header);
        long sum = book.transactTimeNs() + book.sequence();
        final EntriesDecoder entries = book.entries();
        while (entries.hasNext()) {
            entries.next();
            sum += entries.price().mantissa() + entries.instrumentId() + entries.quantity() + entries.level()
                + entries.actionRaw() + entries.entryTypeRaw();
        }
        return sum;
    }

    /**
     * Read the same without the codec, and without a look at what the headers say but for the number of entries.
     *
     * @return the same sum.
     */
    public long bookByOffsets() {
        final int offset = next();
        long sum = books.getLong(offset + BOOK_TIME, LITTLE_ENDIAN)
            + Integer.toUnsignedLong(books.getInt(offset + BOOK_SEQUENCE, LITTLE_ENDIAN));
        final int count = Short.toUnsignedInt(books.getShort(offset + ENTRY_COUNT, LITTLE_ENDIAN));
        for (int i = 0, entry = offset + FIRST_ENTRY; i < count; i++, entry += ENTRY_LENGTH) {
            sum += books.getLong(entry + EntriesDecoder.priceEncodingOffset(), LITTLE_ENDIAN)
                + books.getInt(entry + EntriesDecoder.instrumentIdEncodingOffset(), LITTLE_ENDIAN)
                + books.getInt(entry + EntriesDecoder.quantityEncodingOffset(), LITTLE_ENDIAN)
                + Byte.toUnsignedInt(books.getByte(entry + EntriesDecoder.levelEncodingOffset()))
                + Byte.toUnsignedInt(books.getByte(entry + EntriesDecoder.actionEncodingOffset()))
                + books.getByte(entry + EntriesDecoder.entryTypeEncodingOffset());
        }
        return sum;
    }
}
