package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The verbs of the data path. They are {@code static inline} in the header and call function pointers, which differ by
 * device: so each shape of call is linked once, and the function comes as the first argument. Handles are constants to
 * the compiler; pointers are {@code long}s; nothing is allocated, and errors are results, so no errno is captured.
 * <p>
 * Calls that are short and never block are <i>critical</i>: the thread does not leave the Java state, which saves more
 * than half of the call (2.7 ns instead of 7.2), but a safepoint waits for it, and the function must not call Java.
 * Posting is critical where it writes to the device's memory, and not where it is a system call (soft-RoCE); arming
 * always is a system call there. With {@code -Dsluice.verbs.critical=false} none is, so that a test can fill tables of
 * function pointers with Java.
 */
final class HotCalls {
    /** Name of the system property. */
    static final String CRITICAL_PROP_NAME = "sluice.verbs.critical";

    private static final boolean IS_CRITICAL = !"false".equals(System.getProperty(CRITICAL_PROP_NAME));
    private static final FunctionDescriptor INT_OF_POINTER = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor INT_OF_THREE =
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle POLL_CQ =
        critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle START_POLL = critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READ_INT = critical(INT_OF_POINTER);
    private static final MethodHandle READ_LONG = critical(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle END_POLL = critical(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle READ_STRUCT = critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POST = critical(INT_OF_THREE);
    private static final MethodHandle POST_BLOCKING = link(INT_OF_THREE);
    private static final MethodHandle REQUEST_NOTIFY =
        link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private HotCalls() {
    }

    static boolean isCritical() {
        return IS_CRITICAL;
    }

    static MethodHandle critical(final FunctionDescriptor descriptor) {
        return IS_CRITICAL ? link(descriptor, Linker.Option.critical(false)) : link(descriptor);
    }

    static MethodHandle link(final FunctionDescriptor descriptor, final Linker.Option... options) {
        try {
            final MethodHandle toSegment = MethodHandles.publicLookup().findStatic(
                MemorySegment.class, "ofAddress", MethodType.methodType(MemorySegment.class, long.class));
            return MethodHandles.filterArguments(
                NativeLibraries.linker().downcallHandle(descriptor, options), 0, toSegment);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** {@code ibv_poll_cq}: completions written, or negative on an error. */
    static int pollCq(final long function, final long queue, final int count, final long completions) {
        try {
            return (int) POLL_CQ.invokeExact(function, queue, count, completions);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_start_poll}: 0, ENOENT, EBUSY or another error number. */
    static int startPoll(final long function, final long queue, final long attributes) {
        try {
            return (int) START_POLL.invokeExact(function, queue, attributes);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_next_poll}, and readers of up to 32 bits: of narrower ones the upper bits are garbage. */
    static int callInt(final long function, final long queue) {
        try {
            return (int) READ_INT.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** Readers of 64 bits. */
    static long callLong(final long function, final long queue) {
        try {
            return (long) READ_LONG.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** Readers of more than 64 bits. */
    static void read(final long function, final long queue, final long result) {
        try {
            READ_STRUCT.invokeExact(function, queue, result);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_end_poll}. */
    static void endPoll(final long function, final long queue) {
        try {
            END_POLL.invokeExact(function, queue);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_post_send} and {@code ibv_post_recv} that write to the device: 0 or an error number. */
    static int post(final long function, final long queuePair, final long work, final long bad) {
        try {
            return (int) POST.invokeExact(function, queuePair, work, bad);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_post_send} that is a system call: 0 or an error number. */
    static int postBlocking(final long function, final long queuePair, final long work, final long bad) {
        try {
            return (int) POST_BLOCKING.invokeExact(function, queuePair, work, bad);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** {@code ibv_req_notify_cq}: 0 or an error number. */
    static int requestNotify(final long function, final long queue, final int solicitedOnly) {
        try {
            return (int) REQUEST_NOTIFY.invokeExact(function, queue, solicitedOnly);
        } catch (final Throwable t) {
            throw bug(t);
        }
    }

    /** Handles throw nothing of their own. */
    static AssertionError bug(final Throwable t) {
        return new AssertionError(t);
    }
}
