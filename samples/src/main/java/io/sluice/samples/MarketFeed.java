package io.sluice.samples;

import io.sluice.samples.marketdata.AggressorSide;
import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.UpdateAction;
import java.util.SplittableRandom;

/**
 * A made-up market: every step is one event at one instrument, drawn from a seed, so that equal seeds make equal
 * feeds. Its books and the subscribers' are the same class, fed with the same entries. One thread.
 */
final class MarketFeed {
    private static final int MAX_QUANTITY = 100;
    private static final int PERCENT = 100;
    private static final int TRADES_PERCENT = 12;
    private static final int IMPROVEMENTS_PERCENT = 20;
    private static final int CANCELLATIONS_PERCENT = 8;
    /** The number of steps after which the state of the next instrument is repeated for those who joined late. */
    private static final int STEPS_PER_RECOVERY = 50;

    private final MarketDataWriter writer;
    private final SplittableRandom random;
    private final Instrument[] instruments;
    private final PriceBook[] books;
    private long steps;
    private long trades;

    /**
     * A market before its first step.
     *
     * @param seed        of all events.
     * @param instruments how many.
     * @param writer      of the messages.
     */
    MarketFeed(final long seed, final int instruments, final MarketDataWriter writer) {
        this.writer = writer;
        random = new SplittableRandom(seed);
        this.instruments = new Instrument[instruments];
        books = new PriceBook[instruments];
        for (int i = 0; i < instruments; i++) {
            this.instruments[i] = Instrument.of(i);
            books[i] = new PriceBook();
            final long start = this.instruments[i].startMantissa();
            for (int level = 1; level <= PriceBook.DEPTH; level++) {
                final long distance = level * this.instruments[i].tickMantissa();
                books[i].apply(EntryType.BID, UpdateAction.NEW, level, start - distance, quantity());
                books[i].apply(EntryType.OFFER, UpdateAction.NEW, level, start + distance, quantity());
            }
        }
    }

    /** Tell everything: what each instrument is, and its book. */
    void open() {
        for (int i = 0; i < instruments.length; i++) {
            recover(i);
        }
    }

    /** Makes one event of the feed. */
    void step() {
        if (++steps % STEPS_PER_RECOVERY == 0) {
            recover((int) (steps / STEPS_PER_RECOVERY % instruments.length));
        }
        final int index = random.nextInt(instruments.length);
        final EntryType side = random.nextBoolean() ? EntryType.BID : EntryType.OFFER;
        final int kind = random.nextInt(PERCENT);
        if (kind < TRADES_PERCENT) {
            trade(index, side);
        } else if (kind < TRADES_PERCENT + IMPROVEMENTS_PERCENT) {
            improve(index, side);
        } else if (kind < TRADES_PERCENT + IMPROVEMENTS_PERCENT + CANCELLATIONS_PERCENT) {
            writer.beginRefresh(2);
            removeBest(index, side);
            writer.endRefresh();
        } else {
            final int level = 1 + random.nextInt(PriceBook.DEPTH);
            writer.beginRefresh(1);
            update(index, side, UpdateAction.CHANGE, level, books[index].price(side, level), quantity());
            writer.endRefresh();
        }
    }

    /** Writes a trade, in which somebody takes from the best level of a side, and what is left of the level. */
    private void trade(final int index, final EntryType side) {
        final long price = books[index].price(side, 1);
        final int resting = books[index].quantity(side, 1);
        final int traded = 1 + random.nextInt(resting);
        writer.trade(instruments[index].id(), ++trades, price, traded,
            side == EntryType.BID ? AggressorSide.SELL : AggressorSide.BUY);
        if (traded == resting) {
            writer.beginRefresh(2);
            removeBest(index, side);
        } else {
            writer.beginRefresh(1);
            update(index, side, UpdateAction.CHANGE, 1, price, resting - traded);
        }
        writer.endRefresh();
    }

    /** Removes the best level of a side, so that one that was too far away to be seen comes into view. */
    private void removeBest(final int index, final EntryType side) {
        final long last = books[index].price(side, PriceBook.DEPTH);
        update(index, side, UpdateAction.DELETE, 1, PriceBook.NO_PRICE, 0);
        update(index, side, UpdateAction.NEW, PriceBook.DEPTH, last - towardsTheOther(index, side), quantity());
    }

    /** Improves a side by a better price, if there is room between the sides. */
    private void improve(final int index, final EntryType side) {
        final EntryType other = side == EntryType.BID ? EntryType.OFFER : EntryType.BID;
        final long price = books[index].price(side, 1) + towardsTheOther(index, side);
        if (price != books[index].price(other, 1)) {
            writer.beginRefresh(1);
            update(index, side, UpdateAction.NEW, 1, price, quantity());
            writer.endRefresh();
        }
    }

    private void recover(final int index) {
        writer.recovery(instruments[index], books[index]);
    }

    private void update(
        final int index, final EntryType side, final UpdateAction action, final int level, final long price,
        final int quantity) {
        books[index].apply(side, action, level, price, quantity);
        writer.entry(instruments[index].id(), side, action, level, price, quantity);
    }

    private long towardsTheOther(final int index, final EntryType side) {
        return side == EntryType.BID ? instruments[index].tickMantissa() : -instruments[index].tickMantissa();
    }

    private int quantity() {
        return 1 + random.nextInt(MAX_QUANTITY);
    }

    PriceBook book(final int index) {
        return books[index];
    }
}
