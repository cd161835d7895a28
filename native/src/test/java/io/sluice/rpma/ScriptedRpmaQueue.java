package io.sluice.rpma;

import io.sluice.environment.SystemEnvironment;
import io.sluice.rpma.generated.rpma_h;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A completion queue of librpma without a device: {@code rpma_cq_get_wc} is Java and takes what a test has completed,
 * and the library's other functions do nothing and succeed. One thread.
 */
@SuppressWarnings("restricted")
public final class ScriptedRpmaQueue implements AutoCloseable {
    /** The opcode of each success. */
    public static final int OPCODE = 129;
    public static final int FLAGS = 2;
    public static final int NUMBER = 17;
    private static final int CAPACITY = 64;
    private static final long HANDLE = 0x1000;
    private static final String GET_WC = "rpma_cq_get_wc";

    private final Arena arena = Arena.ofShared();
    /** Work request id, status, length, the four bytes of immediate data or key as they lie there, and flags. */
    private final Deque<long[]> completions = new ArrayDeque<>();
    private final RpmaCompletionQueue queue;
    private int error = RpmaError.E_NO_COMPLETION;

    /** An empty queue, of a library that must be there all the same: it tells the shapes of its functions. */
    public ScriptedRpmaQueue() {
        final RpmaLibrary library = new RpmaLibrary(new NativeLibraries(this::find, LibraryVersion.UNKNOWN));
        // waited for by a connection, which there is none of
        queue = new RpmaCompletionQueue(
            NativePeer.of(library, SystemEnvironment.instance(), HANDLE), HANDLE, CAPACITY, true);
    }

    /** The reason why there can be none, empty where the library is installed. */
    public static String missing() {
        try {
            RpmaLibrary.instance();
            return "";
        } catch (final VerbsException e) {
            return e.getMessage();
        }
    }

    private Optional<MemorySegment> find(final String name) {
        try {
            final FunctionDescriptor descriptor =
                (FunctionDescriptor) rpma_h.class.getMethod(name + "$descriptor").invoke(null);
            final MethodType type = descriptor.toMethodType();
            final MethodHandle target = name.equals(GET_WC)
                ? MethodHandles.lookup().bind(this, "getCompletions", type) : MethodHandles.empty(type);
            return Optional.of(Linker.nativeLinker().upcallStub(target, descriptor, arena));
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    private int getCompletions(
        final MemorySegment handle, final int limit, final MemorySegment records, final MemorySegment count) {
        if (completions.isEmpty()) {
            return error;
        }
        final int taken = Math.min(limit, completions.size());
        final MemorySegment memory = records.reinterpret(taken * ibv_wc.sizeof());
        for (int i = 0; i < taken; i++) {
            write(ibv_wc.asSlice(memory, i), completions.poll());
        }
        count.reinterpret(Integer.BYTES).set(ValueLayout.JAVA_INT, 0, taken);
        return RpmaError.OK;
    }

    /** Write a record as a device does: what is not valid for a failure has any value. */
    private static void write(final MemorySegment record, final long[] completion) {
        ibv_wc.wr_id(record, completion[0]);
        ibv_wc.status(record, (int) completion[1]);
        ibv_wc.opcode(record, OPCODE);
        ibv_wc.byte_len(record, (int) completion[2]);
        ibv_wc.imm_data(record, (int) completion[3]);
        ibv_wc.wc_flags(record, (int) completion[4]);
        ibv_wc.qp_num(record, NUMBER);
    }

    /** The queue, for whoever polls it. */
    public RpmaCompletionQueue queue() {
        return queue;
    }

    /** Something has been received. */
    public void complete(final long workRequestId, final int byteLength, final int immediateData) {
        completions.add(new long[] {
            workRequestId, WorkStatus.SUCCESS, byteLength, Integer.reverseBytes(immediateData), FLAGS});
    }

    /** A SEND WITH INVALIDATE has been received: the key lies where immediate data would, as a number of this host. */
    public void invalidate(final long workRequestId, final int byteLength, final int key) {
        completions.add(new long[] {
            workRequestId, WorkStatus.SUCCESS, byteLength, key, WorkFlags.WITH_INVALIDATED_KEY});
    }

    /** Something has failed. */
    public void fail(final long workRequestId, final int status) {
        completions.add(new long[] {workRequestId, status, -1, -1, FLAGS | WorkFlags.WITH_INVALIDATED_KEY});
    }

    /** Set what polling returns when nothing has completed. */
    public void whenEmpty(final int newError) {
        error = newError;
    }

    /** Completions that nobody has taken. */
    public int waiting() {
        return completions.size();
    }

    @Override
    public void close() {
        arena.close();
    }
}
