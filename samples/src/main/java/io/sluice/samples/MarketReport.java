package io.sluice.samples;

import io.sluice.codec.marketdata.EntryType;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Prints what the consumers know: rates, and the top of some books. Used by the thread that polls, which owns them.
 */
final class MarketReport {
    private final PrintStream out;
    private final int instruments;
    private final BookBuilder books;
    private final TradeStatistics statistics;
    private final MarketJournal journal;
    private final RateMeter meter = new RateMeter(System.nanoTime());
    private long lastTrades;
    private long lastUpdates;

    MarketReport(
        final PrintStream out, final int instruments, final BookBuilder books, final TradeStatistics statistics,
        final MarketJournal journal) {
        this.out = out;
        this.instruments = instruments;
        this.books = books;
        this.statistics = statistics;
        this.journal = journal;
    }

    /** A line of rates since the last one, and a line for each of the first instruments. */
    void print(final long nowNs) {
        out.printf(Locale.ROOT, "%s   +%,d book updates, +%,d trades; %d gaps, %d misfits%n",
            meter.line(nowNs, journal.messages(), journal.bytes()),
            books.updates() - lastUpdates, statistics.trades() - lastTrades, books.gaps(), books.misfits());
        lastUpdates = books.updates();
        lastTrades = statistics.trades();
        for (int i = 0; i < instruments; i++) {
            if (books.symbol(i) != null) {
                printTop(i);
            }
        }
        out.flush();
    }

    private void printTop(final int index) {
        final PriceBook book = books.book(index);
        out.printf(Locale.ROOT, "        %-6s %4d x %10s | %-10s x %-4d   last %10s   average %10s   volume %,9d%n",
            books.symbol(index),
            book.quantity(EntryType.BID, 1), text(book.price(EntryType.BID, 1)),
            text(book.price(EntryType.OFFER, 1)), book.quantity(EntryType.OFFER, 1),
            text(statistics.lastPrice(index)), text(statistics.averagePrice(index)), statistics.volume(index));
    }

    /** A price with as many decimals as any of the instruments needs. */
    static String text(final long mantissa) {
        return mantissa == PriceBook.NO_PRICE ? "-" : BigDecimal.valueOf(mantissa, Instrument.PRICE_DECIMALS)
            .setScale(Instrument.SHOWN_DECIMALS, RoundingMode.HALF_EVEN).toPlainString();
    }
}
