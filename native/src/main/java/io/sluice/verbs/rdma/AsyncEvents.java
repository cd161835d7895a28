package io.sluice.verbs.rdma;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import io.sluice.verbs.rdma.generated.ibv_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.UnsafeApi;

/**
 * The asynchronous events of a device; one thread at a time delivers them. That a completion queue was given up is one,
 * too.
 */
final class AsyncEvents {
    /** Events delivered at a time, so that a flood does not keep the caller. */
    private static final int BATCH = 64;
    private static final long ELEMENT = ibv_async_event.element$offset();
    private static final AsyncEventType[] TYPES = {
        AsyncEventType.CQ_ERR, AsyncEventType.QP_FATAL, AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_ACCESS_ERR,
        AsyncEventType.COMM_EST, AsyncEventType.SQ_DRAINED, AsyncEventType.PATH_MIG, AsyncEventType.PATH_MIG_ERR,
        AsyncEventType.DEVICE_FATAL, AsyncEventType.PORT_ACTIVE, AsyncEventType.PORT_ERR, AsyncEventType.LID_CHANGE,
        AsyncEventType.PKEY_CHANGE, AsyncEventType.SM_CHANGE, AsyncEventType.SRQ_ERR, AsyncEventType.SRQ_LIMIT_REACHED,
        AsyncEventType.QP_LAST_WQE_REACHED, AsyncEventType.CLIENT_REREGISTER, AsyncEventType.GID_CHANGE,
        AsyncEventType.WQ_FATAL
    };
    /** Events whose element is a completion queue, the only one. */
    private static final int CQ_ERR = 0;
    /** Events whose element is a queue pair: 1 to 7, and the last. */
    private static final int LAST_QUEUE_PAIR_EVENT = 7;
    private static final int QP_LAST_WQE_REACHED = 16;
    /** Events after which a queue pair is in the ERROR state, and some devices cannot be asked for it. */
    private static final Set<AsyncEventType> FATAL =
        EnumSet.of(AsyncEventType.QP_FATAL, AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_ACCESS_ERR);
    /** Events whose element is a shared receive queue. */
    private static final int SRQ_ERR = 14;
    private static final int SRQ_LIMIT_REACHED = 15;

    private final DeviceContext device;
    private final QueuePairTable queuePairs;
    private final CompletionQueueTable completionQueues;
    /** Queues by their addresses. */
    private final Map<Long, VerbsSharedReceiveQueue> sharedReceiveQueues;
    private volatile MemorySegment descriptor;
    private final Queue<VerbsCompletionQueue> givenUp = new ConcurrentLinkedQueue<>();

    /**
     * Events of a device.
     *
     * @param sharedReceiveQueues by their addresses.
     */
    AsyncEvents(
        final DeviceContext device,
        final QueuePairTable queuePairs,
        final CompletionQueueTable completionQueues,
        final Map<Long, VerbsSharedReceiveQueue> sharedReceiveQueues) {
        this.device = device;
        this.queuePairs = queuePairs;
        this.completionQueues = completionQueues;
        this.sharedReceiveQueues = sharedReceiveQueues;
    }

    /** Opens the events of the context that the device has from now on. */
    void open() {
        final int number = UnsafeApi.getInt(device.address() + ibv_context.async_fd$offset());
        SystemCalls.setNonBlocking(number);
        descriptor = SystemCalls.pollRecords(number);
    }

    /** Gives a queue up: no thread polls it any more, as if it had overrun. Any thread. */
    void giveUp(final VerbsCompletionQueue queue) {
        if (!queue.isShut()) {
            queue.onOverrun();
            givenUp.add(queue);
        }
    }

    /** Deliver what the device does not tell of. */
    int deliverGivenUp(final AsyncEventHandler handler) {
        final VerbsCompletionQueue queue = givenUp.poll();
        if (queue == null) {
            return 0;
        }
        deliver(AsyncEventType.CQ_ERR, queue.isClosing() ? null : queue, handler);
        return 1;
    }

    /** Deliver what is there; the descriptor does not block. */
    int deliver(final AsyncEventHandler handler) {
        if (!SystemCalls.await(descriptor, 0)) {
            return 0;
        }
        int delivered = 0;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment event = ibv_async_event.allocate(arena);
            while (delivered < BATCH && device.verbs().getAsyncEvent.invoke(device.address(), event).value() == 0) {
                take(event).deliver(handler);
                delivered++;
            }
        }
        return delivered;
    }

    /**
     * Look up the object of an event before the event is acknowledged, while the object cannot be destroyed: after that
     * its address may be another one's. The event is acknowledged before it is delivered, since a handler may wait for
     * the end of the object.
     */
    private Taken take(final MemorySegment event) {
        final int type = ibv_async_event.event_type(event);
        final long element = UnsafeApi.getLong(event.address() + ELEMENT);
        final Taken taken = find(type, element);
        device.verbs().ackAsyncEvent.invoke(event);
        return taken;
    }

    private Taken find(final int type, final long element) {
        final AsyncEventType known = type >= 0 && type < TYPES.length ? TYPES[type] : AsyncEventType.OTHER;
        if (type == SRQ_ERR || type == SRQ_LIMIT_REACHED) {
            final VerbsSharedReceiveQueue shared = sharedReceiveQueue(element);
            return handler -> {
                if (shared != null) {
                    handler.onSharedReceiveQueueEvent(known, shared);
                }
            };
        }
        if (type == CQ_ERR) {
            final VerbsCompletionQueue queue = completionQueues.find(element);
            return handler -> deliver(known, queue, handler);
        }
        if (type > CQ_ERR && type <= LAST_QUEUE_PAIR_EVENT || type == QP_LAST_WQE_REACHED) {
            final VerbsQueuePair queuePair = queuePairs.find(element);
            return handler -> deliver(known, queuePair, handler);
        }
        if (known.isOfPort()) {
            // of the union only these bytes are written: the rest is what the pointer of an earlier event left
            final int port = (int) element;
            return handler -> handler.onPortEvent(known, port);
        }
        if (known == AsyncEventType.DEVICE_FATAL) {
            device.presence().onBroken();
        }
        return handler -> handler.onAsyncEvent(known, null, null);
    }

    /** The shared receive queue of an event; null for one that is being closed. */
    private VerbsSharedReceiveQueue sharedReceiveQueue(final long handle) {
        final VerbsSharedReceiveQueue found = sharedReceiveQueues.get(handle);
        return found == null || found.isShut() ? null : found;
    }

    /** Delivers an event of a queue: one that is being closed is not found, and nobody's to be told of. */
    private void deliver(
        final AsyncEventType type, final VerbsCompletionQueue queue, final AsyncEventHandler handler) {
        if (queue != null) {
            try {
                queuePairs.failThoseOf(queue);
            } finally {
                // also when the device refuses: it is told once
                handler.onAsyncEvent(type, queue, null);
            }
        }
    }

    /** Delivers an event of a queue pair: one that is being closed is not found, and nobody is told of it. */
    private void deliver(
        final AsyncEventType type, final VerbsQueuePair queuePair, final AsyncEventHandler handler) {
        if (queuePair != null) {
            try {
                if (FATAL.contains(type)) {
                    queuePair.onFatalEvent();
                }
                queuePairs.examination().ask(List.of(queuePair));
            } finally {
                handler.onAsyncEvent(type, null, queuePair);
            }
        }
    }

    /** An event whose object was found, or not. */
    private interface Taken {
        void deliver(AsyncEventHandler handler);
    }
}
