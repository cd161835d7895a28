package io.sluice.transport.peer;

import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import org.junit.jupiter.api.Test;

class PeerSubscriptionsTest {
    /** No publication of the conductor has it. */
    private static final int OTHER_STREAM_ID = SteppedConductor.STREAM_ID + 1;

    private final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());
    private final ControlMessages messages = new ControlMessages(1, 2);

    @Test
    void shouldEndTheConnectionOfAPeerThatHasTooManyAndNotOfOneThatRepeatsItself() {
        final Peer peer = stepped.connect(messages, "pid 1");
        send(peer, messages.hello());
        for (int id = 0; id < PeerSubscriptions.MAX_OF_PEER; id++) {
            subscribe(peer, id);
        }
        subscribe(peer, 0);
        assertFalse(peer.isOver());
        subscribe(peer, PeerSubscriptions.MAX_OF_PEER);
        assertTrue(peer.isOver());
    }

    private void subscribe(final Peer peer, final int id) {
        send(peer, messages.subscribe(id, OTHER_STREAM_ID, SteppedConductor.CHANNEL));
        stepped.step();
    }
}
