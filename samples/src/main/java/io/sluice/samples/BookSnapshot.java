package io.sluice.samples;

import io.sluice.samples.marketdata.EntryType;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a {@link BookBuilder} at the end of a batch. Immutable; any thread.
 *
 * @param tops    the best levels of each instrument.
 * @param updates entries applied.
 * @param gaps    refreshes that did not follow the one before: 0 on a lossless transport.
 * @param misfits entries that did not fit their book, and books that are crossed: 0 when every entry was applied.
 */
record BookSnapshot(List<Top> tops, long updates, long gaps, long misfits) {
    /** The best level of both sides; the symbol is null until the instrument was defined. */
    record Top(String symbol, int bidQuantity, long bidPrice, long offerPrice, int offerQuantity) {
    }

    /** Copies the state, on the builder's thread. */
    static BookSnapshot of(final BookBuilder books) {
        final List<Top> tops = new ArrayList<>();
        for (int i = 0; i < books.instruments(); i++) {
            final PriceBook book = books.book(i);
            tops.add(new Top(books.symbol(i), book.quantity(EntryType.BID, 1), book.price(EntryType.BID, 1),
                book.price(EntryType.OFFER, 1), book.quantity(EntryType.OFFER, 1)));
        }
        return new BookSnapshot(List.copyOf(tops), books.updates(), books.gaps(), books.misfits());
    }
}
