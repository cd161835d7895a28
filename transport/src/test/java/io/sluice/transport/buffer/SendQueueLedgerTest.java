package io.sluice.transport.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendQueueLedgerTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void shouldRefuseAQueueWithoutSlots(final int capacity) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new SendQueueLedger(capacity, 1));
        assertTrue(ex.getMessage().contains("capacity=" + capacity), ex.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "2, 64", "3, 64", "7, 3", "8, 1", "256, 64"})
    void shouldNeverFillTheQueueWithoutASignalledRequest(final int capacity, final int interval) {
        final SendQueueLedger ledger = new SendQueueLedger(capacity, interval);
        int signalled = 0;
        while (ledger.hasRoom()) {
            final boolean isSignalled = ledger.nextIsSignalled();
            signalled += isSignalled ? 1 : 0;
            ledger.onPosted(isSignalled);
        }
        assertEquals(capacity, ledger.outstanding());
        assertTrue(signalled > 0);
        for (int i = 0; i < signalled; i++) {
            assertTrue(ledger.onCompletion());
        }
        assertEquals(0, ledger.outstanding(), "the request that takes the last slot must be signalled");
    }

    @Test
    void shouldSignalAtLeastEveryNthRequest() {
        final SendQueueLedger ledger = new SendQueueLedger(100, 4);
        int sinceLast = 0;
        for (int i = 0; i < 1000; i++) {
            final boolean isSignalled = ledger.nextIsSignalled();
            ledger.onPosted(isSignalled);
            sinceLast = isSignalled ? 0 : sinceLast + 1;
            assertTrue(sinceLast < 4);
            if (isSignalled) {
                assertTrue(ledger.onCompletion());
            }
        }
    }

    @Test
    void shouldSignalAtLeastEveryHalfOfTheQueueWhateverTheInterval() {
        final SendQueueLedger ledger = new SendQueueLedger(8, 1000);
        for (int i = 1; i <= 3; i++) {
            assertFalse(ledger.nextIsSignalled());
            ledger.onPosted(false);
        }
        assertTrue(ledger.nextIsSignalled());
    }

    @Test
    void shouldRetireEveryEarlierRequestWithASignalledOne() {
        final SendQueueLedger ledger = new SendQueueLedger(8, 3);
        for (int i = 0; i < 5; i++) {
            ledger.onPosted(ledger.nextIsSignalled());
        }
        assertEquals(5, ledger.outstanding());
        assertTrue(ledger.onCompletion());
        assertEquals(2, ledger.outstanding());
    }

    @Test
    void shouldRefuseACompletionThatNobodyWaitsFor() {
        final SendQueueLedger ledger = new SendQueueLedger(8, 3);
        assertFalse(ledger.onCompletion());
        ledger.onPosted(false);
        assertFalse(ledger.onCompletion(), "an unsignalled request makes no completion");
        ledger.onPosted(true);
        assertTrue(ledger.onCompletion());
        assertFalse(ledger.onCompletion());
        assertEquals(0, ledger.outstanding());
    }

    @Test
    void shouldAskForReapingWhenHalfOfTheSlotsAreTaken() {
        final SendQueueLedger ledger = new SendQueueLedger(5, 5);
        ledger.onPosted(ledger.nextIsSignalled());
        ledger.onPosted(ledger.nextIsSignalled());
        assertFalse(ledger.wantsReaping());
        ledger.onPosted(ledger.nextIsSignalled());
        assertTrue(ledger.wantsReaping());
    }

    @Test
    void shouldAgreeWithAQueueOfRequestsOverAnyHistory() {
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            final int capacity = 1 + random.nextInt(40);
            final SendQueueLedger ledger = new SendQueueLedger(capacity, 1 + random.nextInt(50));
            final Deque<Boolean> requests = new ArrayDeque<>();
            for (int step = 0; step < 2000; step++) {
                assertEquals(requests.size() < capacity, ledger.hasRoom(), "seed=" + seed);
                if (ledger.hasRoom() && random.nextBoolean()) {
                    final boolean isSignalled = ledger.nextIsSignalled();
                    ledger.onPosted(isSignalled);
                    requests.add(isSignalled);
                } else {
                    assertEquals(requests.contains(true), ledger.onCompletion(), "seed=" + seed);
                    retire(requests);
                }
                assertEquals(requests.size(), ledger.outstanding(), "seed=" + seed);
            }
        }
    }

    private static void retire(final Deque<Boolean> requests) {
        if (requests.contains(true)) {
            while (!requests.remove()) {
                assertFalse(requests.isEmpty());
            }
        }
    }
}
