package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of librpma's data path. Pointers are {@code long}s, nothing is allocated, and errors are results. Each
 * shape of call is linked once and takes the function first, so that handles are constants to the compiler.
 * <p>
 * No call is <i>critical</i>, as {@code ibv_poll_cq} is: the library may log in each of them, and the log's function is
 * Java, which a critical call must not come to.
 */
final class RpmaCalls {
    private static final MethodHandle GET_WC = link(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POINTER = link(JAVA_LONG);
    private static final MethodHandle CONN_WAIT = link(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    /** Calls {@code rpma_send} and {@code rpma_atomic_write}, whose arguments have the same types. */
    private static final MethodHandle SEND =
        link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    /** Calls {@code rpma_send_with_imm} and {@code rpma_flush}, whose arguments have the same types. */
    private static final MethodHandle SEND_WITH_IMM =
        link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECV = link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MOVE =
        link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MOVE_WITH_IMM =
        link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);

    private final long getWc;
    private final long cqWait;
    private final long connWait;
    private final long send;
    private final long sendWithImm;
    private final long recv;
    private final long srqRecv;
    private final long connReqRecv;
    private final long read;
    private final long write;
    private final long writeWithImm;
    private final long atomicWrite;
    private final long flush;

    RpmaCalls(final NativeLibraries libraries) {
        getWc = libraries.find("rpma_cq_get_wc").address();
        cqWait = libraries.find("rpma_cq_wait").address();
        connWait = libraries.find("rpma_conn_wait").address();
        send = libraries.find("rpma_send").address();
        sendWithImm = libraries.find("rpma_send_with_imm").address();
        recv = libraries.find("rpma_recv").address();
        srqRecv = libraries.find("rpma_srq_recv").address();
        connReqRecv = libraries.find("rpma_conn_req_recv").address();
        read = libraries.find("rpma_read").address();
        write = libraries.find("rpma_write").address();
        writeWithImm = libraries.find("rpma_write_with_imm").address();
        atomicWrite = libraries.find("rpma_atomic_write").address();
        flush = libraries.find("rpma_flush").address();
    }

    private static MethodHandle link(final MemoryLayout... arguments) {
        return DataPathLinker.link(FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** Calls {@code rpma_cq_get_wc}: 0 or an error; the count goes to {@code got}, which may be 0 for one only. */
    int getWc(final long queue, final int limit, final long completions, final long got) {
        try {
            return (int) GET_WC.invokeExact(getWc, queue, limit, completions, got);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_cq_wait}. */
    int cqWait(final long queue) {
        try {
            return (int) POINTER.invokeExact(cqWait, queue);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /**
     * Calls {@code rpma_conn_wait}: the queue goes to {@code queue}, whether it is for receives to {@code isReceive}.
     */
    int connWait(final long connection, final long queue, final long isReceive) {
        try {
            return (int) CONN_WAIT.invokeExact(connWait, connection, 0, queue, isReceive);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_send}. */
    int send(
        final long connection,
        final long source,
        final long offset,
        final long length,
        final int flags,
        final long id) {
        try {
            return (int) SEND.invokeExact(send, connection, source, offset, length, flags, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_send_with_imm}. */
    int sendWithImm(
        final long connection,
        final long source,
        final long offset,
        final long length,
        final int flags,
        final int immediate,
        final long id) {
        try {
            return (int) SEND_WITH_IMM.invokeExact(
                sendWithImm, connection, source, offset, length, flags, immediate, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_recv}. */
    int recv(final long connection, final long destination, final long offset, final long length, final long id) {
        return recv(recv, connection, destination, offset, length, id);
    }

    /** Calls {@code rpma_srq_recv}. */
    int srqRecv(final long queue, final long destination, final long offset, final long length, final long id) {
        return recv(srqRecv, queue, destination, offset, length, id);
    }

    /** Calls {@code rpma_conn_req_recv}. */
    int connReqRecv(final long request, final long destination, final long offset, final long length, final long id) {
        return recv(connReqRecv, request, destination, offset, length, id);
    }

    private static int recv(
        final long function,
        final long object,
        final long destination,
        final long offset,
        final long length,
        final long id) {
        try {
            return (int) RECV.invokeExact(function, object, destination, offset, length, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_read}. */
    int read(
        final long connection,
        final long destination,
        final long destinationOffset,
        final long source,
        final long sourceOffset,
        final long length,
        final int flags,
        final long id) {
        try {
            return (int) MOVE.invokeExact(
                read, connection, destination, destinationOffset, source, sourceOffset, length, flags, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_write}. */
    int write(
        final long connection,
        final long destination,
        final long destinationOffset,
        final long source,
        final long sourceOffset,
        final long length,
        final int flags,
        final long id) {
        try {
            return (int) MOVE.invokeExact(
                write, connection, destination, destinationOffset, source, sourceOffset, length, flags, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_write_with_imm}. */
    int writeWithImm(
        final long connection,
        final long destination,
        final long destinationOffset,
        final long source,
        final long sourceOffset,
        final long length,
        final int flags,
        final int immediate,
        final long id) {
        try {
            return (int) MOVE_WITH_IMM.invokeExact(writeWithImm, connection, destination, destinationOffset, source,
                sourceOffset, length, flags, immediate, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_atomic_write}: the eight bytes are taken at the call. */
    int atomicWrite(
        final long connection,
        final long destination,
        final long offset,
        final long bytes,
        final int flags,
        final long id) {
        try {
            return (int) SEND.invokeExact(atomicWrite, connection, destination, offset, bytes, flags, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }

    /** Calls {@code rpma_flush}. */
    int flush(
        final long connection,
        final long destination,
        final long offset,
        final long length,
        final int type,
        final int flags,
        final long id) {
        try {
            return (int) SEND_WITH_IMM.invokeExact(flush, connection, destination, offset, length, type, flags, id);
        } catch (final Throwable t) {
            throw DataPathLinker.bug(t);
        }
    }
}
