package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

/** What the device tells by asynchronous events, while its calls fail. */
class ScriptedEventsTest extends ScriptedManagerTests {
    private static final int EIO = 5;

    private final List<AsyncEventType> told = new ArrayList<>();
    private void overrun() {
        final long[] elements = {manager.queue.handle};
        manager.libraries.answer("ibv_get_async_event", arguments -> {
            if (elements[0] == 0) {
                return -1;
            }
            final MemorySegment event = ((MemorySegment) arguments[1]).reinterpret(ibv_async_event.sizeof());
            ibv_async_event.event_type(event, rdma_constants.IBV_EVENT_CQ_ERR());
            UnsafeApi.putLong(event.address() + ibv_async_event.element$offset(), elements[0]);
            elements[0] = 0;
            return 0;
        });
        SystemCalls.signal(UnsafeApi.getInt(manager.device.context() + ibv_context.async_fd$offset()));
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
}
