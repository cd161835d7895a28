package io.sluice.samples;

import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.OptionalPriceDecoder;
import io.sluice.samples.marketdata.UpdateAction;

/**
 * The best price levels of both sides of one instrument. Level 1 is the best; what is pushed beyond the last level is
 * forgotten. One thread.
 */
final class PriceBook {
    /** Levels of a side at most. */
    static final int DEPTH = 5;
    /** Stands for a price that there is not. */
    static final long NO_PRICE = OptionalPriceDecoder.mantissaNullValue();

    private final Side bids = new Side();
    private final Side offers = new Side();

    /**
     * Apply one entry of a book refresh.
     *
     * @return false for an entry that does not fit the book, which is then left as it was.
     */
    boolean apply(
        final EntryType side, final UpdateAction action, final int level, final long price, final int quantity) {
        if (side != EntryType.BID && side != EntryType.OFFER) {
            return false;
        }
        return switch (action) {
            case NEW -> side(side).insert(level, price, quantity);
            case CHANGE -> side(side).change(level, price, quantity);
            case DELETE -> side(side).delete(level);
            default -> false;
        };
    }

    void clear() {
        bids.count = 0;
        offers.count = 0;
    }

    /** The levels that a side has now. */
    int levels(final EntryType side) {
        return side(side).count;
    }

    /** The price of a level, or {@link #NO_PRICE}. */
    long price(final EntryType side, final int level) {
        return level <= side(side).count ? side(side).prices[level - 1] : NO_PRICE;
    }

    /** The quantity of a level, or 0. */
    int quantity(final EntryType side, final int level) {
        return level <= side(side).count ? side(side).quantities[level - 1] : 0;
    }

    /** Whether somebody bids at least what somebody offers at: a book that was built right never is. */
    boolean isCrossed() {
        return bids.count > 0 && offers.count > 0 && bids.prices[0] >= offers.prices[0];
    }

    private Side side(final EntryType side) {
        return side == EntryType.BID ? bids : offers;
    }

    private static final class Side {
        private final long[] prices = new long[DEPTH];
        private final int[] quantities = new int[DEPTH];
        private int count;

        boolean insert(final int level, final long price, final int quantity) {
            if (level < 1 || level > Math.min(count + 1, DEPTH)) {
                return false;
            }
            count = Math.min(count + 1, DEPTH);
            System.arraycopy(prices, level - 1, prices, level, count - level);
            System.arraycopy(quantities, level - 1, quantities, level, count - level);
            prices[level - 1] = price;
            quantities[level - 1] = quantity;
            return true;
        }

        boolean change(final int level, final long price, final int quantity) {
            if (level < 1 || level > count || prices[level - 1] != price) {
                return false;
            }
            quantities[level - 1] = quantity;
            return true;
        }

        boolean delete(final int level) {
            if (level < 1 || level > count) {
                return false;
            }
            System.arraycopy(prices, level, prices, level - 1, count - level);
            System.arraycopy(quantities, level, quantities, level - 1, count - level);
            count--;
            return true;
        }
    }
}
