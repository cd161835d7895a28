package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.MemoryRegion;
import org.junit.jupiter.api.Test;

/** The bound of the rings that a link has replaced while its consumers were at one message. */
class ReplacedRingsTest {
    private static final int RING_LENGTH = 4096;

    /** The rings under test; none is released, so that nobody needs to be told. */
    private final ReplacedRings rings = new ReplacedRings(new AbandonedRings(null));
    private long position;

    private MemoryRegion replace() {
        final MemoryRegion ring = new StubRegion(RING_LENGTH);
        rings.expect(RING_LENGTH);
        rings.leave(ring);
        return ring;
    }

    @Test
    void shouldBeFullWithTheRingThatThePollingThreadHasYetToLeave() {
        for (int i = 1; i < ReplacedRings.MAX_RINGS; i++) {
            assertFalse(rings.isFull(), "rings=" + i);
            rings.add(replace(), ++position);
        }
        assertFalse(rings.isFull());
        final MemoryRegion last = replace();
        assertTrue(rings.isFull(), "as if it had been left");
        rings.add(last, ++position);
        assertTrue(rings.isFull());
    }
}
