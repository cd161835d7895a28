package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Sizes that completion queues are created with and changed to.
 * <p>
 * Stands for these cases of rdma-core's {@code test_cq.py}: {@code test_create_cq},
 * {@code test_create_cq_with_comp_channel}, {@code test_create_cq_bad_flow} and {@code test_resize_cq}.
 */
class CompletionQueueSizeTest extends VerbsSuite {
    private static final int RANDOM_SIZES = 50;
    private static final long SEED = 4711;

    private void creates(final int capacity, final int vector, final CompletionChannel channel) {
        try (CompletionQueue queue = rig.first.createCompletionQueue(
            new CompletionQueueAttributes(capacity, Endpoint.FIELDS, channel).withVector(vector))) {
            assertTrue(queue.capacity() >= capacity, "capacity=" + queue.capacity() + " asked=" + capacity);
            assertEquals(Errno.ENOENT, queue.startPoll());
        }
    }

    private int max() {
        return rig.first.attributes().maxCompletionQueueEntries();
    }

    @Test
    void shouldBeCreatedInAnySizeForAnyVector() {
        final int vectors = rig.first.attributes().completionVectors();
        for (final int size : new int[] {1, max() / 2, max()}) {
            for (int vector = 0; vector < Math.min(2, vectors); vector++) {
                creates(size, vector, null);
            }
        }
        creates(vectors, vectors - 1, null);
    }

    @Test
    void shouldBeCreatedInRandomSizes() {
        final Random random = new Random(SEED);
        for (int i = 0; i < RANDOM_SIZES; i++) {
            creates(1 + random.nextInt(Math.min(max(), 1 << random.nextInt(1, 16))), 0, null);
        }
    }

    @Test
    void shouldBeCreatedInAnySizeWithAChannel() {
        for (final int size : new int[] {1, max() / 2, max()}) {
            final CompletionChannel channel = rig.first.createCompletionChannel();
            creates(size, 0, channel);
            channel.close();
        }
    }

    @Test
    void shouldRefuseSizesAndVectorsThatTheDeviceDoesNotHave() {
        refused(() -> creates(max() + 1, 0, null));
        refused(() -> creates(0, 0, null));
        final int vectors = rig.first.attributes().completionVectors();
        for (final int vector : new int[] {-1, vectors, vectors + 1}) {
            refused(() -> creates(100, vector, null));
        }
    }

    private static void refused(final Executable what) {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, what).errno());
    }

    @Test
    void shouldBeResizedWhileDatagramsComplete() {
        rig.assumeHas(DeviceFixture.Ability.RESIZES);
        assumeTrue(rig.first.attributes().maxDatagramLength() > 0, "the device has no datagrams");
        final CompletionQueue queue = rig.queueOnFirst(3, null);
        final Endpoint client = rig.onFirst(
            new EndpointOptions().datagrams().queues(queue, rig.queueOnFirst(32, null)));
        final Endpoint server = rig.onSecond(new EndpointOptions().datagrams());
        client.openForDatagrams();
        server.openForDatagrams();
        final AddressHandle handle = rig.keep(rig.firstDomain.createAddressHandle(rig.second.portAddress()));
        queue.resize(1);
        assertTrue(queue.capacity() >= 1);
        queue.resize(7);
        assertTrue(queue.capacity() >= 7);
        final int count = 6;
        for (int i = 0; i < count; i++) {
            server.receive(i, i * 64, 64);
        }
        for (int i = 0; i < count; i++) {
            assertEquals(Errno.OK, client.sendTo(i, WorkFlags.SIGNALED, 0, 8, handle, server));
        }
        // What has arrived was sent, and its completions, which nobody polls, are waiting or about to.
        rig.await(server.receiveQueue, count);

        try {
            queue.resize(1);
        } catch (final VerbsException e) {
            assertEquals(Errno.EINVAL, e.errno(), e.getMessage());
        }

        for (int i = 0; i < count; i++) {
            assertEquals(i, rig.awaitSuccess(queue).workRequestId());
        }
        refused(() -> queue.resize(0));
        refused(() -> queue.resize(max() + 1));
        queue.resize(max());
        queue.resize(2);
    }
}
