package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_wc;
import io.sluice.verbs.rdma.generated.ibv_wc_tm_info;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * A completion queue without a device: its tables of function pointers lead back to Java, which answers by a script and
 * notes what was called.
 */
public final class ScriptedDevice implements AutoCloseable {
    /** Entries that its completion queues are asked for. */
    static final int CAPACITY = 32;
    /** Number of the queue pair that all its completions are of. */
    static final int QUEUE_PAIR = 17;
    /** Bits that a function of a narrower type may leave in the rest of its register. */
    private static final int GARBAGE = 0xabcd_0000;

    /** Answers of {@code start_poll}, {@code next_poll} and {@code poll_cq}; what is left out is ENOENT or 0. */
    final Deque<Integer> starts = new ArrayDeque<>();
    final Deque<Integer> nexts = new ArrayDeque<>();
    final Deque<Integer> polls = new ArrayDeque<>();
    /** Statuses and ids of the next completions; what is left out is a success, and ids from 1. */
    final Deque<Integer> statuses = new ArrayDeque<>();
    final Deque<Long> ids = new ArrayDeque<>();
    /** Names of what was called; readers are told by themselves. */
    final List<String> calls = new ArrayList<>();
    final List<String> reads = new ArrayList<>();
    /** Numbers of queue pairs that its queues have told of. */
    final List<Integer> failures = new ArrayList<>();
    int opcode = 129;
    /** The answer to arming. */
    int notifyResult;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment queue = ibv_cq_ex.allocate(arena);
    private long nextId = 1;

    ScriptedDevice() {
        ibv_cq_ex.start_poll(queue, stub("startPoll", int.class, long.class, long.class));
        ibv_cq_ex.next_poll(queue, stub("nextPoll", int.class, long.class));
        ibv_cq_ex.end_poll(queue, stub("endPoll", void.class, long.class));
        ibv_cq_ex.read_opcode(queue, reader("readOpcode"));
        ibv_cq_ex.read_vendor_err(queue, reader("readVendorError"));
        ibv_cq_ex.read_wc_flags(queue, reader("readFlags"));
        ibv_cq_ex.read_qp_num(queue, reader("readQueuePair"));
    }

    long queue() {
        return queue.address();
    }

    /** Sets how many entries the device says that it has. */
    ScriptedDevice withEntries(final int entries) {
        UnsafeApi.putInt(queue.address() + ibv_cq.cqe$offset(), entries);
        return this;
    }

    /** Over this device, with batches of a length. */
    ExtendedCompletionQueue extended(final int fields, final int batch) {
        return new ExtendedCompletionQueue(
            null, null, queue(), asked(fields), notifyFunction(), batch, this::noteFailure);
    }

    LegacyCompletionQueue legacy(final int fields) {
        return legacy(fields, notifyFunction(), pollFunction());
    }

    /** A completion queue with functions that were made before. */
    LegacyCompletionQueue legacy(final int fields, final long notify, final long poll) {
        return new LegacyCompletionQueue(
            null, null, queue(), asked(fields), notify, poll, false, () -> this::noteFailure);
    }

    private void noteFailure(final CompletionQueue from, final int queuePair) {
        failures.add(queuePair);
    }

    static CompletionQueueAttributes asked(final int fields) {
        return new CompletionQueueAttributes(CAPACITY, fields, null);
    }

    /** No reader of queue pairs' numbers. */
    ScriptedDevice withoutNumbers() {
        ibv_cq_ex.read_qp_num(queue, MemorySegment.NULL);
        return this;
    }

    /** The readers of all fields; a device fills in those that are asked for. */
    ScriptedDevice withReaders() {
        ibv_cq_ex.read_byte_len(queue, reader("readByteLength"));
        ibv_cq_ex.read_imm_data(queue, reader("readImmediate"));
        ibv_cq_ex.read_src_qp(queue, reader("readSource"));
        ibv_cq_ex.read_slid(queue, reader("readSourceLid"));
        ibv_cq_ex.read_sl(queue, reader("readServiceLevel"));
        ibv_cq_ex.read_dlid_path_bits(queue, reader("readPathBits"));
        ibv_cq_ex.read_completion_ts(queue, stub("readTimestamp", long.class, long.class));
        ibv_cq_ex.read_completion_wallclock_ns(queue, stub("readWallClock", long.class, long.class));
        ibv_cq_ex.read_cvlan(queue, reader("readVlan"));
        ibv_cq_ex.read_flow_tag(queue, reader("readFlowTag"));
        ibv_cq_ex.read_tm_info(queue, stub("readTagMatching", void.class, long.class, long.class));
        return this;
    }

