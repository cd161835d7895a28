package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A completion queue without a device: its tables of function pointers lead back to Java, which answers by a script and
 * notes what was called.
 */
public final class ScriptedDevice implements AutoCloseable {
    /** Answers of {@code start_poll}, {@code next_poll} and {@code poll_cq}; what is left out is ENOENT or 0. */
    final Deque<Integer> starts = new ArrayDeque<>();
    final Deque<Integer> nexts = new ArrayDeque<>();
    final Deque<Integer> polls = new ArrayDeque<>();
    /** Names of what was called. */
    final List<String> calls = new ArrayList<>();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment queue = ibv_cq_ex.allocate(arena);
    private long nextId = 1;

    ScriptedDevice() {
        ibv_cq_ex.start_poll(queue, stub("startPoll", int.class, long.class, long.class));
        ibv_cq_ex.next_poll(queue, stub("nextPoll", int.class, long.class));
        ibv_cq_ex.end_poll(queue, stub("endPoll", void.class, long.class));
        ibv_cq_ex.read_opcode(queue, stub("readOpcode", int.class, long.class));
        ibv_cq_ex.read_vendor_err(queue, stub("readVendorError", int.class, long.class));
        ibv_cq_ex.read_wc_flags(queue, stub("readFlags", int.class, long.class));
    }

    long queue() {
        return queue.address();
    }

    /** The readers of fields, which a device fills in when they are asked for. */
    ScriptedDevice withReaders() {
        ibv_cq_ex.read_byte_len(queue, stub("readByteLength", int.class, long.class));
        ibv_cq_ex.read_imm_data(queue, stub("readImmediate", int.class, long.class));
        ibv_cq_ex.read_qp_num(queue, stub("readQueuePair", int.class, long.class));
        ibv_cq_ex.read_src_qp(queue, stub("readSource", int.class, long.class));
        return this;
    }

    long pollFunction() {
        return stub("pollCq", int.class, long.class, int.class, long.class).address();
    }

    long notifyFunction() {
        return stub("requestNotify", int.class, long.class, int.class).address();
    }

    private MemorySegment stub(final String method, final Class<?> result, final Class<?>... arguments) {
        try {
            final FunctionDescriptor descriptor = descriptor(result, arguments);
            return Linker.nativeLinker().upcallStub(
                MethodHandles.lookup().bind(this, method, MethodType.methodType(result, arguments)), descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static FunctionDescriptor descriptor(final Class<?> result, final Class<?>... arguments) {
        FunctionDescriptor descriptor =
            result == void.class ? FunctionDescriptor.ofVoid() : FunctionDescriptor.of(JAVA_INT);
        for (final Class<?> argument : arguments) {
            descriptor = descriptor.appendArgumentLayouts(argument == int.class ? JAVA_INT : JAVA_LONG);
        }
        return descriptor;
    }

    private int answer(final Deque<Integer> script, final int otherwise) {
        return script.isEmpty() ? otherwise : script.poll();
    }

    private void complete() {
        ibv_cq_ex.wr_id(queue, nextId);
        ibv_cq_ex.status(queue, (int) nextId % 2);
        nextId++;
    }

    int startPoll(final long address, final long attributes) {
        calls.add("start");
        final int result = answer(starts, Errno.ENOENT);
        if (result == 0) {
            complete();
        }
        return result;
    }

    int nextPoll(final long address) {
        calls.add("next");
        final int result = answer(nexts, Errno.ENOENT);
        if (result == 0) {
            complete();
        }
        return result;
    }

    void endPoll(final long address) {
        calls.add("end");
    }

    int readOpcode(final long address) {
        return 129;
    }

    int readVendorError(final long address) {
        return 0x55;
    }

    int readFlags(final long address) {
        return 2;
    }

    int readByteLength(final long address) {
        return 4096;
    }

    int readImmediate(final long address) {
        return 0x0403_0201;
    }

    int readQueuePair(final long address) {
        return 17;
    }

    int readSource(final long address) {
        return 18;
    }

    /** Writes as many records as the script says. */
    int pollCq(final long address, final int count, final long records) {
        calls.add("poll " + count);
        final int result = answer(polls, 0);
        final MemorySegment memory =
            MemorySegment.ofAddress(records).reinterpret(count * ibv_wc.sizeof());
        for (int i = 0; i < result; i++) {
            final MemorySegment record = ibv_wc.asSlice(memory, i);
            ibv_wc.wr_id(record, nextId);
            ibv_wc.status(record, (int) nextId % 2);
            ibv_wc.opcode(record, 129);
            ibv_wc.vendor_err(record, 0x55);
            ibv_wc.byte_len(record, 4096);
            ibv_wc.imm_data(record, 0x0403_0201);
            ibv_wc.qp_num(record, 17);
            ibv_wc.src_qp(record, 18);
            ibv_wc.wc_flags(record, 2);
            nextId++;
        }
        return result;
    }

    int requestNotify(final long address, final int solicitedOnly) {
        calls.add("notify " + solicitedOnly);
        return 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
