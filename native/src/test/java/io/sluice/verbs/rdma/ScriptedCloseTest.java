package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_qp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects closed while another thread is in a call that uses them: none is freed before that call has returned. */
class ScriptedCloseTest extends ScriptedManagerTests {
    private static final long PATIENCE_S = 60;
    /** Length of any of the scripted objects. */
    private static final long CREATED_LENGTH = 1024;

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final CountDownLatch inCall = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    /** Stays in a scripted call: the other thread begins now, and this one returns when that waits. */
    private long stay(final long result) {
        inCall.countDown();
        try {
            if (!mayReturn.await(PATIENCE_S, TimeUnit.SECONDS)) {
                steps.add("given up");
            }
        } catch (final InterruptedException e) {
            steps.add("interrupted");
        }
        steps.add("returned");
        return result;
    }

    private long note(final String step) {
        steps.add(step);
        return Errno.OK;
    }

    private void runBoth(final Runnable first, final Runnable second) throws InterruptedException {
        final Thread user = new Thread(first);
        user.start();
        inCall.await();
        final Thread closer = new Thread(second);
        closer.start();
        while (closer.getState() == Thread.State.RUNNABLE || closer.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        mayReturn.countDown();
        user.join();
        closer.join();
    }

    @Test
    void shouldNotFreeADomainWhileAQueuePairIsCreatedInIt() throws InterruptedException {
        final VerbsCompletionQueue queue = queue();
        final ProtectionDomain domain = manager.device.allocateProtectionDomain();
        final long queuePair = ibv_qp.allocate(manager.libraries.arena).address();
        manager.libraries.answer("ibv_create_qp", arguments -> stay(queuePair));
        manager.libraries.answer("ibv_dealloc_pd", arguments -> note("freed"));
        final QueuePairAttributes attributes =
            new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0);

        runBoth(() -> domain.createQueuePair(attributes), domain::close);

        assertEquals(List.of("returned", "freed"), steps);
        final VerbsException e = assertThrows(VerbsException.class, () -> domain.createQueuePair(attributes));
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals(List.of("returned", "freed"), steps, "not asked for another one");
    }

    @Test
    void shouldNotFreeADeviceThatIsPolled() throws InterruptedException {
        manager.closeObjects();
        SystemCalls.signal(UnsafeApi.getInt(manager.device.context().address() + ibv_context.async_fd$offset()));
        manager.libraries.answer("ibv_get_async_event", arguments -> stay(-1));
        manager.libraries.answer("ibv_close_device", arguments -> note("freed"));

        runBoth(this::poll, manager.device::close);

        assertEquals(List.of("returned", "freed"), steps);
        poll();
        assertEquals(1, Collections.frequency(manager.libraries.calls, "ibv_get_async_event"));
    }

