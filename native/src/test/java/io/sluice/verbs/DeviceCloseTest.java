package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A device that is closed while others use it still, and one that is closed. */
class DeviceCloseTest extends VerbsSuite {
    /** Devices take long to open. */
    private static final int ROUNDS = Math.min(10, Integer.parseInt(System.getProperty("sluice.verbs.rounds", "10")));

    private final AtomicBoolean isStopping = new AtomicBoolean();

    private void pollUntilStopped(final RdmaDevice device, final CountDownLatch polling) {
        while (!isStopping.get() && rig.workers.mayGoOn()) {
            // The port may have something to tell.
            device.poll((type, queue, queuePair) -> { });
            polling.countDown();
        }
    }

    @Test
    void shouldBeClosedWhileAnotherThreadPollsIt() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            isStopping.set(false);
            try (DeviceFixture.Devices devices = fixture.open()) {
                final RdmaDevice device = devices.first();
                final CountDownLatch polling = new CountDownLatch(1);
                final Thread poller = rig.workers.start(() -> pollUntilStopped(device, polling));
                rig.workers.await(polling);

                device.close();

                assertEquals(0, device.poll((type, queue, queuePair) -> fail("closed")));
                isStopping.set(true);
                rig.workers.join(poller);
            }
        }
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        try (DeviceFixture.Devices devices = fixture.open()) {
            final RdmaDevice device = devices.first();
            device.close();
            device.close();

            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, device::allocateProtectionDomain).errno());
            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, device::createCompletionChannel).errno());
            if (device.attributes().maxDatagramLength() > 0) {
                assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, device::portAddress).errno());
            }
            assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> device.createCompletionQueue(
                new CompletionQueueAttributes(8, 0, null))).errno());
            assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> device.listen(
                fixture.newAddress(), 1)).errno());
        }
    }
}
