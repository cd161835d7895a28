package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/**
 * The two ways of decoding that are compared read the same: two instances go over equal messages, one in each way.
 */
class MarketDataDecodingTest {
    private static final int MESSAGES = 200;

    private final MarketDataDecoding byCodec = new MarketDataDecoding();
    private final MarketDataDecoding byOffsets = new MarketDataDecoding();

    @Test
    void shouldReadTheSameOfATradeInBothWays() {
        long last = 0;
        for (int i = 0; i < MESSAGES; i++) {
            final long sum = byCodec.trade();
            assertEquals(sum, byOffsets.tradeByOffsets());
            assertNotEquals(last, sum, "it is another trade");
            last = sum;
        }
    }

    @Test
    void shouldReadTheSameOfABookRefreshInBothWays() {
        long last = 0;
        for (int i = 0; i < MESSAGES; i++) {
            final long sum = byCodec.book();
            assertEquals(sum, byOffsets.bookByOffsets());
            assertNotEquals(last, sum, "it is another book refresh");
            last = sum;
        }
    }
}
