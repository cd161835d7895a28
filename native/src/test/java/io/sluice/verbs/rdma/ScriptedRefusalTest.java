package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** An object that the device has refused to destroy is there still: it is not let go of, and can be closed again. */
class ScriptedRefusalTest extends ScriptedManagerTests {
    private static final int EIO = 5;
    private static final int LENGTH = 4096;

    /** An object that is closed without a checked exception. */
    private interface Closing {
        void close();
    }

    /** Refused once; from the first refusal to the success nothing that it needs can be closed. */
    private void assertRepeatable(final String call, final Closing object, final Closing... needed) {
        final int before = Collections.frequency(manager.libraries.calls, call);
        manager.libraries.answer(call, EIO);
        assertEquals(EIO, assertThrows(VerbsException.class, object::close).errno());
        assertEquals(EIO, assertThrows(VerbsException.class, object::close).errno(), "refused again");
        for (final Closing each : needed) {
            assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, each::close).errno());
        }
        manager.libraries.answer(call, Errno.OK);
        object.close();
        object.close();

        assertEquals(before + 3, Collections.frequency(manager.libraries.calls, call), call);
    }

    private void closeAll() {
        manager.closeObjects();
        manager.device.close();
    }

    @Test
    void shouldCloseAQueuePairAgain() {
        final SharedReceiveQueue shared = manager.domain.createSharedReceiveQueue(1);
        final ReliableQueuePair queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0)
                .withSharedReceiveQueue(shared));

        assertRepeatable("ibv_destroy_qp", queuePair::close, manager.queue::close, shared::close);

        shared.close();
        closeAll();
    }

    @Test
    void shouldCloseACompletionQueueAgain() {
        final CompletionChannel channel = manager.device.createCompletionChannel();
        final CompletionQueue queue =
            manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, channel));

        assertRepeatable("ibv_destroy_cq", queue::close, channel::close);

        channel.close();
        closeAll();
    }

    @Test
    void shouldNotUseACompletionQueueThatTheDeviceHasNotDestroyed() {
        manager.libraries.answer("ibv_destroy_cq", EIO);
        assertThrows(VerbsException.class, manager.queue::close);

        assertEquals(Errno.EINVAL, manager.queue.startPoll());
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, manager::newQueuePair).errno());
    }

    @Test
    void shouldCloseAChannelAgain() {
        assertRepeatable("ibv_destroy_comp_channel", manager.device.createCompletionChannel()::close,
            manager.device::close);

        closeAll();
    }

    @Test
    void shouldCloseASharedReceiveQueueAgain() {
        assertRepeatable("ibv_destroy_srq", manager.domain.createSharedReceiveQueue(1)::close,
            manager.device::close);

        closeAll();
    }

    @Test
    void shouldCloseARegionAgain() {
        assertRepeatable("ibv_dereg_mr", manager.domain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE)::close,
            manager.device::close);

        closeAll();
    }

    @Test
    void shouldCloseAnAddressHandleAgain() {
        assertRepeatable("ibv_destroy_ah",
            manager.domain.createAddressHandle(manager.device.portAddress())::close, manager.domain::close);

        closeAll();
    }

    @Test
    void shouldCloseAParentDomainAgainWhoseThreadDomainStays() {
        final ProtectionDomain parent = manager.domain.allocateParentDomain();
        manager.libraries.calls.clear();

        assertRepeatable("ibv_dealloc_td", parent::close, manager.device::close);

        assertEquals(1, Collections.frequency(manager.libraries.calls, "ibv_dealloc_pd"), "freed once");
        closeAll();
    }

    @Test
    void shouldCloseAListenerAgain() {
        final Listener listener = manager.device.listen("127.0.0.1:40123", 1);

        assertRepeatable("rdma_destroy_id", listener::close);

        closeAll();
    }

    @Test
    void shouldCloseAConnectionAgain() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection =
            manager.device.connect("127.0.0.1:40123", queuePair, new byte[0], Long.MAX_VALUE);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast());
        assertEquals(Connection.State.ESTABLISHED, connection.poll());

        assertRepeatable("rdma_destroy_id", connection::close);

        queuePair.close();
        closeAll();
    }
}
