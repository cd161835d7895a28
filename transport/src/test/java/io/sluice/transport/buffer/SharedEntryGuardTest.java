package io.sluice.transport.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SharedEntryGuardTest {
    private final SharedEntryGuard guard = new SharedEntryGuard(2);

    @Test
    void shouldSayThatNobodyWasInside() {
        guard.snapshot();
        assertTrue(guard.hasLeftSince());
    }

    @Test
    void shouldWaitForEveryThreadThatIsInside() {
        final int first = guard.enter();
        final int second = guard.enter();
        assertNotEquals(first, second);
        guard.snapshot();
        guard.leave(first);
        assertFalse(guard.hasLeftSince());
        guard.leave(second);
        assertTrue(guard.hasLeftSince());
    }

    @Test
    void shouldNotWaitForThreadsThatCameInLater() {
        final int before = guard.enter();
        guard.snapshot();
        guard.leave(before);
        guard.enter();
        guard.enter();
        assertTrue(guard.hasLeftSince(), "they have seen what changed");
    }

    @Test
    void shouldHaveRoomForAsManyThreadsAsItWasMadeFor() {
        final int slot = guard.enter();
        assertNotEquals(SharedEntryGuard.FULL, guard.enter());
        assertEquals(SharedEntryGuard.FULL, guard.enter());
        guard.leave(slot);
        assertEquals(slot, guard.enter());
    }

    @Test
    void shouldRefuseACapacityThatIsNoPowerOfTwo() {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new SharedEntryGuard(3));
        assertTrue(ex.getMessage().contains("capacity=3"), ex.getMessage());
    }
}
