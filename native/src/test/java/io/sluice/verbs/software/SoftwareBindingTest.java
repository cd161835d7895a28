package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePairAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The bytes that bind a proof to its connection in shared memory: the address of the connecting end's queue pair, then
 * that of the listening end's. An address holds the name of the process folder behind its length, the number of the
 * queue pair and a random number of that, each at a place of its own, so they are written out here.
 */
class SoftwareBindingTest {
    private static final byte[] NOTHING = {};
    private static final int MAGIC = 0x5351_5041;
    private static final byte VERSION = 1;
    /** Number of the receive completion queue, and the slot in it: where to knock, no part of who it is. */
    private static final int KNOCK_LENGTH = 2 * Integer.BYTES;
    private static final int FIXED_LENGTH = Integer.BYTES + 1 + 1 + Integer.BYTES + Long.BYTES + KNOCK_LENGTH;

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final RememberingEnvironment environment = new RememberingEnvironment();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private SoftwareDevice one;
    private SoftwareDevice two;

    /** The real machine, which remembers the last random number. */
    private static final class RememberingEnvironment extends ForwardingEnvironment {
        private long random;

        RememberingEnvironment() {
            super(SystemEnvironment.instance());
        }

        @Override
        public long randomLong() {
            random = super.randomLong();
            return random;
        }
    }

    /**
     * One end of a connection to be.
     *
     * @param folder    of its process.
     * @param queuePair of it.
     * @param random    that was drawn for the queue pair.
     */
    private record End(String folder, SoftwareQueuePair queuePair, long random) {
        String hex() {
            final byte[] name = folder.getBytes(StandardCharsets.US_ASCII);
            final byte[] address = queuePair.localAddress();
            final int knock = address.length - KNOCK_LENGTH;
            return HexFormat.of().formatHex(ByteBuffer.allocate(FIXED_LENGTH + name.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC).put(VERSION).put((byte) name.length).put(name)
                .putInt(queuePair.number())
                .putLong(random)
                .put(Arrays.copyOfRange(address, knock, address.length))
                .array());
        }
    }

    @BeforeEach
    void open() {
        one = openDevice();
        two = openDevice();
        assertNotEquals(one.context().folder().name(), two.context().folder().name());
    }

    private SoftwareDevice openDevice() {
        final SoftwareDevice device = SoftwareDevice.open(environment, fabric.path());
        resources.add(device);
        return device;
    }

    @AfterEach
    void close() throws Exception {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).close();
        }
        fabric.close();
    }

    private End newEnd(final SoftwareDevice owner) {
        final CompletionQueue queue = owner.createCompletionQueue(new CompletionQueueAttributes(64, 0, null));
        resources.add(queue);
        final SoftwareQueuePair pair = (SoftwareQueuePair) owner.allocateProtectionDomain().createQueuePair(
            new QueuePairAttributes(queue, queue, 8, 8, 0, 0, 12, 6, 14));
        final long random = environment.random;
        resources.add(pair);
        pair.initialise(SoftwareLink.ACCESS);
        return new End(owner.context().folder().name(), pair, random);
    }

    private Listener listen(final SoftwareDevice owner, final String address) {
        final Listener listener = owner.listen(address, 8);
        resources.add(listener);
        return listener;
    }

    private void assertBound(
        final SoftwareDevice device, final End connecting, final Listener listener, final End listening) {
        final Connection outgoing =
            device.connect(listener.address(), connecting.queuePair(), NOTHING, Long.MAX_VALUE);
        resources.add(outgoing);
        assertEquals("", hex(outgoing), "not before the peer has answered");
        ConnectionRequest request = listener.poll();
        for (int i = 0; i < 1000 && request == null; i++) {
            request = listener.poll();
        }
        assertNotNull(request);
        final Connection incoming = request.accept(listening.queuePair(), NOTHING);
        resources.add(incoming);
        assertEquals(Connection.State.ESTABLISHED, outgoing.poll());
        assertEquals(Connection.State.ESTABLISHED, incoming.poll());

        assertEquals(connecting.hex() + listening.hex(), hex(outgoing));
        assertEquals(connecting.hex() + listening.hex(), hex(incoming));
    }

    private static String hex(final Connection connection) {
        return HexFormat.of().formatHex(connection.binding());
    }

    private static void assertDifferInBothNumbers(final End end, final End other) {
        assertNotEquals(end.queuePair().number(), other.queuePair().number());
        assertNotEquals(end.random(), other.random());
    }

    @Test
    void shouldBindFolderNumberAndRandomNumberOfBothEndsTheConnectingOneFirst() {
        final End connecting = newEnd(one);
        newEnd(two);
        final End listening = newEnd(two);
        assertDifferInBothNumbers(connecting, listening);
        assertBound(one, connecting, listen(two, "ipc/bound/2"), listening);
    }

    @Test
    void shouldBindOtherQueuePairsOfTheSameProcesses() {
        final Listener listener = listen(two, "ipc/bound/2");
        final End connecting = newEnd(one);
        final End listening = newEnd(two);
        assertBound(one, connecting, listener, listening);
        final End otherConnecting = newEnd(one);
        final End otherListening = newEnd(two);
        assertDifferInBothNumbers(connecting, otherConnecting);
        assertDifferInBothNumbers(listening, otherListening);
        assertBound(one, otherConnecting, listener, otherListening);
    }

    @Test
    void shouldBindTheFoldersOfWhoConnectsAndOfWhoListens() {
        assertBound(one, newEnd(one), listen(two, "ipc/bound/2"), newEnd(two));
        assertBound(two, newEnd(two), listen(one, "ipc/bound/1"), newEnd(one));
        assertBound(one, newEnd(one), listen(one, "ipc/bound/itself"), newEnd(one));
    }
}
