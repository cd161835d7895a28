package io.sluice.transport.harness;

import io.sluice.samples.marketdata.InstrumentDefinitionEncoder;
import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.QuoteEncoder;
import io.sluice.samples.marketdata.TradeEncoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * SBE messages of the market-data schema, each with its message header. Any thread.
 */
public final class MarketMessages {
    private static final int MAX_LENGTH = 256;

    private MarketMessages() {
    }

    public static byte[] trade(final long tradeId) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final TradeEncoder trade = new TradeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        trade.tradeId(tradeId).quantity(10).orderCount(3);
        return encoded(buffer, trade.encodedLength());
    }

    public static byte[] quote(final int instrumentId) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final QuoteEncoder quote = new QuoteEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        quote.instrumentId(instrumentId);
        return encoded(buffer, quote.encodedLength());
    }

    public static byte[] definition(final String symbol) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final InstrumentDefinitionEncoder definition =
            new InstrumentDefinitionEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        definition.symbol(symbol).description("").exchange("");
        return encoded(buffer, definition.encodedLength());
    }

    /** Make a message say that it is of another version, with another block length. */
    public static byte[] version(final byte[] message, final int version, final int blockLength) {
        final UnsafeBuffer changed = new UnsafeBuffer(message);
        changed.putShort(0, (short) blockLength, ByteOrder.LITTLE_ENDIAN);
        changed.putShort(6, (short) version, ByteOrder.LITTLE_ENDIAN);
        return message;
    }

    private static byte[] encoded(final UnsafeBuffer buffer, final int encodedLength) {
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }
}
