package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnprovedPeersTest {
    private final UnprovedPeers peers = new UnprovedPeers(List.of());

    private int letIn(final String host) {
        int count = 0;
        while (peers.hasRoom(host)) {
            peers.onAccepting(host);
            count++;
        }
        return count;
    }

    @Test
    void shouldLeaveRoomForOtherHosts() {
        assertEquals(UnprovedPeers.MAX_PER_HOST, letIn("10.0.0.1"));
        assertTrue(peers.hasRoom("10.0.0.2"));
        peers.onAccepted("10.0.0.1");
        assertTrue(peers.hasRoom("10.0.0.1"));
    }

    @Test
    void shouldBoundThoseOfAllHosts() {
        int hosts = 0;
        while (hosts < UnprovedPeers.MAX_UNPROVED && letIn("host " + hosts) > 0) {
            hosts++;
        }
        assertEquals(UnprovedPeers.MAX_UNPROVED, peers.accepting());
        assertEquals(UnprovedPeers.MAX_UNPROVED / UnprovedPeers.MAX_PER_HOST, hosts);
        assertFalse(peers.hasRoom("another one"));
        peers.onAccepted("host 0");
        assertTrue(peers.hasRoom("another one"));
    }
}