    long pollFunction() {
        return stub("pollCq", int.class, long.class, int.class, long.class).address();
    }

    long notifyFunction() {
        return stub("requestNotify", int.class, long.class, int.class).address();
    }

    private MemorySegment reader(final String method) {
        return stub(method, int.class, long.class);
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
            result == void.class ? FunctionDescriptor.ofVoid() : FunctionDescriptor.of(layout(result));
        for (final Class<?> argument : arguments) {
            descriptor = descriptor.appendArgumentLayouts(layout(argument));
        }
        return descriptor;
    }

    private static MemoryLayout layout(final Class<?> type) {
        return type == int.class ? JAVA_INT : JAVA_LONG;
    }

    private static int answer(final Deque<Integer> script, final int otherwise) {
        return script.isEmpty() ? otherwise : script.poll();
    }

    private long id() {
        final long counted = nextId++;
        return ids.isEmpty() ? counted : ids.poll();
    }

    private int complete(final int result) {
        if (result == Errno.OK) {
            ibv_cq_ex.wr_id(queue, id());
            ibv_cq_ex.status(queue, answer(statuses, WorkStatus.SUCCESS));
        }
        return result;
    }

    int startPoll(final long address, final long attributes) {
        calls.add("start");
        return complete(answer(starts, Errno.ENOENT));
    }

    int nextPoll(final long address) {
        calls.add("next");
        return complete(answer(nexts, Errno.ENOENT));
    }

    void endPoll(final long address) {
        calls.add("end");
    }

    private int read(final String field, final int value) {
        reads.add(field);
        return value;
    }

    int readOpcode(final long address) {
        return read("opcode", opcode);
    }

    int readVendorError(final long address) {
        return read("vendorError", 0x55);
    }

    int readFlags(final long address) {
        return read("flags", 2);
    }

    int readByteLength(final long address) {
        return read("byteLength", 4096);
    }

    int readImmediate(final long address) {
        return read("immediateData", 0x0403_0201);
    }

    int readQueuePair(final long address) {
        return read("queuePairNumber", QUEUE_PAIR);
    }

    int readSource(final long address) {
        return read("sourceQueuePair", 18);
    }

    int readSourceLid(final long address) {
        return read("sourceLid", 0xfffe);
    }

    int readServiceLevel(final long address) {
        return read("serviceLevel", GARBAGE | 0x0f);
    }

    int readPathBits(final long address) {
        return read("destinationPathBits", GARBAGE | 0x7f);
    }

    int readVlan(final long address) {
        return read("customerVlan", GARBAGE | 0x8fff);
    }

    int readFlowTag(final long address) {
        return read("flowTag", 0xff_ffff);
    }

    long readTimestamp(final long address) {
        return read("completionTimestamp", 0) + (1L << 40);
    }

    long readWallClock(final long address) {
        return read("completionTimestampWallClockNs", 0) + (1L << 60);
    }

    void readTagMatching(final long address, final long result) {
        reads.add("matchedTag");
        final MemorySegment information = MemorySegment.ofAddress(result).reinterpret(ibv_wc_tm_info.sizeof());
        ibv_wc_tm_info.tag(information, -5);
        ibv_wc_tm_info.priv(information, 77);
    }

    /** Writes as many records as the script says. */
    int pollCq(final long address, final int count, final long records) {
        calls.add("poll " + count);
        final int result = answer(polls, 0);
        final MemorySegment memory =
            MemorySegment.ofAddress(records).reinterpret(count * ibv_wc.sizeof());
        for (int i = 0; i < result; i++) {
            final MemorySegment record = ibv_wc.asSlice(memory, i);
            ibv_wc.wr_id(record, id());
            ibv_wc.status(record, answer(statuses, WorkStatus.SUCCESS));
            ibv_wc.opcode(record, opcode);
            ibv_wc.vendor_err(record, 0x55);
            ibv_wc.byte_len(record, 4096);
            ibv_wc.imm_data(record, 0x0403_0201);
            ibv_wc.qp_num(record, QUEUE_PAIR);
            ibv_wc.src_qp(record, 18);
            ibv_wc.wc_flags(record, 2);
            ibv_wc.pkey_index(record, (short) 0xfffd);
            ibv_wc.slid(record, (short) 0xfffe);
            ibv_wc.sl(record, (byte) 0x0f);
            ibv_wc.dlid_path_bits(record, (byte) 0x7f);
        }
        return result;
    }

    int requestNotify(final long address, final int solicitedOnly) {
        calls.add("notify " + solicitedOnly);
        return notifyResult;
    }

    @Override
    public void close() {
        arena.close();
    }
}
