package io.sluice.verbs.model;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_mr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_cap;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import io.sluice.verbs.rdma.generated.ibv_wc;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The functions of a card without the provider, as somebody calls them who does not know what to heed. */
final class DirectDevice implements AutoCloseable {
    static final int PLACES = 4;
    static final int LENGTH = 2048;

    final Fabric fabric;
    final DeviceFunctions device;
    final ObjectFunctions objects;
    final QueueFunctions queues;
    final PollFunctions polls;
    final PostFunctions posts;
    final BuilderFunctions builder;
    final long context;
    final long domain;
    private final long channel;
    /** The first half is sent, the second written to. */
    final MemorySegment bytes;
    final int key;
    private final Arena arena = Arena.ofShared();
    private int grantedInline;
    private int places = PLACES;
    /** Whether pairs are connected from now on by the local identifier only. */
    boolean lacksRoute;
    /** Completion queue for receives of the pairs that are made from now on; 0 when it is the one of sends. */
    long receiveQueue;

    DirectDevice(final ModelCard card) {
        fabric = new Fabric(card, SystemEnvironment.instance(), DataPath.NONE);
        final ContextTables tables = new ContextTables(fabric);
        device = new DeviceFunctions(fabric, tables);
        objects = new ObjectFunctions(fabric);
        queues = new QueueFunctions(fabric, tables);
        polls = new PollFunctions(fabric);
        posts = new PostFunctions(fabric);
        builder = new BuilderFunctions(fabric, posts);
        tables.connect(device, objects, queues);
        context = device.openDevice(0);
        domain = objects.allocPd(context);
        channel = objects.createCompChannel(context);
        bytes = arena.allocate(2L * LENGTH, Long.BYTES);
        final long region = objects.regMr(domain, bytes.address(), bytes.byteSize(),
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC);
        key = ibv_mr.lkey(Stubs.struct(region, ibv_mr.layout()));
    }

    /** A completion queue that announces by the channel of this device. */
    long announcedQueue() {
        return queues.createCq(context, 4 * PLACES, 0, channel, 0);
    }

    /** Whether the channel has an event, which is taken. */
    boolean hasEvent() {
        return objects.getCqEvent(channel, struct(ValueLayout.JAVA_LONG).address(),
            struct(ValueLayout.JAVA_LONG).address()) == Errno.OK;
    }

    /** A completion queue with {@link io.sluice.verbs.CompletionQueueFlags}. */
    long queue(final int flags) {
        final MemorySegment asked = ibv_cq_init_attr_ex.allocate(arena);
        ibv_cq_init_attr_ex.cqe(asked, 4 * PLACES);
        ibv_cq_init_attr_ex.comp_mask(asked, rdma_constants.IBV_CQ_INIT_ATTR_MASK_FLAGS());
        ibv_cq_init_attr_ex.flags(asked, flags);
        return queues.createExtendedQueue(context, asked.address());
    }

    /** A queue pair with a completion queue, for both unless there is another one for receives; or 0. */
    long pair(final long queue, final int type, final int inline, final int entries) {
        final MemorySegment asked = ibv_qp_init_attr.allocate(arena);
        ibv_qp_init_attr.send_cq(asked, MemorySegment.ofAddress(queue));
        ibv_qp_init_attr.recv_cq(asked, MemorySegment.ofAddress(receiveQueue == 0 ? queue : receiveQueue));
        ibv_qp_init_attr.qp_type(asked, type);
        final MemorySegment sizes = ibv_qp_init_attr.cap(asked);
        ibv_qp_cap.max_send_wr(sizes, places);
        ibv_qp_cap.max_recv_wr(sizes, PLACES);
        ibv_qp_cap.max_send_sge(sizes, entries);
        ibv_qp_cap.max_recv_sge(sizes, entries);
        ibv_qp_cap.max_inline_data(sizes, inline);
        final long queuePair = queues.createQp(domain, asked.address());
        grantedInline = ibv_qp_cap.max_inline_data(sizes);
        return queuePair;
    }

    /** Inline bytes that were granted to the queue pair that was created last. */
    int grantedInline() {
        return grantedInline;
    }

    /** A queue pair with so many places whose sends are not carried out, since its peer is not ready. */
    long waitingPair(final long queue, final int count) {
        places = count;
        final long left = connectedPair(queue);
        connect(left, connectedPair(queue));
        places = PLACES;
        return left;
    }

    long connectedPair(final long queue) {
        return pair(queue, rdma_constants.IBV_QPT_RC(), 1, 1);
    }

    /** Two connected queue pairs of one completion queue; the first is returned. */
    long link(final long queue) {
        final long left = connectedPair(queue);
        final long right = connectedPair(queue);
        connect(left, right);
        connect(right, left);
        return left;
    }

    /** A datagram queue pair that is ready to send. */
    long datagrams(final long queue) {
        final long queuePair = pair(queue, rdma_constants.IBV_QPT_UD(), 0, 1);
        final MemorySegment attr = ibv_qp_attr.allocate(arena);
        move(queuePair, attr, rdma_constants.IBV_QPS_INIT(), rdma_constants.IBV_QP_QKEY());
        move(queuePair, attr, rdma_constants.IBV_QPS_RTR(), 0);
        move(queuePair, attr, rdma_constants.IBV_QPS_RTS(), 0);
        return queuePair;
    }

