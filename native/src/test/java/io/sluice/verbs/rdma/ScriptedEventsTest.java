package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asynchronous events that the device tells while its calls fail. */
class ScriptedEventsTest extends ScriptedManagerTests {
    private static final int EIO = 5;

    private final List<AsyncEventType> told = new ArrayList<>();

    private void overrun() {
        raise(rdma_constants.IBV_EVENT_CQ_ERR(), manager.queue.handle);
    }

    /** The next poll finds one event. */
    private void raise(final int type, final long element) {
        final long[] elements = {element};
        manager.libraries.answer("ibv_get_async_event", arguments -> {
            if (elements[0] == 0) {
                return -1;
            }
            final MemorySegment event = ((MemorySegment) arguments[1]).reinterpret(ibv_async_event.sizeof());
            ibv_async_event.event_type(event, type);
            UnsafeApi.putLong(event.address() + ibv_async_event.element$offset(), elements[0]);
            elements[0] = 0;
            return 0;
        });
        SystemCalls.signal(UnsafeApi.getInt(manager.device.context().address() + ibv_context.async_fd$offset()));
    }

    private void poll() {
        manager.device.poll((type, queue, queuePair) -> told.add(type));
    }

    @Test
    void shouldTellOfACompletionQueueThatHasOverrunThoughItsQueuePairsCannotBeFailed() {
        final List<ReliableQueuePair> queuePairs = List.of(manager.newQueuePair(), manager.newQueuePair());
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        overrun();

        final VerbsException e = assertThrows(VerbsException.class, this::poll);

        assertEquals(EIO, e.errno());
        assertEquals(1, e.getSuppressed().length, "each queue pair was tried");
        assertEquals(List.of(AsyncEventType.CQ_ERR), told);

        manager.refuse(-1, 0);
        overrun();
        poll();
        queuePairs.forEach(queuePair -> assertEquals(QueuePairState.ERROR, queuePair.state()));
        assertEquals(4, Collections.frequency(manager.states, rdma_constants.IBV_QPS_ERR()));
    }

    /** The object may be destroyed from the acknowledgement on, and its address another one's. */
    @Test
    void shouldNotTellANewCompletionQueueOfTheEndOfAnother() {
        final VerbsCompletionQueue old = manager.queue;
        final List<CompletionQueue> created = new ArrayList<>();
        manager.libraries.answer("ibv_create_cq", old.handle);
        manager.libraries.answer("ibv_ack_async_event", arguments -> {
            old.close();
            created.add(manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, null)));
            return 0;
        });
        overrun();

        manager.device.poll((type, queue, queuePair) -> assertSame(old, queue));

        assertFalse(((VerbsCompletionQueue) created.getFirst()).isShut());
    }

    @Test
    void shouldNotTellANewQueuePairOfTheEndOfAnother() {
        final ReliableQueuePair old = manager.newQueuePair();
        manager.libraries.answer("ibv_create_qp", old.handle());
        manager.libraries.answer("ibv_ack_async_event", arguments -> {
            old.close();
            manager.newQueuePair();
            return 0;
        });
        raise(rdma_constants.IBV_EVENT_QP_FATAL(), old.handle());

        manager.device.poll((type, queue, queuePair) -> assertSame(old, queuePair));
    }

    @Test
    void shouldNotTellANewSharedReceiveQueueOfTheLimitOfAnother() {
        final VerbsSharedReceiveQueue old = (VerbsSharedReceiveQueue) manager.domain.createSharedReceiveQueue(1);
        final List<SharedReceiveQueue> reported = new ArrayList<>();
        manager.libraries.answer("ibv_create_srq", old.handle());
        manager.libraries.answer("ibv_ack_async_event", arguments -> {
            old.close();
            manager.domain.createSharedReceiveQueue(1);
            return 0;
        });
        raise(rdma_constants.IBV_EVENT_SRQ_LIMIT_REACHED(), old.handle());

        manager.device.poll(new AsyncEventHandler() {
            @Override
            public void onAsyncEvent(
                final AsyncEventType type, final CompletionQueue queue, final QueuePair queuePair) {
                told.add(type);
            }

            @Override
            public void onSharedReceiveQueueEvent(final AsyncEventType type, final SharedReceiveQueue queue) {
                reported.add(queue);
            }
        });

        assertEquals(List.of(old), reported);
        assertEquals(List.of(), told);
    }

    /** The port's number takes the first four bytes of what other events have a pointer in. */
    @ParameterizedTest
    @CsvSource({"9,PORT_ACTIVE", "10,PORT_ERR", "11,LID_CHANGE", "12,PKEY_CHANGE", "13,SM_CHANGE",
        "17,CLIENT_REREGISTER", "18,GID_CHANGE"})
    void shouldTellThePortOfAnEventOfIt(final int code, final AsyncEventType type) {
        final List<String> ports = new ArrayList<>();
        raise(code, 0x7fff_0000_0000L | 2);

        manager.device.poll(new AsyncEventHandler() {
            @Override
            public void onAsyncEvent(
                final AsyncEventType told, final CompletionQueue queue, final QueuePair queuePair) {
                ports.add("no port of " + told);
            }

            @Override
            public void onPortEvent(final AsyncEventType told, final int port) {
                ports.add(told + " " + port);
            }
        });

        assertEquals(List.of(type + " 2"), ports);
    }

    @ParameterizedTest
    @CsvSource({"6,PATH_MIG", "7,PATH_MIG_ERR", "8,DEVICE_FATAL", "9,PORT_ACTIVE", "18,GID_CHANGE", "19,WQ_FATAL",
        "20,OTHER", "-1,OTHER"})
    void shouldTellEventsByTheirNames(final int code, final AsyncEventType type) {
        raise(code, code == 6 || code == 7 ? manager.newQueuePair().handle() : 1);

        poll();

        assertEquals(List.of(type), told);
    }
}
