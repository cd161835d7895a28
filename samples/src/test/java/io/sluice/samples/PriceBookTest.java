package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.EntryType;
import io.sluice.samples.marketdata.UpdateAction;
import org.junit.jupiter.api.Test;

class PriceBookTest {
    private final PriceBook book = new PriceBook();

    @Test
    void shouldPushLevelsAwayAndForgetTheLastOne() {
        for (int i = 0; i <= PriceBook.DEPTH; i++) {
            assertTrue(bid(UpdateAction.NEW, 1, 100 + i, i + 1));
        }
        assertEquals(PriceBook.DEPTH, book.levels(EntryType.BID));
        assertEquals(105, book.price(EntryType.BID, 1));
        assertEquals(101, book.price(EntryType.BID, 5));
        assertEquals(2, book.quantity(EntryType.BID, 5));
        assertEquals(0, book.levels(EntryType.OFFER));
    }

    @Test
    void shouldMoveLevelsUpWhenOneGoes() {
        bid(UpdateAction.NEW, 1, 100, 1);
        bid(UpdateAction.NEW, 2, 99, 2);
        bid(UpdateAction.NEW, 3, 98, 3);
        assertTrue(bid(UpdateAction.DELETE, 2, PriceBook.NO_PRICE, 0));
        assertEquals(2, book.levels(EntryType.BID));
        assertEquals(98, book.price(EntryType.BID, 2));
        assertEquals(3, book.quantity(EntryType.BID, 2));
        assertEquals(PriceBook.NO_PRICE, book.price(EntryType.BID, 3));
        assertEquals(0, book.quantity(EntryType.BID, 3));
    }

    @Test
    void shouldChangeTheQuantityOfAPriceThatItKnows() {
        bid(UpdateAction.NEW, 1, 100, 1);
        assertTrue(bid(UpdateAction.CHANGE, 1, 100, 7));
        assertEquals(7, book.quantity(EntryType.BID, 1));
        assertFalse(bid(UpdateAction.CHANGE, 1, 101, 8));
        assertEquals(7, book.quantity(EntryType.BID, 1));
    }

    @Test
    void shouldRefuseEntriesThatDoNotFit() {
        assertFalse(bid(UpdateAction.NEW, 0, 100, 1));
        assertFalse(bid(UpdateAction.NEW, 2, 100, 1));
        assertFalse(bid(UpdateAction.CHANGE, 1, 100, 1));
        assertFalse(bid(UpdateAction.DELETE, 1, 100, 1));
        assertFalse(bid(UpdateAction.SBE_UNKNOWN, 1, 100, 1));
        assertFalse(book.apply(EntryType.SBE_UNKNOWN, UpdateAction.NEW, 1, 100, 1));
        assertEquals(0, book.levels(EntryType.BID));
    }

    @Test
    void shouldKnowWhenItIsCrossed() {
        bid(UpdateAction.NEW, 1, 100, 1);
        assertFalse(book.isCrossed());
        book.apply(EntryType.OFFER, UpdateAction.NEW, 1, 101, 1);
        assertFalse(book.isCrossed());
        book.apply(EntryType.OFFER, UpdateAction.NEW, 1, 100, 1);
        assertTrue(book.isCrossed());
        book.clear();
        assertFalse(book.isCrossed());
    }

    private boolean bid(UpdateAction action, int level, long price, int quantity) {
        return book.apply(EntryType.BID, action, level, price, quantity);
    }
}
