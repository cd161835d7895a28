package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A software device that a test takes away behaves as a verbs device does. */
class SoftwareRemovalTest {
    private static final String ADDRESS = "10.0.0.1:40123";

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
    private final List<AsyncEventType> told = new ArrayList<>();

    @AfterEach
    void close() {
        link.close();
        fabric.close();
    }

    private void remove() {
        link.left.remove();
        link.left.poll((type, queue, queuePair) -> told.add(type));
    }

    @Test
    void shouldTellOnceAndMakeNothingMore() {
        remove();
        link.left.poll((type, queue, queuePair) -> told.add(type));

        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told);
        assertEquals(Remedies.ENODEV, assertThrows(VerbsException.class, () ->
            link.left.createCompletionQueue(new CompletionQueueAttributes(1, 0, null))).errno());
        assertThrows(VerbsException.class, () -> link.leftDomain.allocateRegion(1, 0));
        assertThrows(VerbsException.class, () -> link.left.listen(ADDRESS, 1));
    }

    @Test
    void shouldCloseEverythingButKeepTheMemory() {
        link.leftRegion.buffer().putLong(0, 42);
        remove();

        link.left.release();

        assertEquals(Errno.EINVAL, link.leftSends.startPoll());
        assertEquals(0, link.leftSends.capacity());
        assertNotEquals(Errno.OK, link.leftPair.postReceives(1, 1));
        assertEquals(QueuePairState.ERROR, link.leftPair.state());
        assertEquals(42, link.leftRegion.buffer().getLong(0));
    }

    @Test
    void shouldBeTakenUpAgainWithOtherKeysAndTheSameListeners() {
        final Listener listener = link.left.listen(ADDRESS, 1);
        final int key = link.leftRegion.remoteKey();
        remove();
        link.left.release();
        assertFalse(link.left.reopen());
        assertNull(listener.poll());
        assertEquals(List.of(), link.right.listeners(ADDRESS));

        link.left.comeBack();

        assertTrue(link.left.reopen());
        assertNotEquals(key, link.leftRegion.remoteKey());
        assertNotNull(accepted(link.right, listener));
        listener.close();
    }

    /** The device's listener is made anew meanwhile. */
    @Test
    void shouldTellOfARemovalThatComesWhileItIsTakenUpAgain() {
        final TakenAway taken = new TakenAway();
        final SoftwareDevice device = SoftwareDevice.open(taken, fabric.path());
        final Listener listener = device.listen(ADDRESS, 1);
        device.remove();
        device.poll((type, queue, queuePair) -> told.add(type));
        device.release();
        device.comeBack();
        told.clear();
        taken.device = device;

        assertTrue(device.reopen());

        assertNull(taken.device, "taken away in the middle");
        assertThrows(VerbsException.class, device::allocateProtectionDomain);
        device.poll((type, queue, queuePair) -> told.add(type));
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told);
        device.release();
        assertFalse(device.reopen());
        device.comeBack();
        assertTrue(device.reopen());
        device.poll((type, queue, queuePair) -> told.add(type));
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told, "only once");
        listener.close();
        device.close();
    }

    /** The real machine, on which a device goes when the next local socket is made. */
    private static final class TakenAway extends ForwardingEnvironment {
        private SoftwareDevice device;

        private TakenAway() {
            super(SystemEnvironment.instance());
        }

        @Override
        public LocalSockets localSockets() {
            if (device != null) {
                device.remove();
                device = null;
            }
            return super.localSockets();
        }
    }

    @Test
    void shouldTellThatItIsBrokenAndBeThereAgainAtOnce() {
        link.left.breakDown();
        link.left.poll((type, queue, queuePair) -> told.add(type));

        assertEquals(List.of(AsyncEventType.DEVICE_FATAL), told);
        assertThrows(VerbsException.class, () -> link.left.listen(ADDRESS, 1));
        link.left.release();
        assertTrue(link.left.reopen());
        link.left.listen(ADDRESS, 1).close();
    }

    @Test
    void shouldLeaveTheMemoryToItsOwnerWhenAnotherRegionOfItCloses() {
        final byte[] token = link.leftRegion.shareToken();
        link.leftDomain.openShared(token, SoftwareLink.REGION_LENGTH, 0).close();

        link.rightDomain.openShared(token, SoftwareLink.REGION_LENGTH, 0).close();
    }

    private static Object accepted(final RdmaDevice client, final Listener listener) {
        final CompletionQueue queue = client.createCompletionQueue(new CompletionQueueAttributes(2, 0, null));
        try (QueuePair pair = client.allocateProtectionDomain().createQueuePair(
            new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 1, 1, 1))) {
            pair.initialise(0);
            try (Connection connection =
                client.connect(ADDRESS, pair, new byte[0], TimeUnit.SECONDS.toNanos(10))) {
                Object request = listener.poll();
                while (request == null && connection.poll() == Connection.State.CONNECTING) {
                    request = listener.poll();
                }
                return request;
            }
        } finally {
            queue.close();
        }
    }
}
