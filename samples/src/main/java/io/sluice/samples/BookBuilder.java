package io.sluice.samples;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder.EntriesDecoder;
import io.sluice.samples.marketdata.InstrumentDefinitionDecoder;
import io.sluice.transport.Header;
import io.sluice.transport.MessageDispatcher;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

/**
 * Builds the book of every instrument. Having joined late, it waits for an instrument's recovery before it applies what
 * changes. The thread of its {@link #consumer()}.
 */
final class BookBuilder {
    private final FeedConsumer<BookSnapshot> consumer;
    private final MessageDispatcher dispatcher;
    private final PriceBook[] books;
    private final boolean[] isKnown;
    private final String[] symbols;
    private long updates;
    private long gaps;
    private long misfits;
    private long lastSequence = -1;

    BookBuilder(final int instruments, final ErrorHandler errorHandler) {
        books = new PriceBook[instruments];
        isKnown = new boolean[instruments];
        symbols = new String[instruments];
        for (int i = 0; i < instruments; i++) {
            books[i] = new PriceBook();
        }
        dispatcher = new MessageDispatcher((buffer, offset, length, header) -> { }, errorHandler)
            .on(new InstrumentDefinitionDecoder(), this::onDefinition)
            .on(new IncrementalBookRefreshDecoder(), this::onRefresh);
        consumer = new FeedConsumer<>("books", dispatcher, this::reset, () -> BookSnapshot.of(this));
    }

    void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        dispatcher.onFragment(buffer, offset, length, header);
    }

    private void onDefinition(final InstrumentDefinitionDecoder definition, final Header header) {
        final int index = Instrument.indexOf(definition.instrumentId());
        // a String is made once for each instrument, not for each repetition
        if (isInstrument(index) && symbols[index] == null) {
            symbols[index] = definition.symbol();
        }
    }

    private void onRefresh(final IncrementalBookRefreshDecoder refresh, final Header header) {
        final long sequence = refresh.sequence();
        if (lastSequence >= 0 && sequence != ((lastSequence + 1) & 0xFFFFFFFFL)) {
            gaps++;
        }
        lastSequence = sequence;
        final boolean isRecovery = refresh.matchEvent().recovery();
        int recovered = -1;
        for (final EntriesDecoder entry : refresh.entries()) {
            final int index = Instrument.indexOf(entry.instrumentId());
            if (index >= books.length) {
                // the feed has more instruments than were asked for
                continue;
            }
            if (index < 0) {
                misfits++;
                continue;
            }
            if (isRecovery && index != recovered) {
                recovered = index;
                books[index].clear();
                isKnown[index] = true;
            }
            if (isKnown[index]) {
                apply(books[index], entry);
            }
        }
    }

    private void apply(final PriceBook book, final EntriesDecoder entry) {
        updates++;
        if (!book.apply(
            entry.entryType(), entry.action(), entry.level(), entry.price().mantissa(), entry.quantity())) {
            misfits++;
        }
    }

    private boolean isInstrument(final int index) {
        return index >= 0 && index < books.length;
    }

    /** Forget everything: another feed begins. */
    void reset() {
        lastSequence = -1;
        Arrays.fill(isKnown, false);
        for (final PriceBook book : books) {
            book.clear();
        }
    }

    FeedConsumer<BookSnapshot> consumer() {
        return consumer;
    }

    int instruments() {
        return books.length;
    }

    PriceBook book(final int index) {
        return books[index];
    }

    /** The symbol, or null until the instrument was defined. */
    String symbol(final int index) {
        return symbols[index];
    }

    long updates() {
        return updates;
    }

    /** Refreshes that did not follow the one before: 0 on a lossless transport. */
    long gaps() {
        return gaps;
    }

    /** Entries that did not fit their book, and books that are crossed: 0 when every entry was applied in order. */
    long misfits() {
        long crossed = 0;
        for (final PriceBook book : books) {
            crossed += book.isCrossed() ? 1 : 0;
        }
        return misfits + crossed;
    }
}
