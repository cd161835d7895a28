package io.sluice.transport.peer;

import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import org.junit.jupiter.api.Test;

/** The device goes while a connection is being accepted, and with it all that was known of the request. */
class LostRequestTest {
    private final StubControlDevice device = new StubControlDevice();
    private final SteppedConductor stepped = new SteppedConductor(device);

    @Test
    void shouldLetPeersInAfterMoreRequestsWereLostThanMayBeUnderWay() {
        for (int i = 0; i <= UnprovedPeers.MAX_ACCEPTING; i++) {
            final Peer lost = device.request(new ControlMessages(i + 1, 2).privateData(), "10.0.0.1:" + i);
            stepped.conductor().doWork();
            lost.lose();
            stepped.step();
        }
        final ControlMessages messages = new ControlMessages(99, 2);
        final Peer peer = stepped.connect(messages, "10.0.0.1:99");
        send(peer, messages.hello());
        stepped.step();
        assertEquals(1, stepped.count(TransportCounter.CONNECTIONS_ESTABLISHED));
    }
}
