package io.sluice.samples;

import java.util.Locale;

/**
 * An instrument that the made-up market trades: a future on one of ten underlyings, told apart by its month of
 * delivery.
 *
 * @param id            of the instrument in every message.
 * @param symbol        for people.
 * @param tickMantissa  the least difference of two prices, x 10^-8.
 * @param startMantissa where its price begins, x 10^-8.
 */
record Instrument(int id, String symbol, long tickMantissa, long startMantissa) {
    /** Decimal places of a price mantissa. */
    static final int PRICE_DECIMALS = 8;
    /** Decimal places that are shown, enough for every tick. */
    static final int SHOWN_DECIMALS = 6;
    private static final int FIRST_ID = 70_001;
    private static final String[] ROOTS = {"WHT", "CRN", "OIL", "GAS", "GLD", "SLV", "CPR", "EUR", "BND", "IDX"};
    private static final long[] TICKS = {
        25_000_000, 25_000_000, 1_000_000, 100_000, 10_000_000, 500_000, 50_000, 5_000, 1_562_500, 25_000_000};
    private static final int[] START_TICKS = {2_400, 1_800, 7_500, 3_200, 20_000, 5_000, 8_000, 21_700, 7_100, 20_000};
    private static final String MONTHS = "FGHJKMNQUVXZ";

    /** The instrument of an index from 0. */
    static Instrument of(final int index) {
        final int root = index % ROOTS.length;
        final int month = index / ROOTS.length;
        final String symbol = String.format(Locale.ROOT, "%s%c%02d",
            ROOTS[root], MONTHS.charAt(month % MONTHS.length()), 27 + month / MONTHS.length());
        // later deliveries cost a little more
        return new Instrument(FIRST_ID + index, symbol, TICKS[root], (START_TICKS[root] + 10L * month) * TICKS[root]);
    }

    /** The index of an instrument id; it may be of no instrument. */
    static int indexOf(final int id) {
        return id - FIRST_ID;
    }
}
