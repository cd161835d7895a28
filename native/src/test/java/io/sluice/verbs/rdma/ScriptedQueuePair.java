package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/** A queue pair without a device: it notes what is posted to it, and takes as many receives as it is told. */
public final class ScriptedQueuePair implements AutoCloseable {
    final List<String> calls = new ArrayList<>();
    final List<Long> receives = new ArrayList<>();
    int result;
    /** Whether requests are addressed. */
    boolean isDatagram;
    int room = Integer.MAX_VALUE;
    /** Sends that there is room for, until some were refused. */
    int sendRoom = Integer.MAX_VALUE;
    /** The answer to the first that there is no room for. */
    int refusal = Errno.ENOMEM;
    /** Distance from the first request of what the device tells instead of the first that it did not take. */
    Long refused;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment queuePair = ibv_qp_ex.allocate(arena);

    ScriptedQueuePair() {
        ibv_qp_ex.wr_start(queuePair, stub("start", void.class, long.class));
        ibv_qp_ex.wr_complete(queuePair, stub("complete", int.class, long.class));
        ibv_qp_ex.wr_rdma_write(queuePair, stub("write", void.class, long.class, int.class, long.class));
        ibv_qp_ex.wr_rdma_write_imm(
            queuePair, stub("writeImmediate", void.class, long.class, int.class, long.class, int.class));
        ibv_qp_ex.wr_rdma_read(queuePair, stub("read", void.class, long.class, int.class, long.class));
        ibv_qp_ex.wr_atomic_cmp_swp(queuePair,
            stub("compareSwap", void.class, long.class, int.class, long.class, long.class, long.class));
        ibv_qp_ex.wr_atomic_fetch_add(
            queuePair, stub("fetchAdd", void.class, long.class, int.class, long.class, long.class));
        ibv_qp_ex.wr_send(queuePair, stub("send", void.class, long.class));
        ibv_qp_ex.wr_send_imm(queuePair, stub("sendImmediate", void.class, long.class, int.class));
        ibv_qp_ex.wr_set_ud_addr(
            queuePair, stub("setAddress", void.class, long.class, long.class, int.class, int.class));
        ibv_qp_ex.wr_set_sge(queuePair, stub("setRange", void.class, long.class, int.class, long.class, int.class));
        ibv_qp_ex.wr_set_inline_data(queuePair, stub("setInline", void.class, long.class, long.class, long.class));
    }

    long address() {
        return queuePair.address();
    }

    long sendFunction() {
        return stub("postSend", int.class, long.class, long.class, long.class).address();
    }

    long receiveFunction() {
        return stub("postReceive", int.class, long.class, long.class, long.class).address();
    }

