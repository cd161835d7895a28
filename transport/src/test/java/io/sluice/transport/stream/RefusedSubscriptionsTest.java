package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.settings.TransportId;
import org.junit.jupiter.api.Test;

class RefusedSubscriptionsTest {
    private static final PeerOrigin PEER = new PeerOrigin(new TransportId(1, 2), "pid 1", true);
    private static final PeerOrigin OTHER = new PeerOrigin(new TransportId(1, 2), "pid 2", true);

    private final RefusedSubscriptions refused = new RefusedSubscriptions();

    @Test
    void shouldRememberUntilTheSubscriptionEnds() {
        refused.add(PEER, 1);
        refused.add(PEER, 2);
        refused.add(OTHER, 1);
        refused.remove(PEER, 1);
        assertFalse(refused.contains(PEER, 1));
        assertTrue(refused.contains(PEER, 2));
        assertTrue(refused.contains(OTHER, 1));
    }

    @Test
    void shouldRememberUntilThePeerIsGone() {
        refused.add(PEER, 1);
        refused.add(PEER, 2);
        refused.add(OTHER, 1);
        refused.removeAll(PEER);
        assertFalse(refused.contains(PEER, 1));
        assertFalse(refused.contains(PEER, 2));
        assertTrue(refused.contains(OTHER, 1));
    }

    @Test
    void shouldForgetTheOldestOfTooMany() {
        for (int id = 0; id <= RefusedSubscriptions.MAX_REMEMBERED; id++) {
            refused.add(PEER, id);
            refused.add(PEER, id);
        }
        assertFalse(refused.contains(PEER, 0));
        assertTrue(refused.contains(PEER, 1));
        assertTrue(refused.contains(PEER, RefusedSubscriptions.MAX_REMEMBERED));
    }
}
