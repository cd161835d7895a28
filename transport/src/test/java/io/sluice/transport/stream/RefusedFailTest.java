package io.sluice.transport.stream;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.HEARTBEAT_INTERVAL_NS;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import org.junit.jupiter.api.Test;

/** A device does not change a queue pair to the ERROR state: its link ends all the same. */
class RefusedFailTest {
    private static final long SUBSCRIPTION_ID = 7;

    private final StubControlDevice device = new StubControlDevice();
    private final SteppedConductor stepped = new SteppedConductor(device);
    private final ControlMessages messages = new ControlMessages(1, 2);

    @Test
    void shouldReleaseALinkWhoseQueuePairCannotBeFailed() {
        final Peer peer = stepped.connect(messages, "pid 1");
        send(peer, messages.hello());
        stepped.step();
        final int before = device.openDomains();
        send(peer, messages.subscribe(SUBSCRIPTION_ID, STREAM_ID, CHANNEL));
        stepped.step();
        assertEquals(before + 1, device.openDomains(), "a link was tried");

        device.refuseToFail();
        peer.hangUp();
        stepped.advance(HEARTBEAT_INTERVAL_NS);

        assertEquals(1, stepped.errors("the stub does not change it to ERR").size());
        assertEquals(before, device.openDomains());
        assertEquals(0, device.domainsClosedInUse());
    }
}
