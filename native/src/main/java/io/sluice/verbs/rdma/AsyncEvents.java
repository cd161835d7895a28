package io.sluice.verbs.rdma;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** The asynchronous events of a device; one thread at a time. */
final class AsyncEvents {
    /** Events delivered at a time, so that a flood does not keep the caller. */
    private static final int BATCH = 64;
    private static final long ELEMENT = ibv_async_event.element$offset();
    private static final AsyncEventType[] TYPES = {
        AsyncEventType.CQ_ERR, AsyncEventType.QP_FATAL, AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_ACCESS_ERR,
        AsyncEventType.COMM_EST, AsyncEventType.SQ_DRAINED, AsyncEventType.OTHER, AsyncEventType.OTHER,
        AsyncEventType.DEVICE_FATAL, AsyncEventType.PORT_ACTIVE, AsyncEventType.PORT_ERR, AsyncEventType.OTHER,
        AsyncEventType.OTHER, AsyncEventType.OTHER, AsyncEventType.SRQ_ERR, AsyncEventType.SRQ_LIMIT_REACHED,
        AsyncEventType.QP_LAST_WQE_REACHED
    };
    /** Events whose element is a completion queue, the only one. */
    private static final int CQ_ERR = 0;
    /** Events whose element is a queue pair: 1 to 7, and the last. */
    private static final int LAST_QUEUE_PAIR_EVENT = 7;
    private static final int QP_LAST_WQE_REACHED = 16;
    /** Events whose element is a shared receive queue. */
    private static final int SRQ_ERR = 14;
    private static final int SRQ_LIMIT_REACHED = 15;

    private final VerbsDevice device;

    AsyncEvents(final VerbsDevice device) {
        this.device = device;
    }

    /** Deliver what is there; the descriptor must not block. */
    int deliver(final AsyncEventHandler handler) {
        int delivered = 0;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment event = ibv_async_event.allocate(arena);
            while (delivered < BATCH && device.verbs().getAsyncEvent.invoke(device.context(), event).value() == 0) {
                final int type = ibv_async_event.event_type(event);
                final long element = UnsafeApi.getLong(event.address() + ELEMENT);
                // At once: an object cannot be destroyed while one of its events is not acknowledged.
                device.verbs().ackAsyncEvent.invoke(event);
                deliver(type, element, handler);
                delivered++;
            }
        }
        return delivered;
    }

    private void deliver(final int type, final long element, final AsyncEventHandler handler) {
        final AsyncEventType known = type >= 0 && type < TYPES.length ? TYPES[type] : AsyncEventType.OTHER;
        if (type == SRQ_ERR || type == SRQ_LIMIT_REACHED) {
            final VerbsSharedReceiveQueue shared = device.sharedReceiveQueue(element);
            if (shared != null) {
                handler.onSharedReceiveQueueEvent(known, shared);
            }
            return;
        }
        VerbsCompletionQueue queue = null;
        VerbsQueuePair queuePair = null;
        if (type == CQ_ERR) {
            queue = device.completionQueue(element);
            if (queue == null) {
                return;
            }
        } else if (type > CQ_ERR && type <= LAST_QUEUE_PAIR_EVENT || type == QP_LAST_WQE_REACHED) {
            queuePair = device.queuePair(element);
            if (queuePair == null) {
                return;
            }
        }
        try {
            if (queue != null) {
                device.failQueuePairsOf(queue);
            } else if (queuePair != null) {
                queuePair.examine();
            }
        } finally {
            // also when the device refuses: it is told once
            handler.onAsyncEvent(known, queue, queuePair);
        }
    }
}
