package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.foreign.DataPathLinker;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The verbs of the data path, linked by {@link DataPathLinker}. They are {@code static inline} in the header and call
 * function pointers, which differ by device, so the function comes as the first argument. The functions about events,
 * which wake a thread, are the library's.
 * <p>
 * Posting is critical where it writes to the device's memory, and not where it is a system call (soft-RoCE); arming
 * always is a system call there.
 */
final class HotCalls {
    private static final FunctionDescriptor INT_OF_POINTER = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor INT_OF_THREE =
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle POLL_CQ =
        DataPathLinker.critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle POLL_CQ_BLOCKING =
        DataPathLinker.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle START_POLL =
        DataPathLinker.critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READ_INT = DataPathLinker.critical(INT_OF_POINTER);
    private static final MethodHandle READ_LONG = DataPathLinker.critical(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle END_POLL = DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle READ_STRUCT =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POST = DataPathLinker.critical(INT_OF_THREE);
    private static final MethodHandle POST_BLOCKING = DataPathLinker.link(INT_OF_THREE);
    private static final MethodHandle REQUEST_NOTIFY =
        DataPathLinker.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    /** The call that takes an event from a channel: a failure leaves its number in errno only. */
    private static final MethodHandle GET_CQ_EVENT = DataPathLinker.link(
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), Linker.Option.captureCallState("errno"));
    private static final MethodHandle ACK_CQ_EVENTS =
        DataPathLinker.link(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURE.varHandle(PathElement.groupElement("errno"));

    private HotCalls() {
    }

    /** Memory for the error number of {@link #getCqEvent}. */
    static MemorySegment newCapture() {
        return Arena.ofAuto().allocate(CAPTURE);
    }

    /** Calls {@code ibv_get_cq_event}: 0, or else {@link #errno} tells why. */
    static int getCqEvent(
        final long function, final MemorySegment capture, final long channel, final long queue, final long context) {
        try {
            return (int) GET_CQ_EVENT.invokeExact(function, capture, channel, queue, context);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Error number of the call that failed. */
    static int errno(final MemorySegment capture) {
        return (int) ERRNO.get(capture, 0L);
    }

    /** Calls {@code ibv_ack_cq_events}. */
    static void acknowledgeEvents(final long function, final long queue, final int count) {
        try {
            ACK_CQ_EVENTS.invokeExact(function, queue, count);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_poll_cq}: completions written, or negative on an error. */
    static int pollCq(final long function, final long queue, final int count, final long completions) {
        try {
            return (int) POLL_CQ.invokeExact(function, queue, count, completions);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_poll_cq} by a plain call, for a device where it may be a system call. */
    static int pollCqBlocking(final long function, final long queue, final int count, final long completions) {
        try {
            return (int) POLL_CQ_BLOCKING.invokeExact(function, queue, count, completions);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_start_poll}: 0, ENOENT, EBUSY or another error number. */
    static int startPoll(final long function, final long queue, final long attributes) {
        try {
            return (int) START_POLL.invokeExact(function, queue, attributes);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_next_poll}, and readers of up to 32 bits: of narrower ones the upper bits are garbage. */
    static int callInt(final long function, final long queue) {
        try {
            return (int) READ_INT.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Readers of 64 bits. */
    static long callLong(final long function, final long queue) {
        try {
            return (long) READ_LONG.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Readers of more than 64 bits. */
    static void read(final long function, final long queue, final long result) {
        try {
            READ_STRUCT.invokeExact(function, queue, result);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_end_poll}. */
    static void endPoll(final long function, final long queue) {
        try {
            END_POLL.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_post_send} and {@code ibv_post_recv} that write to the device: 0 or an error number. */
    static int post(final long function, final long queuePair, final long work, final long bad) {
        try {
            return (int) POST.invokeExact(function, queuePair, work, bad);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_post_send} and {@code ibv_post_recv} that may be a system call: 0 or an error number. */
    static int postBlocking(final long function, final long queuePair, final long work, final long bad) {
        try {
            return (int) POST_BLOCKING.invokeExact(function, queuePair, work, bad);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_req_notify_cq}: 0 or an error number. */
    static int requestNotify(final long function, final long queue, final int solicitedOnly) {
        try {
            return (int) REQUEST_NOTIFY.invokeExact(function, queue, solicitedOnly);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }
}