    private MemorySegment stub(final String method, final Class<?> type, final Class<?>... arguments) {
        FunctionDescriptor descriptor =
            type == void.class ? FunctionDescriptor.ofVoid() : FunctionDescriptor.of(JAVA_INT);
        for (final Class<?> argument : arguments) {
            descriptor = descriptor.appendArgumentLayouts(argument == int.class ? JAVA_INT : JAVA_LONG);
        }
        try {
            return Linker.nativeLinker().upcallStub(
                MethodHandles.lookup().bind(this, method, MethodType.methodType(type, arguments)), descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Takes as many of a chain as there is room for, and tells the first that it did not take. */
    int postSend(final long address, final long work, final long bad) {
        String how = "post";
        for (long next = work; next != 0; how = "then") {
            if (sendRoom-- == 0) {
                sendRoom = Integer.MAX_VALUE;
                MemorySegment.ofAddress(bad).reinterpret(Long.BYTES).set(
                    JAVA_LONG, 0, refused == null ? next : work + refused);
                return refusal;
            }
            calls.add(how + describe(next));
            next = ibv_send_wr.next(MemorySegment.ofAddress(next).reinterpret(ibv_send_wr.sizeof())).address();
        }
        return result;
    }

    private String describe(final long work) {
        final MemorySegment request = MemorySegment.ofAddress(work).reinterpret(ibv_send_wr.sizeof());
        final StringBuilder text = new StringBuilder(" id=" + ibv_send_wr.wr_id(request) + " opcode="
            + ibv_send_wr.opcode(request) + " flags=" + ibv_send_wr.send_flags(request) + " imm="
            + Integer.toHexString(ibv_send_wr.imm_data(request)));
        text.append(remote(request));
        if (ibv_send_wr.num_sge(request) == 1) {
            final MemorySegment range = ibv_send_wr.sg_list(request).reinterpret(ibv_sge.sizeof());
            text.append(" from=").append(ibv_sge.addr(range)).append('/').append(ibv_sge.lkey(range)).append('+')
                .append(ibv_sge.length(range));
        }
        return text.toString();
    }

    private String remote(final MemorySegment request) {
        final int opcode = ibv_send_wr.opcode(request);
        if (isDatagram) {
            final MemorySegment peer = ibv_send_wr.wr.ud(ibv_send_wr.wr(request));
            return " by=" + ibv_send_wr.wr.ud.ah(peer).address() + " to=" + ibv_send_wr.wr.ud.remote_qpn(peer) + "/"
                + ibv_send_wr.wr.ud.remote_qkey(peer);
        }
        if (opcode == SendPoster.ATOMIC_CMP_AND_SWP || opcode == SendPoster.ATOMIC_FETCH_AND_ADD) {
            final MemorySegment word = ibv_send_wr.wr.atomic(ibv_send_wr.wr(request));
            return " at=" + ibv_send_wr.wr.atomic.remote_addr(word) + "/" + ibv_send_wr.wr.atomic.rkey(word)
                + " operands=" + ibv_send_wr.wr.atomic.compare_add(word) + "," + ibv_send_wr.wr.atomic.swap(word);
        }
        final MemorySegment range = ibv_send_wr.wr.rdma(ibv_send_wr.wr(request));
        return " to=" + ibv_send_wr.wr.rdma.remote_addr(range) + "/" + ibv_send_wr.wr.rdma.rkey(range);
    }

    /** Takes what there is room for, and tells the first that it did not take. */
    int postReceive(final long address, final long work, final long bad) {
        calls.add("receive");
        long next = work;
        while (next != 0) {
            final MemorySegment request = MemorySegment.ofAddress(next).reinterpret(ibv_recv_wr.sizeof());
            if (room == 0) {
                final MemorySegment told = MemorySegment.ofAddress(bad).reinterpret(Long.BYTES);
                told.set(JAVA_LONG, 0, refused == null ? next : work + refused);
                return Errno.ENOMEM;
            }
            room--;
            receives.add(ibv_recv_wr.wr_id(request));
            next = ibv_recv_wr.next(request).address();
        }
        return result;
    }

    void start(final long address) {
        calls.add("start");
    }

    int complete(final long address) {
        calls.add("complete id=" + ibv_qp_ex.wr_id(queuePair) + " flags=" + ibv_qp_ex.wr_flags(queuePair));
        return result;
    }

    void write(final long address, final int key, final long remote) {
        calls.add("write to=" + remote + "/" + key);
    }

    void read(final long address, final int key, final long remote) {
        calls.add("read at=" + remote + "/" + key);
    }

    void compareSwap(
        final long address, final int key, final long remote, final long expected, final long replacement) {
        calls.add("swap at=" + remote + "/" + key + " " + expected + "," + replacement);
    }

    void fetchAdd(final long address, final int key, final long remote, final long addend) {
        calls.add("add at=" + remote + "/" + key + " " + addend);
    }

    void writeImmediate(final long address, final int key, final long remote, final int immediate) {
        calls.add("write to=" + remote + "/" + key + " imm=" + Integer.toHexString(immediate));
    }

    void send(final long address) {
        calls.add("send");
    }

    void sendImmediate(final long address, final int immediate) {
        calls.add("send imm=" + Integer.toHexString(immediate));
    }

    void setAddress(final long address, final long handle, final int number, final int queueKey) {
        calls.add("by=" + handle + " to=" + number + "/" + queueKey);
    }

    void setRange(final long address, final int key, final long local, final int length) {
        calls.add("from=" + local + "/" + key + "+" + length);
    }

    void setInline(final long address, final long local, final long length) {
        calls.add("inline=" + local + "+" + length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
