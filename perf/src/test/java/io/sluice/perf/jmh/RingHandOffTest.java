package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.peer.PeerKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The benchmark's own subject: what is published onto a ring is consumed, checked, by the batch.
 */
class RingHandOffTest {
    @ParameterizedTest
    @EnumSource(names = {"SLUICE_RING", "SLUICE_RING_POLL", "SLUICE_IPC", "DISRUPTOR"})
    void shouldConsumeWhatWasPublished(PeerKind peer) {
        try (RingHandOff ring = new RingHandOff(peer)) {
            assertEquals(1, ring.handOff(1));
            assertEquals(17, ring.handOff(16));
            assertEquals(81, ring.handOff(64));
        }
    }
}
