package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.foreign.DataPathLinker;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The verbs of {@code ibv_qp_ex}, linked as {@link HotCalls} are. */
final class BuilderCalls {
    private static final MethodHandle START = DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle START_BLOCKING = DataPathLinker.link(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle SEND_WITH_IMMEDIATE =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITE =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle FOUR =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SET_INLINE =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FETCH_ADD =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle COMPARE_SWAP =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SET_ADDRESS =
        DataPathLinker.critical(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle COMPLETE = DataPathLinker.critical(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle COMPLETE_BLOCKING =
        DataPathLinker.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    private BuilderCalls() {
    }

    /**
     * Calls {@code ibv_wr_start}, which takes the lock of the send queue: another thread may have it in a system call.
     */
    static void start(final long function, final long queuePair, final boolean isPlain) {
        if (!isPlain) {
            start(function, queuePair);
            return;
        }
        try {
            START_BLOCKING.invokeExact(function, queuePair);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_start} and {@code ibv_wr_send}. */
    static void start(final long function, final long queuePair) {
        try {
            START.invokeExact(function, queuePair);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_send_imm}. */
    static void sendWithImmediate(final long function, final long queuePair, final int immediate) {
        try {
            SEND_WITH_IMMEDIATE.invokeExact(function, queuePair, immediate);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_rdma_write} and {@code ibv_wr_rdma_read}. */
    static void write(final long function, final long queuePair, final int remoteKey, final long remoteAddress) {
        try {
            WRITE.invokeExact(function, queuePair, remoteKey, remoteAddress);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_rdma_write_imm}: key, address, immediate; {@code ibv_wr_set_sge}: key, address, length. */
    static void four(
        final long function, final long queuePair, final int key, final long address, final int last) {
        try {
            FOUR.invokeExact(function, queuePair, key, address, last);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_atomic_fetch_add}. */
    static void fetchAdd(
        final long function, final long queuePair, final int remoteKey, final long remoteAddress, final long addend) {
        try {
            FETCH_ADD.invokeExact(function, queuePair, remoteKey, remoteAddress, addend);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_atomic_cmp_swp}. */
    static void compareSwap(
        final long function,
        final long queuePair,
        final int remoteKey,
        final long remoteAddress,
        final long expected,
        final long replacement) {
        try {
            COMPARE_SWAP.invokeExact(function, queuePair, remoteKey, remoteAddress, expected, replacement);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_set_ud_addr}. */
    static void setAddress(
        final long function, final long queuePair, final long handle, final int number, final int queueKey) {
        try {
            SET_ADDRESS.invokeExact(function, queuePair, handle, number, queueKey);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_set_inline_data}. */
    static void setInline(final long function, final long queuePair, final long address, final long length) {
        try {
            SET_INLINE.invokeExact(function, queuePair, address, length);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_complete} that writes to the device: 0 or an error number. */
    static int complete(final long function, final long queuePair) {
        try {
            return (int) COMPLETE.invokeExact(function, queuePair);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code ibv_wr_complete} that is a system call: 0 or an error number. */
    static int completeBlocking(final long function, final long queuePair) {
        try {
            return (int) COMPLETE_BLOCKING.invokeExact(function, queuePair);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }
}
