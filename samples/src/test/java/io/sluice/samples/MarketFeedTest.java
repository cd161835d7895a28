package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.transport.MessageDispatcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A market and its consumers, without a transport between them. */
class MarketFeedTest {
    private static final int INSTRUMENTS = 20;
    private static final int STEPS = 50_000;

    private final List<Throwable> errors = new ArrayList<>();
    private final BookBuilder books = new BookBuilder(INSTRUMENTS, errors::add);
    private final TradeStatistics statistics = new TradeStatistics(INSTRUMENTS, errors::add);

    @Test
    void shouldBuildTheBooksOfTheMarket() {
        final MarketFeed feed = feed(1, this::consume);
        feed.open();
        for (int i = 0; i < STEPS; i++) {
            feed.step();
        }
        assertBooksAreThoseOf(feed);
        assertEquals(0, books.gaps());
        assertTrue(statistics.trades() > STEPS / 20, () -> "trades=" + statistics.trades());
        assertEquals("WHTF27", books.symbol(0));
        assertEquals("IDXG27", books.symbol(19));
    }

    @Test
    void shouldKnowEveryBookSoonAfterJoiningLate() {
        final boolean[] isJoined = new boolean[1];
        final MarketFeed feed = feed(2, (buffer, length) -> {
            if (isJoined[0]) {
                consume(buffer, length);
            }
        });
        feed.open();
        for (int i = 0; i < STEPS; i++) {
            isJoined[0] = i >= STEPS / 2;
            feed.step();
        }
        assertBooksAreThoseOf(feed);
        assertEquals(0, books.gaps());
    }

    @Test
    void shouldMakeEqualMarketsOfEqualSeeds() {
        assertArrayEquals(run(3), run(3));
        assertFalse(Arrays.equals(run(3), run(4)));
    }

    @Test
    void shouldNoticeWhenAMessageIsMissing() {
        final int[] refreshes = new int[1];
        final MarketFeed feed = feed(5, (buffer, length) -> {
            final boolean isRefresh =
                MessageDispatcher.templateId(buffer, 0, length) == IncrementalBookRefreshDecoder.TEMPLATE_ID;
            if (!isRefresh || ++refreshes[0] != 1_000) {
                consume(buffer, length);
            }
        });
        feed.open();
        for (int i = 0; i < 2_000; i++) {
            feed.step();
        }
        assertEquals(1, books.gaps());
    }

    @Test
    void shouldShowWhatTheConsumersKnow() {
        final MarketFeed feed = feed(1, this::consume);
        assertEquals("-", MarketReport.text(statistics.lastPrice(0)));
        feed.open();
        while (statistics.volume(0) == 0) {
            feed.step();
        }
        assertEquals(statistics.lastPrice(0), statistics.averagePrice(0));
        assertNotEquals("-", MarketReport.text(statistics.lastPrice(0)));
        assertEquals("1.085000", MarketReport.text(108_500_000));
    }

    @Test
    void shouldJournalEveryMessageBehindItsLength(@TempDir final Path folder) throws Exception {
        final Path file = folder.resolve("journal");
        final List<byte[]> expected = new ArrayList<>();
        try (StopSignal stop = new StopSignal(); MarketJournal journal = MarketJournal.open(file, stop)) {
            final MarketFeed feed = feed(6, (buffer, length) -> {
                final byte[] message = new byte[length];
                buffer.getBytes(0, message);
                expected.add(message);
                journal.onMessage(buffer, 0, length);
            });
            feed.open();
            for (int i = 0; i < 5_000; i++) {
                feed.step();
            }
            assertEquals(expected.size(), journal.messages());
        }
        final UnsafeBuffer written = new UnsafeBuffer(Files.readAllBytes(file));
        int offset = 0;
        for (final byte[] message : expected) {
            assertEquals(message.length, written.getInt(offset));
            final byte[] found = new byte[message.length];
            written.getBytes(offset + 4, found);
            assertArrayEquals(message, found);
            offset += 4 + message.length;
        }
        assertEquals(written.capacity(), offset);
    }

    private static MarketFeed feed(final long seed, final MarketDataWriter.Sink sink) {
        return new MarketFeed(seed, INSTRUMENTS, new MarketDataWriter(INSTRUMENTS, () -> 1, sink));
    }

    private static byte[] run(final long seed) {
        final UnsafeBuffer all = new UnsafeBuffer(new byte[1 << 17]);
        final int[] end = new int[1];
        final MarketFeed feed = feed(seed, (buffer, length) -> {
            all.putBytes(end[0], buffer, 0, length);
            end[0] += length;
        });
        for (int i = 0; i < 500; i++) {
            feed.step();
        }
        return Arrays.copyOf(all.byteArray(), end[0]);
    }

    private void consume(final DirectBuffer buffer, final int length) {
        books.onFragment(buffer, 0, length, null);
        statistics.onFragment(buffer, 0, length, null);
    }

    private void assertBooksAreThoseOf(final MarketFeed feed) {
        assertEquals(List.of(), errors);
        assertEquals(0, books.misfits());
        for (int i = 0; i < INSTRUMENTS; i++) {
            for (final EntryType side : List.of(EntryType.BID, EntryType.OFFER)) {
                for (int level = 1; level <= PriceBook.DEPTH; level++) {
                    assertEquals(feed.book(i).price(side, level), books.book(i).price(side, level));
                    assertEquals(feed.book(i).quantity(side, level), books.book(i).quantity(side, level));
                }
            }
        }
    }
}
