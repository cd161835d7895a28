package io.sluice.transport.stream;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.stub.StubControlDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Adding fails with an Error, too: what was made of the device until then is given back. */
class RefusedAddTest {
    private final StubControlDevice device = new StubControlDevice();
    private final SteppedConductor stepped = new SteppedConductor(device);
    private final OutOfMemoryError wanted = new OutOfMemoryError("the test's");

    /** The medium of the conductor, but that it has no memory for one party more. */
    private Medium wanting() {
        final Medium medium = stepped.conductor().ipc();
        return (Medium) Proxy.newProxyInstance(Medium.class.getClassLoader(), new Class<?>[] {Medium.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("acquire")) {
                    throw wanted;
                }
                try {
                    return method.invoke(medium, arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });
    }

    @Test
    void shouldGiveBackWhatAPublicationTookOfTheDevice() {
        final int queues = device.openQueues();
        final int regions = device.openRegions();
        final PublicationOptions options = new PublicationOptions(
            CHANNEL, new Medium.Party("ipc/default", true, null), STREAM_ID, new SessionChoice(8, true),
            new LogOptions(4096, false, false, false), 4, 1, FlowControl.min(1));
        assertSame(wanted, assertThrows(
            OutOfMemoryError.class, () -> stepped.conductor().publication(wanting(), options, false)));
        assertEquals(queues, device.openQueues());
        assertEquals(regions, device.openRegions());
    }

    @Test
    void shouldGiveBackWhatASubscriptionTookOfTheDevice() {
        final int queues = device.openQueues();
        final SubscriptionOptions options = new SubscriptionOptions(
            CHANNEL, new Medium.Party("ipc/default", false, null), STREAM_ID, FlowControl.NO_TAG, 16,
            new LogSharing(false, false, 0), new EventOptions(16, false, false, SlowConsumerPolicy.GATE));
        assertSame(wanted, assertThrows(
            OutOfMemoryError.class, () -> stepped.conductor().subscription(wanting(), options, null)));
        assertEquals(queues, device.openQueues());
    }
}
