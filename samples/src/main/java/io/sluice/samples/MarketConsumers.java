package io.sluice.samples;

import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.MessageHandler;
import org.agrona.DirectBuffer;

/**
 * The consumers of a feed, in the order of their dependence: book builder and statistics, which know nothing of each
 * other, then the journal. They follow one feed; if it ends, the next one, from the beginning. One thread, which
 * polls.
 */
final class MarketConsumers implements MessageHandler {
    private final BookBuilder books;
    private final TradeStatistics statistics;
    private final MarketJournal journal;
    private Image feed;
    private long foreign;

    MarketConsumers(final BookBuilder books, final TradeStatistics statistics, final MarketJournal journal) {
        this.books = books;
        this.statistics = statistics;
        this.journal = journal;
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        if (header.image() != feed) {
            if (feed != null && !feed.isClosed()) {
                foreign++;
                return;
            }
            feed = header.image();
            books.reset();
            statistics.reset();
        }
        books.onMessage(buffer, offset, length, header);
        statistics.onMessage(buffer, offset, length, header);
        journal.onMessage(buffer, offset, length, header);
    }

    /** Messages of another feed on the same stream. */
    long foreign() {
        return foreign;
    }
}