    /** An address handle of this port, with a global route or without one; 0 when it is refused. */
    long address(final boolean isGlobal) {
        final MemorySegment path = ibv_ah_attr.allocate(arena);
        if (isGlobal) {
            ibv_ah_attr.is_global(path, (byte) 1);
        } else {
            ibv_ah_attr.dlid(path, (short) DeviceFunctions.LID);
        }
        return objects.createAh(domain, path.address());
    }

    /** Send a datagram to an address where nobody takes it. */
    int sendDatagram(final long queuePair, final long address, final int flags) {
        final MemorySegment request = ibv_send_wr.allocate(arena);
        ibv_send_wr.opcode(request, Work.SEND);
        ibv_send_wr.send_flags(request, flags);
        ibv_send_wr.wr.ud.ah(ibv_send_wr.wr.ud(ibv_send_wr.wr(request)), MemorySegment.ofAddress(address));
        return posts.postSend(queuePair, request.address(), arena.allocate(Long.BYTES, Long.BYTES).address());
    }

    private int number(final long queuePair) {
        return fabric.handles.get(ModelQueuePair.class, queuePair).number;
    }

    private void connect(final long queuePair, final long peer) {
        final MemorySegment attr = ibv_qp_attr.allocate(arena);
        ibv_qp_attr.qp_access_flags(attr, AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC);
        ibv_qp_attr.dest_qp_num(attr, number(peer));
        ibv_qp_attr.max_dest_rd_atomic(attr, (byte) 1);
        final MemorySegment path = ibv_qp_attr.ah_attr(attr);
        if (lacksRoute) {
            ibv_ah_attr.dlid(path, (short) DeviceFunctions.LID);
        } else {
            Paths.fill(fabric.card, path);
        }
        move(queuePair, attr, rdma_constants.IBV_QPS_INIT(), rdma_constants.IBV_QP_ACCESS_FLAGS());
        move(queuePair, attr, rdma_constants.IBV_QPS_RTR(), rdma_constants.IBV_QP_AV()
            | rdma_constants.IBV_QP_DEST_QPN() | rdma_constants.IBV_QP_MAX_DEST_RD_ATOMIC());
        move(queuePair, attr, rdma_constants.IBV_QPS_RTS(), 0);
    }

    private void move(final long queuePair, final MemorySegment attr, final int state, final int mask) {
        ibv_qp_attr.qp_state(attr, state);
        if (queues.modifyQp(queuePair, attr.address(), mask) != Errno.OK) {
            throw new AssertionError("no transition to " + state);
        }
    }

    void fail(final long queuePair) {
        move(queuePair, ibv_qp_attr.allocate(arena), rdma_constants.IBV_QPS_ERR(), 0);
    }

    /** Write some bytes of the first half into the second. */
    int write(final long queuePair, final int flags) {
        return post(queuePair, Work.WRITE, flags, Long.BYTES, 1);
    }

    int post(final long queuePair, final int opcode, final int flags, final int length, final int entries) {
        final MemorySegment request = ibv_send_wr.allocate(arena);
        final MemorySegment range = ibv_sge.allocate(arena);
        ibv_sge.addr(range, bytes.address());
        ibv_sge.length(range, length);
        ibv_sge.lkey(range, key);
        ibv_send_wr.opcode(request, opcode);
        ibv_send_wr.send_flags(request, flags | WorkFlags.SIGNALED);
        ibv_send_wr.num_sge(request, entries);
        ibv_send_wr.sg_list(request, range);
        final MemorySegment remote = ibv_send_wr.wr.rdma(ibv_send_wr.wr(request));
        ibv_send_wr.wr.rdma.remote_addr(remote, bytes.address() + LENGTH);
        ibv_send_wr.wr.rdma.rkey(remote, key);
        return posts.postSend(queuePair, request.address(), arena.allocate(Long.BYTES, Long.BYTES).address());
    }

    int receive(final long queuePair, final long id) {
        final MemorySegment request = ibv_recv_wr.allocate(arena);
        ibv_recv_wr.wr_id(request, id);
        return posts.postReceive(queuePair, request.address(), arena.allocate(Long.BYTES, Long.BYTES).address());
    }

    /** Write through {@code ibv_qp_ex}, but for {@code wr_complete}. */
    void build(final long queuePair) {
        builder.start(queuePair);
        builder.write(queuePair, key, bytes.address() + LENGTH);
        builder.setRange(queuePair, key, bytes.address(), Long.BYTES);
    }

    /** Status of the next completion, taken by {@code ibv_poll_cq}; -1 when there is none. */
    int status(final long queue) {
        final MemorySegment completion = ibv_wc.allocate(arena);
        return polls.pollQueue(queue, 1, completion.address()) == 0 ? -1 : ibv_wc.status(completion);
    }

    void send(final long value) {
        bytes.set(ValueLayout.JAVA_LONG, 0, value);
    }

    long written() {
        return bytes.get(ValueLayout.JAVA_LONG, LENGTH);
    }

    String violations() {
        return String.join("\n", fabric.violations.take());
    }

    MemorySegment struct(final MemoryLayout layout) {
        return arena.allocate(layout);
    }

    @Override
    public void close() {
        objects.destroyCompChannel(channel);
        device.closeDevice(context);
        arena.close();
    }
}