    private void poll() {
        manager.device.poll((type, queue, queuePair) -> steps.add(type.name()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_alloc_pd", "ibv_create_comp_channel", "ibv_create_cq"})
    void shouldNotFreeADeviceWhileSomethingIsCreatedFromIt(final String call) throws InterruptedException {
        manager.closeObjects();
        final long created = manager.libraries.arena.allocate(CREATED_LENGTH, Long.BYTES).address();
        UnsafeApi.putInt(created + ibv_comp_channel.fd$offset(), manager.completionDescriptor);
        manager.libraries.answer(call, arguments -> stay(created));
        manager.libraries.answer("ibv_close_device", arguments -> note("freed"));

        runBoth(() -> {
            switch (call) {
                case "ibv_alloc_pd" -> manager.device.allocateProtectionDomain();
                case "ibv_create_cq" -> queue();
                default -> manager.device.createCompletionChannel();
            }
        }, () -> assertThrows(VerbsException.class, manager.device::close));

        assertEquals(List.of("returned"), steps);
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, manager.device::close).errno());
    }

    @Test
    void shouldListenAndConnectNoMoreWhenTheDeviceIsClosed() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        queuePair.close();
        manager.closeObjects();
        manager.device.close();
        manager.libraries.calls.clear();

        assertEquals(Errno.EINVAL,
            assertThrows(VerbsException.class, () -> manager.device.listen("127.0.0.1:40123", 1)).errno());
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> manager.device.connect("127.0.0.1:40123", queuePair, new byte[0], 1)).errno());
        assertEquals(List.of(), manager.libraries.calls);
    }

    @Test
    void shouldStayOpenWhenTheDeviceRefusesToBeClosed() {
        manager.closeObjects();
        manager.libraries.answer("ibv_close_device", Errno.EBUSY);

        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, manager.device::close).errno());
        manager.device.allocateProtectionDomain().close();
        manager.libraries.answer("ibv_close_device", Errno.OK);
        manager.device.close();
        assertThrows(VerbsException.class, manager.device::allocateProtectionDomain);
    }

    @Test
    void shouldAcknowledgeAnEventOnceThoughTwoThreadsDoAtOnce() throws InterruptedException {
        final VerbsCompletionQueue queue = queue();
        queue.onEvent();
        manager.libraries.answer("ibv_ack_cq_events", arguments -> stay(Errno.OK));

        runBoth(() -> queue.acknowledgeEvents(1),
            () -> assertThrows(IllegalArgumentException.class, () -> queue.acknowledgeEvents(1)));

        assertEquals(List.of("returned"), steps);
        queue.close();
    }

    /** The lock that a provider takes in ibv_start_poll and ibv_destroy_qp is the same. */
    @Test
    void shouldNotDestroyAQueuePairWithinABatchOfItsThread() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        final VerbsCompletionQueue sends = queue();
        final VerbsCompletionQueue receives = queue();
        final QueuePair queuePair = manager.domain.createQueuePair(
            new QueuePairAttributes(sends, receives, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
        manager.libraries.answer("ibv_poll_cq", 1);
        manager.libraries.calls.clear();
        for (final VerbsCompletionQueue polled : List.of(sends, receives)) {
            assertEquals(Errno.OK, polled.startPoll());
            assertThrows(IllegalStateException.class, queuePair::close);
            polled.endPoll();
        }
        assertFalse(manager.libraries.calls.contains("ibv_destroy_qp"));

        queuePair.close();
        assertEquals(Errno.OK, sends.startPoll());
        queuePair.close();
        sends.endPoll();
        assertEquals(1, Collections.frequency(manager.libraries.calls, "ibv_destroy_qp"), "closed once");
    }

    @Test
    void shouldCloseAgainWhatAThreadWasInsideOf() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        assertKept(queuePair.sendGuard, queuePair::close, "ibv_destroy_qp");
        assertKept(manager.queue.guard, manager.queue::close, "ibv_destroy_cq");
    }

    /** The library may give the memory of one that it has destroyed to the next, before the destruction returns. */
    @Test
    void shouldKnowAQueuePairThatIsMadeWhereAnotherWas() {
        final ReliableQueuePair first = manager.newQueuePair();
        final List<ReliableQueuePair> second = new ArrayList<>();
        manager.libraries.answer("ibv_create_qp", first.handle());
        manager.libraries.answer("ibv_destroy_qp", arguments -> {
            manager.libraries.answer("ibv_destroy_qp", Errno.OK);
            second.add(manager.newQueuePair());
            return Errno.OK;
        });

        first.close();

        assertSame(second.getFirst(), manager.device.queuePairs().find(first.handle()));
        second.getFirst().close();
        assertNull(manager.device.queuePairs().find(first.handle()));
    }

    /** An event of it comes late: nobody is to be told of what is as good as gone. */
    @Test
    void shouldNotFindAQueuePairThatIsBeingClosed() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final List<VerbsQueuePair> found = new ArrayList<>();
        manager.libraries.answer("ibv_destroy_qp", arguments -> {
            found.add(manager.device.queuePairs().find(queuePair.handle()));
            return Errno.OK;
        });

        queuePair.close();

        assertEquals(1, found.size());
        assertNull(found.getFirst());
    }

    @Test
    void shouldNotFindACompletionQueueThatIsBeingClosed() {
        final VerbsCompletionQueue closing = queue();
        assertSame(closing, manager.device.completionQueues().find(closing.handle));
        final List<VerbsCompletionQueue> found = new ArrayList<>();
        manager.libraries.answer("ibv_destroy_cq", arguments -> {
            found.add(manager.device.completionQueues().find(closing.handle));
            return Errno.OK;
        });

        closing.close();

        assertEquals(1, found.size());
        assertNull(found.getFirst());
    }

    /** The library may give its memory to the next one before the destruction returns. */
    @Test
    void shouldKnowACompletionQueueThatIsMadeWhereAnotherWas() {
        final VerbsCompletionQueue first = queue();
        final List<VerbsCompletionQueue> second = new ArrayList<>();
        manager.libraries.answer("ibv_create_cq", first.handle);
        manager.libraries.answer("ibv_destroy_cq", arguments -> {
            manager.libraries.answer("ibv_destroy_cq", Errno.OK);
            second.add(queue());
            return Errno.OK;
        });

        first.close();

        assertSame(second.getFirst(), manager.device.completionQueues().find(first.handle));
    }

    private void assertKept(final Guard guard, final Runnable close, final String call) {
        manager.libraries.calls.clear();
        guard.enter();
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, close::run).errno());
        assertFalse(manager.libraries.calls.contains(call));

        guard.leave();
        close.run();
        assertTrue(manager.libraries.calls.contains(call));
    }

    private VerbsCompletionQueue queue() {
        return (VerbsCompletionQueue) manager.device.createCompletionQueue(new CompletionQueueAttributes(8, 0, null));
    }
}
