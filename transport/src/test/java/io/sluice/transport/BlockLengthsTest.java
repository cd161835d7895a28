package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.samples.marketdata.InstrumentDefinitionDecoder;
import io.sluice.samples.marketdata.TradeDecoder;
import org.junit.jupiter.api.Test;

class BlockLengthsTest {
    @Test
    void shouldKnowHowLongABlockMustBeInEachVersion() {
        final BlockLengths trade = BlockLengths.ofDecoder(new TradeDecoder());
        assertEquals(34, trade.of(0));
        assertEquals(34, trade.of(1));
        assertEquals(38, trade.of(2));
        assertEquals(38, trade.of(0xFFFF));
        final BlockLengths definition = BlockLengths.ofDecoder(new InstrumentDefinitionDecoder());
        assertEquals(35, definition.of(1));
        assertEquals(51, definition.of(2));
    }
}
