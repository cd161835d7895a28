package io.sluice.transport.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.stub.StubCompletionQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainWatchTest {
    private final DrainWatch watch = new DrainWatch();

    private void watch(final int capacity) {
        watch.watch(new StubCompletionQueue() {
            @Override
            public int capacity() {
                return capacity;
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"40, 30", "64, 48", "2048, 1536"})
    void shouldCountTheDrainsThatFindThreeQuarters(final int capacity, final int nearlyFull) {
        watch(capacity);
        watch.onDrained(nearlyFull - 1);
        assertEquals(0, watch.nearlyFullDrains());
        watch.onDrained(nearlyFull);
        watch.onDrained(capacity);
        assertEquals(2, watch.nearlyFullDrains());
    }

    @ParameterizedTest
    @CsvSource({"8, 256", "256, 256", "2048, 1536", "21845, 16383", "21848, 256", "2147483647, 256"})
    void shouldDrainAsManyAsMakeItNearlyFullIfThatTakesNotTooLong(final int capacity, final int limit) {
        watch(capacity);
        assertEquals(limit, watch.limit());
    }

    @Test
    void shouldTakeNoteOfAQueueThatHasGrown() {
        watch(40);
        watch(80);
        watch.onDrained(40);
        assertEquals(0, watch.nearlyFullDrains());
    }
}
