package io.sluice.samples;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Prints what the consumers know, from the copies that they publish: rates, and the top of some books. One thread.
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

    /** Prints a line of rates since the last one, and a line for each of the first instruments. */
    void print(final long nowNs) {
        final BookSnapshot known = books.consumer().snapshots().latest();
        final TradeStatistics.Totals totals = statistics.consumer().snapshots().latest();
        out.printf(Locale.ROOT, "%s   +%,d book updates, +%,d trades; %d gaps, %d misfits%n",
            meter.line(nowNs, journal.messages(), journal.bytes()),
            known.updates() - lastUpdates, totals.trades() - lastTrades, known.gaps(), known.misfits());
        lastUpdates = known.updates();
        lastTrades = totals.trades();
        for (int i = 0; i < instruments; i++) {
            if (known.tops().get(i).symbol() != null) {
                printTop(known.tops().get(i), totals, i);
            }
        }
        Output.requireArrived(out);
    }

    private void printTop(final BookSnapshot.Top top, final TradeStatistics.Totals totals, final int index) {
        out.printf(Locale.ROOT, "        %-6s %4d x %10s | %-10s x %-4d   last %10s   average %10s   volume %,9d%n",
            top.symbol(), top.bidQuantity(), text(top.bidPrice()), text(top.offerPrice()), top.offerQuantity(),
            text(totals.lastPrices()[index]), text(totals.averagePrices()[index]), totals.volumes()[index]);
    }

    /** Prints what was received in all; the consumers have ended. */
    void printSummary() {
        final BookSnapshot known = books.consumer().snapshots().latest();
        out.printf(Locale.ROOT, "Received %,d messages, %,d trades; %d gaps, %d misfits, %d of other feeds%n",
            journal.messages(), statistics.consumer().snapshots().latest().trades(), known.gaps(), known.misfits(),
            books.consumer().foreign());
    }

    /** A price with as many decimals as any of the instruments needs. */
    static String text(final long mantissa) {
        return mantissa == PriceBook.NO_PRICE ? "-" : BigDecimal.valueOf(mantissa, Instrument.PRICE_DECIMALS)
            .setScale(Instrument.SHOWN_DECIMALS, RoundingMode.HALF_EVEN).toPlainString();
    }
}
