package io.sluice.transport.stream;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.HEARTBEAT_INTERVAL_NS;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import org.junit.jupiter.api.Test;

/** A device does not let go of a queue pair: it may still use what the queue pair was made in. */
class KeptQueuePairTest {
    private static final long SUBSCRIPTION_ID = 7;

    private final StubControlDevice device = new StubControlDevice();
    private final SteppedConductor stepped = new SteppedConductor(device);
    private final ControlMessages messages = new ControlMessages(1, 2);

    @Test
    void shouldKeepTheDomainOfALinkWhoseQueuePairCannotBeDestroyed() {
        final Peer peer = stepped.connect(messages, "pid 1");
        send(peer, messages.hello());
        stepped.step();
        device.keepQueuePairs();
        send(peer, messages.subscribe(SUBSCRIPTION_ID, STREAM_ID, CHANNEL));
        stepped.step();
        assertFalse(stepped.errors("the stub does not ").isEmpty(), "a link was tried");

        peer.hangUp();
        stepped.advance(HEARTBEAT_INTERVAL_NS);

        assertEquals(0, device.domainsClosedInUse());
    }
}
