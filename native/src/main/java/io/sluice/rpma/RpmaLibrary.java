package io.sluice.rpma;

import io.sluice.rpma.generated.rpma_conn_private_data;
import io.sluice.rpma.generated.rpma_h;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.LinkedFunctions;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The functions of librpma for set-up and tear-down; the manual page of each has its name. Any thread may call, with
 * {@link #lock} where the library's notes on threads (THREAD_SAFETY.md) say that the function is not safe.
 */
final class RpmaLibrary extends LinkedFunctions {
    static final String SONAME = "librpma.so.0";
    static final String PACKAGE = "librpma0";
    /** The oldest release that has all functions. */
    static final String OLDEST = "librpma 1.2";
    /** The most tries of a call, after which another thread is not what keeps it from its work. */
    static final int MAX_TRIES = 1000;
    /** The beginning of an error of the connection manager that is about an address. */
    private static final String BIND = "rdma_bind_addr(";
    private static final String RESOLVE = "rdma_resolve_addr(";

    private static RpmaLibrary instance;

    /**
     * The lock that is held in functions which the library itself does not guard. None of them waits for a peer, but
     * two for addresses of the network: rpma_conn_req_new and rpma_utils_get_ibv_context.
     */
    final Object lock = new Object();

    final SetupCall getContext = link("rpma_utils_get_ibv_context", rpma_h::rpma_utils_get_ibv_context$descriptor);
    final SetupCall isOdpCapable =
        link("rpma_utils_ibv_context_is_odp_capable", rpma_h::rpma_utils_ibv_context_is_odp_capable$descriptor);
    final SetupCall peerNew = link("rpma_peer_new", rpma_h::rpma_peer_new$descriptor);
    final SetupCall peerDelete = link("rpma_peer_delete", rpma_h::rpma_peer_delete$descriptor);
    final SetupCall peerCfgNew = link("rpma_peer_cfg_new", rpma_h::rpma_peer_cfg_new$descriptor);
    final SetupCall peerCfgDelete = link("rpma_peer_cfg_delete", rpma_h::rpma_peer_cfg_delete$descriptor);
    final SetupCall peerCfgSetDirectWrite = link(
        "rpma_peer_cfg_set_direct_write_to_pmem", rpma_h::rpma_peer_cfg_set_direct_write_to_pmem$descriptor);
    final SetupCall peerCfgGetDirectWrite = link(
        "rpma_peer_cfg_get_direct_write_to_pmem", rpma_h::rpma_peer_cfg_get_direct_write_to_pmem$descriptor);
    final SetupCall peerCfgGetDescriptor =
        link("rpma_peer_cfg_get_descriptor", rpma_h::rpma_peer_cfg_get_descriptor$descriptor);
    final SetupCall peerCfgGetDescriptorSize =
        link("rpma_peer_cfg_get_descriptor_size", rpma_h::rpma_peer_cfg_get_descriptor_size$descriptor);
    final SetupCall peerCfgFromDescriptor =
        link("rpma_peer_cfg_from_descriptor", rpma_h::rpma_peer_cfg_from_descriptor$descriptor);
    final SetupCall mrReg = link("rpma_mr_reg", rpma_h::rpma_mr_reg$descriptor);
    final SetupCall mrDereg = link("rpma_mr_dereg", rpma_h::rpma_mr_dereg$descriptor);
    final SetupCall mrGetDescriptor = link("rpma_mr_get_descriptor", rpma_h::rpma_mr_get_descriptor$descriptor);
    final SetupCall mrGetDescriptorSize =
        link("rpma_mr_get_descriptor_size", rpma_h::rpma_mr_get_descriptor_size$descriptor);
    final SetupCall mrAdvise = link("rpma_mr_advise", rpma_h::rpma_mr_advise$descriptor);
    final SetupCall mrRemoteFromDescriptor =
        link("rpma_mr_remote_from_descriptor", rpma_h::rpma_mr_remote_from_descriptor$descriptor);
    final SetupCall mrRemoteGetSize = link("rpma_mr_remote_get_size", rpma_h::rpma_mr_remote_get_size$descriptor);
    final SetupCall mrRemoteGetFlushType =
        link("rpma_mr_remote_get_flush_type", rpma_h::rpma_mr_remote_get_flush_type$descriptor);
    final SetupCall mrRemoteDelete = link("rpma_mr_remote_delete", rpma_h::rpma_mr_remote_delete$descriptor);
    final SetupCall connCfgNew = link("rpma_conn_cfg_new", rpma_h::rpma_conn_cfg_new$descriptor);
    final SetupCall connCfgDelete = link("rpma_conn_cfg_delete", rpma_h::rpma_conn_cfg_delete$descriptor);
    final SetupCall connCfgSetTimeout =
        link("rpma_conn_cfg_set_timeout", rpma_h::rpma_conn_cfg_set_timeout$descriptor);
    final SetupCall connCfgSetCqSize =
        link("rpma_conn_cfg_set_cq_size", rpma_h::rpma_conn_cfg_set_cq_size$descriptor);
    final SetupCall connCfgSetRcqSize =
        link("rpma_conn_cfg_set_rcq_size", rpma_h::rpma_conn_cfg_set_rcq_size$descriptor);
    final SetupCall connCfgSetSqSize =
        link("rpma_conn_cfg_set_sq_size", rpma_h::rpma_conn_cfg_set_sq_size$descriptor);
    final SetupCall connCfgSetRqSize =
        link("rpma_conn_cfg_set_rq_size", rpma_h::rpma_conn_cfg_set_rq_size$descriptor);
    final SetupCall connCfgSetComplChannel =
        link("rpma_conn_cfg_set_compl_channel", rpma_h::rpma_conn_cfg_set_compl_channel$descriptor);
    final SetupCall connCfgSetSrq = link("rpma_conn_cfg_set_srq", rpma_h::rpma_conn_cfg_set_srq$descriptor);
    final SetupCall srqCfgNew = link("rpma_srq_cfg_new", rpma_h::rpma_srq_cfg_new$descriptor);
    final SetupCall srqCfgDelete = link("rpma_srq_cfg_delete", rpma_h::rpma_srq_cfg_delete$descriptor);
    final SetupCall srqCfgSetRqSize =
        link("rpma_srq_cfg_set_rq_size", rpma_h::rpma_srq_cfg_set_rq_size$descriptor);
    final SetupCall srqCfgSetRcqSize =
        link("rpma_srq_cfg_set_rcq_size", rpma_h::rpma_srq_cfg_set_rcq_size$descriptor);
    final SetupCall srqNew = link("rpma_srq_new", rpma_h::rpma_srq_new$descriptor);
    final SetupCall srqDelete = link("rpma_srq_delete", rpma_h::rpma_srq_delete$descriptor);
    final SetupCall srqGetRcq = link("rpma_srq_get_rcq", rpma_h::rpma_srq_get_rcq$descriptor);
    final SetupCall epListen = link("rpma_ep_listen", rpma_h::rpma_ep_listen$descriptor);
    final SetupCall epShutdown = link("rpma_ep_shutdown", rpma_h::rpma_ep_shutdown$descriptor);
    final SetupCall epGetFd = link("rpma_ep_get_fd", rpma_h::rpma_ep_get_fd$descriptor);
    final SetupCall epNextConnReq = link("rpma_ep_next_conn_req", rpma_h::rpma_ep_next_conn_req$descriptor);
    final SetupCall connReqNew = link("rpma_conn_req_new", rpma_h::rpma_conn_req_new$descriptor);
    final SetupCall connReqDelete = link("rpma_conn_req_delete", rpma_h::rpma_conn_req_delete$descriptor);
    final SetupCall connReqConnect = link("rpma_conn_req_connect", rpma_h::rpma_conn_req_connect$descriptor);
    final SetupCall connReqRecv = link("rpma_conn_req_recv", rpma_h::rpma_conn_req_recv$descriptor);
    final SetupCall connReqGetPrivateData =
        link("rpma_conn_req_get_private_data", rpma_h::rpma_conn_req_get_private_data$descriptor);
    final SetupCall connGetEventFd = link("rpma_conn_get_event_fd", rpma_h::rpma_conn_get_event_fd$descriptor);
    final SetupCall connNextEvent = link("rpma_conn_next_event", rpma_h::rpma_conn_next_event$descriptor);
    final SetupCall connGetPrivateData =
        link("rpma_conn_get_private_data", rpma_h::rpma_conn_get_private_data$descriptor);
    final SetupCall connApplyRemotePeerCfg =
        link("rpma_conn_apply_remote_peer_cfg", rpma_h::rpma_conn_apply_remote_peer_cfg$descriptor);
    final SetupCall connGetQpNum = link("rpma_conn_get_qp_num", rpma_h::rpma_conn_get_qp_num$descriptor);
    final SetupCall connGetCq = link("rpma_conn_get_cq", rpma_h::rpma_conn_get_cq$descriptor);
    final SetupCall connGetRcq = link("rpma_conn_get_rcq", rpma_h::rpma_conn_get_rcq$descriptor);
    final SetupCall connGetComplFd = link("rpma_conn_get_compl_fd", rpma_h::rpma_conn_get_compl_fd$descriptor);
    final SetupCall connDisconnect = link("rpma_conn_disconnect", rpma_h::rpma_conn_disconnect$descriptor);
    final SetupCall connDelete = link("rpma_conn_delete", rpma_h::rpma_conn_delete$descriptor);
    final SetupCall cqGetFd = link("rpma_cq_get_fd", rpma_h::rpma_cq_get_fd$descriptor);
    final SetupCall logSetThreshold = link("rpma_log_set_threshold", rpma_h::rpma_log_set_threshold$descriptor);
    final SetupCall logGetThreshold = link("rpma_log_get_threshold", rpma_h::rpma_log_get_threshold$descriptor);
    final SetupCall logSetFunction = link("rpma_log_set_function", rpma_h::rpma_log_set_function$descriptor);

    private final RpmaCalls calls;
    private final LogMessages messages = new LogMessages();

    RpmaLibrary(final NativeLibraries libraries) {
        super(libraries);
        calls = new RpmaCalls(libraries);
        useFunction(messages.stub());
    }

    /**
     * The library, loaded and linked at the first call.
     *
     * @throws io.sluice.verbs.VerbsException when it is not installed or lacks a function, with what to do.
     */
    static synchronized RpmaLibrary instance() {
        if (instance == null) {
            DataPathLinker.requireKnown(System.getProperty(DataPathLinker.CRITICAL_PROP_NAME));
            instance = new RpmaLibrary(NativeLibraries.instance().with(SONAME, PACKAGE, OLDEST));
        }
        return instance;
    }

    /** The functions of the data path. */
    RpmaCalls calls() {
        return calls;
    }

    /** The messages that the library logs. */
    LogMessages messages() {
        return messages;
    }

    /** Let a function take the log; NULL for the library's own. */
    void useFunction(final MemorySegment function) {
        persist(logSetFunction, "the log's function stays what it was", function);
    }

    /**
     * Log up to a level.
     *
     * @param which of the two thresholds.
     */
    void useThreshold(final int which, final RpmaLogLevel level) {
        persist(logSetThreshold, "the threshold stays: level=" + level, which, level.number());
    }

    /** Call a function that a library without atomic operations refuses while another thread calls it, E_AGAIN. */
    private void persist(final SetupCall call, final String what, final Object... arguments) {
        int code = invoke(call, arguments);
        for (int i = 1; i < MAX_TRIES && code == RpmaError.E_AGAIN; i++) {
            code = invoke(call, arguments);
        }
        if (code != RpmaError.OK) {
            throw failure(call, code, what);
        }
    }

    /**
     * Call a function that returns 0 or an error.
     *
     * @param what cannot be done when it fails, for the message.
     */
    void check(final SetupCall call, final String what, final Object... arguments) {
        final int code = invoke(call, arguments);
        if (code != RpmaError.OK) {
            throw failure(call, code, what);
        }
    }

    /**
     * Call a function that makes an object.
     *
     * @param what cannot be had when it fails, for the message.
     * @return the object, from where the function's last argument points to.
     */
    long create(final SetupCall call, final String what, final Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            final Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = result;
            check(call, what, all);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Call a function that deletes an object and, as all of librpma, takes a pointer to the pointer to it. The object
     * is gone even when this fails.
     *
     * @param what stays when it fails, for the message.
     */
    void delete(final SetupCall call, final String what, final long object) {
        try (Arena arena = Arena.ofConfined()) {
            check(call, what, arena.allocateFrom(ValueLayout.JAVA_LONG, object));
        }
    }

    /** Delete an object that cannot be used after another failure, which is what matters. */
    void discard(final SetupCall call, final long object, final RuntimeException cause) {
        try {
            synchronized (lock) {
                delete(call, "it stays", object);
            }
        } catch (final RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** Call a function that tells a number of 32 bits. */
    int number(final SetupCall call, final long object) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment result = arena.allocate(ValueLayout.JAVA_INT);
            check(call, "it does not tell", object, result);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Call a function that tells a pointer or a size. */
    long word(final SetupCall call, final long object) {
        return create(call, "it does not tell", object);
    }

    /** Call two functions of which the first tells how many bytes the second writes. */
    byte[] bytes(final SetupCall size, final SetupCall content, final long object) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment bytes = arena.allocate(word(size, object));
            check(content, "it does not tell", object, bytes);
            return bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Call a function that tells private data. */
    byte[] privateData(final SetupCall call, final long object) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment data = rpma_conn_private_data.allocate(arena);
            check(call, "it does not tell", object, data);
            final int length = Byte.toUnsignedInt(rpma_conn_private_data.len(data));
            final MemorySegment bytes = rpma_conn_private_data.ptr(data);
            return length == 0 || bytes.address() == 0 ? new byte[0]
                : bytes.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Copy bytes for a call, which may be none: then there is something to point to all the same. */
    static MemorySegment copy(final Arena arena, final byte[] bytes) {
        final MemorySegment copy = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return copy;
    }

    /** Call a function; what it logs meanwhile is known to {@link #failure} until the next call of this thread. */
    int invoke(final SetupCall call, final Object... arguments) {
        messages.forget();
        return (int) call.invoke(arguments).value();
    }

    /**
     * The result of a look for an event: the descriptors are non-blocking, which librdmacm tells as EAGAIN and librpma
     * as an error of the provider. One that logs nothing does not tell which it is, and is taken for that, too: a wait
     * ends with its time then, as it does when the descriptor is in error.
     */
    int eventCode(final int code) {
        final String cause = messages.lastError();
        return code == RpmaError.E_PROVIDER && (cause.isEmpty() || messages.errnoIn(cause) == SystemCalls.EAGAIN)
            ? RpmaError.E_NO_EVENT : code;
    }

    /**
     * Make the exception for an error of the function that this thread has called last. The cause is taken from what
     * the function logged, since the library's errno has been overwritten by then.
     */
    RpmaException failure(final SetupCall call, final int code, final String what) {
        final String cause = messages.lastError();
        final int errno = code == RpmaError.E_NOMEM ? Errno.ENOMEM : messages.errnoIn(cause);
        return new RpmaException(call.name(), code, errno,
            what + (cause.isEmpty() ? "" : ": " + cause) + remedy(cause, errno));
    }

    /**
     * Tell what to do about an error. Of an address that is no good the error numbers are those of missing and
     * forbidden devices.
     */
    private static String remedy(final String cause, final int errno) {
        if (cause.startsWith(BIND) && errno != Errno.EADDRINUSE) {
            return ": the address" + Remedies.ofBinding(errno);
        }
        if (cause.startsWith(RESOLVE)) {
            return errno == Errno.ETIMEDOUT ? ": nobody has the address, or its machine does not answer"
                : ": no RDMA device of this machine leads to the address";
        }
        return Remedies.remedy(errno);
    }
}
