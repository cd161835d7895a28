package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device;
import io.sluice.verbs.rdma.generated.ibv_mr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that is taken away, and comes back. */
class ScriptedRemovalTest extends ScriptedManagerTests {
    private static final String ADDRESS = "127.0.0.1:40123";
    private static final int EBUSY = 16;
    private static final int EIO = 5;

    private final List<AsyncEventType> told = new ArrayList<>();
    private Listener listener;
    private ReliableQueuePair queuePair;
    private MemoryRegion region;
    private CompletionChannel channel;
    private CompletionQueue announcing;
    private int nextKey;

    @BeforeEach
    void create() {
        manager.libraries.answer("ibv_reg_mr", arguments -> newRegion());
        listener = manager.device.listen(ADDRESS, 1);
        queuePair = manager.newQueuePair();
        region = manager.domain.allocateRegion(Long.BYTES, AccessFlags.LOCAL_WRITE);
        channel = manager.device.createCompletionChannel();
        announcing = manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, channel));
        manager.libraries.calls.clear();
    }

    private long newRegion() {
        final long handle = manager.libraries.arena.allocate(ibv_mr.sizeof(), Long.BYTES).address();
        UnsafeApi.putInt(handle + ibv_mr.lkey$offset(), ++nextKey);
        UnsafeApi.putInt(handle + ibv_mr.rkey$offset(), ++nextKey);
        return handle;
    }

    private void poll() {
        manager.device.poll((type, queue, pair) -> told.add(type));
    }

    private void remove() {
        manager.deliver(rdma_constants.RDMA_CM_EVENT_DEVICE_REMOVAL(), manager.ids.getFirst());
        poll();
    }

    private List<String> destructions() {
        return manager.libraries.calls.stream()
            .filter(call -> call.matches("(ibv|rdma)_(destroy|dereg|dealloc|close)_.*"))
            .toList();
    }

    @Test
    void shouldTellOnceThatTheDeviceIsTakenAwayAndMakeNothingOnIt() {
        remove();
        poll();

        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told);
        final VerbsException e = assertThrows(VerbsException.class, () -> manager.newQueuePair());
        assertEquals(Remedies.ENODEV, e.errno());
        assertTrue(e.getMessage().contains(ScriptedManager.DEVICE), e.getMessage());
        assertThrows(VerbsException.class, () -> manager.device.listen("127.0.0.1:40124", 1));
        assertThrows(VerbsException.class, () -> manager.domain.allocateRegion(1, 0));
    }

    @Test
    void shouldGiveBackEverythingInOrderAndKeepTheMemory() {
        region.buffer().putLong(0, 42);
        remove();

        manager.device.release();

        assertEquals(List.of("rdma_destroy_id", "ibv_destroy_qp", "ibv_destroy_cq", "ibv_destroy_cq",
            "ibv_destroy_comp_channel", "ibv_dereg_mr", "ibv_dealloc_pd", "ibv_close_device"), destructions());
        assertEquals(42, region.buffer().getLong(0));
        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertEquals(Errno.EINVAL, queuePair.postSend(1, 0, region.address(), region.localKey(), 1));
        assertEquals(Errno.EINVAL, manager.queue.startPoll());
        assertNull(listener.poll());
        assertNull(channel.getEvent(0));
        assertFalse(channel.await(0));
        channel.wake();
        assertTrue(channel.await(TimeUnit.SECONDS.toNanos(10)));
    }

    @Test
    void shouldCloseWhatIsReleasedWithoutTheDevice() {
        remove();
        manager.device.release();
        manager.libraries.calls.clear();

        queuePair.close();
        region.close();
        announcing.close();
        channel.close();
        listener.close();
        manager.closeObjects();
        manager.device.close();

        assertEquals(List.of("rdma_destroy_event_channel"), destructions());
    }

    @Test
    void shouldTakeTheDeviceUpAgainWhenItIsBack() {
        remove();
        manager.device.release();
        final int localKey = region.localKey();
        final int remoteKey = region.remoteKey();
        manager.isThere(false);
        assertFalse(manager.device.reopen());
        manager.isThere(true);

        assertTrue(manager.device.reopen());

        assertNotEquals(localKey, region.localKey());
        assertNotEquals(remoteKey, region.remoteKey());
        final int ids = manager.ids.size();
        manager.libraries.calls.clear();
        poll();
        assertTrue(manager.libraries.calls.contains("rdma_listen"), "the listener listens again");
        manager.request(manager.ids.get(ids));
        assertNotNull(listener.poll());
        manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, channel)).close();
        told.clear();
        manager.deliver(rdma_constants.RDMA_CM_EVENT_DEVICE_REMOVAL(), manager.ids.get(ids));
        poll();
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told, "another removal is told of, too");
        manager.device.release();
    }

    /** Descriptors that the library keeps open for itself are let go of when the device is found to be gone. */
    @Test
    void shouldFindThatABrokenDeviceIsGone() {
        remove();
        manager.device.release();
        manager.isThere(true);
        assertTrue(manager.device.reopen());
        // its identifiers are of another context than the device
        poll();
        manager.device.release();
        manager.isThere(false);

        assertFalse(manager.device.reopen());
    }

    /** The address of a network adapter comes later than the adapter. */
    @Test
    void shouldTellOnceThatItCannotListenAgainAndDoItLater() {
        remove();
        manager.device.release();
        manager.isThere(true);
        manager.libraries.answer("rdma_bind_addr", -1);
        assertTrue(manager.device.reopen());

        assertThrows(VerbsException.class, this::poll);
        poll();

        manager.libraries.answer("rdma_bind_addr", 0);
        manager.libraries.calls.clear();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!manager.libraries.calls.contains("rdma_listen") && System.nanoTime() - endNs < 0) {
            poll();
            Thread.onSpinWait();
        }
        assertTrue(manager.libraries.calls.contains("rdma_listen"));
    }

    @Test
    void shouldEndConnectionsWithTheDevice() {
        final Connection connection =
            manager.device.connect(ADDRESS, queuePair, new byte[0], TimeUnit.SECONDS.toNanos(10));
        manager.request(manager.ids.getFirst());
        final ConnectionRequest request = listener.poll();
        remove();

        manager.device.release();

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertEquals(Remedies.ENODEV,
            assertThrows(VerbsException.class, () -> request.accept(queuePair, new byte[0])).errno());
        manager.libraries.calls.clear();
        connection.close();
        assertEquals(List.of(), destructions());
    }

    /** An object made while the device goes would keep it. */
    @Test
    void shouldNotListenAgainBeforeTheDeviceIsBack() {
        remove();
        manager.libraries.answer("ibv_destroy_qp", arguments -> {
            poll();
            return 0;
        });

        manager.device.release();

        assertFalse(manager.libraries.calls.contains("rdma_listen"), manager.libraries.calls.toString());
    }

    /** A poller that waits for events all the time would keep the channel, and the device with it. */
    @Test
    void shouldReleaseAChannelThatAnotherThreadWaitsAt() throws InterruptedException {
        final Thread poller = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                channel.await(TimeUnit.SECONDS.toNanos(10));
            }
        });
        poller.start();
        try {
            remove();

            manager.device.release();

            assertTrue(manager.libraries.calls.contains("ibv_destroy_comp_channel"));
            assertTrue(poller.isAlive());
        } finally {
            poller.interrupt();
            poller.join();
        }
    }

    /** The kernel has taken it all: who asks afterwards is told EIO. */
    @Test
    void shouldReleaseADeviceThatAnswersNothingButErrors() {
        for (final String call : List.of("ibv_destroy_qp", "ibv_destroy_cq", "ibv_dereg_mr", "ibv_dealloc_pd")) {
            manager.libraries.answer(call, EIO);
        }
        remove();

        manager.device.release();

        assertTrue(manager.libraries.calls.contains("ibv_close_device"));
    }

    @Test
    void shouldTellWhatADeviceThatGoesRefusesAndReleaseTheRest() {
        manager.libraries.answer("ibv_destroy_qp", EBUSY);
        remove();

        final VerbsException e = assertThrows(VerbsException.class, () -> manager.device.release());

        assertTrue(e.getMessage().contains("ibv_destroy_qp"), e.getMessage());
        assertTrue(manager.libraries.calls.contains("ibv_close_device"));
    }

    @Test
    void shouldReleaseTheNextTimeWhatAThreadWasInsideOf() {
        remove();
        for (final Guard guard : List.of(queuePair.sendGuard, manager.queue.guard)) {
            guard.enter();
            assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, () -> manager.device.release()).errno());
            assertFalse(manager.libraries.calls.contains("ibv_close_device"));
            guard.leave();
        }

        manager.device.release();

        assertEquals(List.of("ibv_destroy_qp", "ibv_destroy_cq", "ibv_destroy_cq", "ibv_close_device"),
            destructions().stream().filter(call -> call.matches(".*(_qp|_cq|device)")).toList());
        manager.queue.close();
        queuePair.close();
        announcing.close();
        assertEquals(2, destructions().stream().filter(call -> call.equals("ibv_destroy_cq")).count());
    }

    /** The release alone can destroy the queue pair, else its completion queue and domain would keep the device. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReleaseAQueuePairWhoseCloseWasRefusedBefore(final boolean isThreadInside) {
        if (isThreadInside) {
            queuePair.sendGuard.enter();
        } else {
            manager.libraries.answer("ibv_destroy_qp", EBUSY);
        }
        assertThrows(VerbsException.class, queuePair::close);
        queuePair.sendGuard.leave();
        manager.libraries.answer("ibv_destroy_qp", Errno.OK);
        manager.libraries.calls.clear();
        remove();

        manager.device.release();

        assertEquals(List.of("ibv_destroy_qp", "ibv_destroy_cq", "ibv_destroy_cq", "ibv_close_device"),
            destructions().stream().filter(call -> call.matches(".*(_qp|_cq|device)")).toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReleaseACompletionQueueWhoseCloseWasRefusedBefore(final boolean isThreadInside) {
        queuePair.close();
        if (isThreadInside) {
            manager.queue.guard.enter();
        } else {
            manager.libraries.answer("ibv_destroy_cq", EBUSY);
        }
        assertThrows(VerbsException.class, manager.queue::close);
        manager.queue.guard.leave();
        manager.libraries.answer("ibv_destroy_cq", Errno.OK);
        manager.libraries.calls.clear();
        remove();

        manager.device.release();

        assertEquals(List.of("ibv_destroy_cq", "ibv_destroy_cq", "ibv_close_device"),
            destructions().stream().filter(call -> call.matches(".*(_qp|_cq|device)")).toList());
    }

    @Test
    void shouldReleaseASharedReceiveQueueWhoseCloseWasRefusedBefore() {
        final SharedReceiveQueue shared = manager.domain.createSharedReceiveQueue(1);
        manager.libraries.answer("ibv_destroy_srq", EBUSY);
        assertThrows(VerbsException.class, shared::close);
        manager.libraries.answer("ibv_destroy_srq", Errno.OK);
        manager.libraries.calls.clear();
        remove();

        manager.device.release();

        assertTrue(destructions().contains("ibv_destroy_srq"), destructions().toString());
    }

    /** A later try may find it whole. */
    @Test
    void shouldStayReleasedWhenARegionCannotBeRegisteredAgain() {
        remove();
        manager.device.release();
        manager.isThere(true);
        manager.libraries.answer("ibv_reg_mr", 0);
        manager.libraries.calls.clear();

        assertThrows(VerbsException.class, () -> manager.device.reopen());

        assertEquals(List.of("ibv_dealloc_pd", "ibv_close_device"), destructions());
        assertThrows(VerbsException.class, () -> manager.newQueuePair());
    }

    private void awaitToldOfRemoval() {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (told.isEmpty() && System.nanoTime() - endNs < 0) {
            poll();
            Thread.onSpinWait();
        }
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told);
    }

    @Test
    void shouldTellOfARemovalThatComesWhileTheDeviceIsTakenUpAgain() {
        remove();
        manager.device.release();
        told.clear();
        manager.isThere(true);
        manager.libraries.answer("ibv_reg_mr", arguments -> {
            manager.device.context().presence().onRemoved();
            return newRegion();
        });

        assertTrue(manager.device.reopen());

        assertThrows(VerbsException.class, () -> manager.newQueuePair());
        poll();
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told);
        manager.device.release();
        manager.libraries.answer("ibv_reg_mr", arguments -> newRegion());
        assertTrue(manager.device.reopen());
        poll();
        assertEquals(List.of(AsyncEventType.DEVICE_REMOVED), told, "only once");
    }

    private void reopenShownAt(final Path shown) {
        manager.isThere(true);
        manager.libraries.answer("ibv_open_device", arguments -> {
            final MemorySegment context = manager.context();
            final MemorySegment described = ibv_device.allocate(manager.libraries.arena);
            ibv_device.dev_path(described).setString(0, shown.toString());
            ibv_context.device(context, described);
            return context.address();
        });
        assertTrue(manager.device.reopen());
    }

    /** The kernel has shown it before: nothing else tells of it. */
    @Test
    void shouldNoticeADeviceThatWasGoneBeforeItWasLookedForWhereItIsShown(@TempDir final Path folder) {
        remove();
        manager.device.release();
        reopenShownAt(folder);
        told.clear();
        manager.device.context().presence().onRemoved();
        awaitToldOfRemoval();
        manager.device.release();
        told.clear();

        reopenShownAt(folder.resolve("gone"));

        awaitToldOfRemoval();
    }

    /** Events that nobody has acknowledged yet do not keep it. */
    @Test
    void shouldAcknowledgeWhatIsLeftOfTheEvents() {
        final long handle = ((VerbsCompletionQueue) announcing).handle;
        manager.libraries.answer("ibv_get_cq_event", arguments -> {
            ((MemorySegment) arguments[1]).reinterpret(Long.BYTES)
                .set(ValueLayout.JAVA_LONG, 0, handle);
            return 0;
        });
        assertEquals(announcing, channel.getEvent(0));
        remove();
        manager.libraries.calls.clear();

        manager.device.release();
        announcing.acknowledgeEvents(1);

        assertEquals(1, manager.libraries.calls.stream().filter("ibv_ack_cq_events"::equals).count());
        assertThrows(IllegalArgumentException.class, () -> announcing.acknowledgeEvents(1));
    }
}
