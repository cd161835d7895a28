package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_mr;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_cm_event;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_conn_param;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_event_channel;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A connection manager and a device below it, both by a script: a test says which events come, which calls fail, and
 * sees which states queue pairs were brought to.
 */
public class ScriptedManager implements AutoCloseable {
    static final String DEVICE = "scripted_0";
    private static final int ENTRIES = 64;
    private static final int MTU_CODE = 5;
    private static final int MAX_ATOMIC = 0xff;
    private static final int FIRST_NUMBER = 17;

    final ScriptedLibraries libraries = new ScriptedLibraries();
    /** States that queue pairs were asked to take, {@code IBV_QPS_}. */
    final List<Integer> states = new CopyOnWriteArrayList<>();
    /** The one of them that the device refuses, with that error; -1 for none. */
    volatile int refusedState = -1;
    volatile int refusal;
    /** Identifiers by the order of their creation. */
    final List<MemorySegment> ids = new ArrayList<>();
    /** Descriptor of all completion channels. */
    final int completionDescriptor = SystemCalls.newEventDescriptor();
    final VerbsDevice device;
    /** Protection domain of all queue pairs. */
    final ProtectionDomain domain;
    final VerbsCompletionQueue queue;
    private final MemorySegment context;
    private final int eventDescriptor = SystemCalls.newEventDescriptor();
    private final int asyncDescriptor = SystemCalls.newEventDescriptor();
    private final Queue<MemorySegment> events = new ConcurrentLinkedQueue<>();
    private int created;

    ScriptedManager() {
        this(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT, script -> { });
    }

    /** A device that was opened so, with answers that are there before it is. */
    ScriptedManager(
        final Environment environment, final RdmaDeviceOptions options, final Consumer<ScriptedLibraries> script) {
        context = context();
        scriptDevice();
        scriptConnections();
        script.accept(libraries);
        device = VerbsDevice.of(environment, libraries.verbs(), context.address(), DEVICE, options);
        domain = device.allocateProtectionDomain();
        queue = (VerbsCompletionQueue) device.createCompletionQueue(new CompletionQueueAttributes(ENTRIES, 0, null));
    }

    /** The device is in the kernel's list, with another context for who opens it, or is not there. */
    void isThere(final boolean isThere) {
        final MemorySegment list = libraries.arena.allocate(2L * Long.BYTES, Long.BYTES);
        list.set(ValueLayout.JAVA_LONG, 0, isThere ? memory(ENTRIES).address() : 0);
        libraries.answer("ibv_get_device_list", arguments -> {
            segment(arguments[0], Integer.BYTES).set(ValueLayout.JAVA_INT, 0, isThere ? 1 : 0);
            return list.address();
        });
        libraries.answer("ibv_open_device", arguments -> context().address());
    }

    /** Another {@code ibv_context} of the device. */
    MemorySegment context() {
        final MemorySegment whole = verbs_context.allocate(libraries.arena);
        verbs_context.sz(whole, verbs_context.sizeof());
        final MemorySegment inner = verbs_context.context(whole);
        ibv_context.abi_compat(inner, MemorySegment.ofAddress(-1));
        ibv_context.async_fd(inner, asyncDescriptor);
        ibv_context.num_comp_vectors(inner, 1);
        // Nothing is received, and nothing posted or polled but by a script.
        final MemorySegment nothing = libraries.find("ibv_close_device").orElseThrow();
        final MemorySegment operations = ibv_context.ops(inner);
        ibv_context_ops.poll_cq(operations, libraries.function("ibv_poll_cq", FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)));
        ibv_context_ops.req_notify_cq(operations, nothing);
        ibv_context_ops.post_send(operations, libraries.function("ibv_post_send", FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS)));
        ibv_context_ops.post_recv(operations, libraries.function("ibv_post_recv", FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS)));
        ibv_context_ops.post_srq_recv(operations, nothing);
        final FunctionDescriptor allocate = FunctionDescriptor.of(
            ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        verbs_context.alloc_td(whole, libraries.function("ibv_alloc_td", allocate));
        verbs_context.alloc_parent_domain(whole, libraries.function("ibv_alloc_parent_domain", allocate));
        verbs_context.dealloc_td(whole, libraries.function(
            "ibv_dealloc_td", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS)));
        return inner;
    }

    private void scriptDevice() {
        libraries.answer("ibv_get_device_name", libraries.arena.allocateFrom(DEVICE).address());
        libraries.answer("ibv_query_device", arguments -> {
            final MemorySegment limits = segment(arguments[1], ibv_device_attr.sizeof());
            ibv_device_attr.max_cqe(limits, ENTRIES);
            ibv_device_attr.max_qp_wr(limits, ENTRIES);
            ibv_device_attr.max_srq(limits, 1);
            ibv_device_attr.max_srq_wr(limits, ENTRIES);
            ibv_device_attr.max_mr_size(limits, -1);
            ibv_device_attr.max_qp_init_rd_atom(limits, MAX_ATOMIC);
            ibv_device_attr.max_qp_rd_atom(limits, MAX_ATOMIC);
            return 0;
        });
        libraries.answer("ibv_query_port", arguments -> {
            final MemorySegment port = segment(arguments[2], ibv_port_attr.sizeof());
            ibv_port_attr.state(port, rdma_constants.IBV_PORT_ACTIVE());
            ibv_port_attr.active_mtu(port, MTU_CODE);
            return 0;
        });
        scriptObjects();
    }

    private void scriptObjects() {
        libraries.answer("ibv_alloc_pd", arguments -> memory(ENTRIES).address());
        libraries.answer("ibv_alloc_td", arguments -> memory(ENTRIES).address());
        libraries.answer("ibv_alloc_parent_domain", arguments -> memory(ENTRIES).address());
        libraries.answer("ibv_reg_mr", arguments -> memory(ibv_mr.sizeof()).address());
        libraries.answer("ibv_create_srq", arguments -> memory(ENTRIES).address());
        libraries.answer("ibv_create_ah", arguments -> memory(ENTRIES).address());
        libraries.answer("ibv_create_comp_channel", arguments -> {
            final MemorySegment channel = memory(ibv_comp_channel.sizeof());
            ibv_comp_channel.fd(channel, completionDescriptor);
            return channel.address();
        });
        libraries.answer("ibv_create_cq", arguments -> memory(ibv_cq.sizeof()).address());
        libraries.answer("ibv_create_qp", arguments -> {
            final MemorySegment queuePair = memory(ibv_qp.sizeof());
            ibv_qp.qp_num(queuePair, FIRST_NUMBER + created++);
            return queuePair.address();
        });
        libraries.answer("ibv_modify_qp", arguments -> {
            final int state = ibv_qp_attr.qp_state(segment(arguments[1], ibv_qp_attr.sizeof()));
            states.add(state);
            return state == refusedState ? refusal : 0;
        });
    }

    private void scriptConnections() {
        libraries.answer("rdma_create_event_channel", arguments -> {
            final MemorySegment channel = rdma_event_channel.allocate(libraries.arena);
            rdma_event_channel.fd(channel, eventDescriptor);
            return channel.address();
        });
        libraries.answer("rdma_create_id", arguments -> {
            segment(arguments[1], Long.BYTES).set(ValueLayout.JAVA_LONG, 0, newId().address());
            return 0;
        });
        libraries.answer("rdma_get_cm_event", arguments -> {
            final MemorySegment event = events.poll();
            if (event == null) {
                return -1;
            }
            segment(arguments[1], Long.BYTES).set(ValueLayout.JAVA_LONG, 0, event.address());
            return 0;
        });
        libraries.answer("rdma_event_str", libraries.arena.allocateFrom("RDMA_CM_EVENT").address());
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private MemorySegment memory(final long length) {
        return libraries.arena.allocate(length, Long.BYTES);
    }

    private MemorySegment newId() {
        final MemorySegment id = rdma_cm_id.allocate(libraries.arena);
        rdma_cm_id.verbs(id, context);
        ids.add(id);
        return id;
    }

    /** A queue pair in the INIT state. */
    ReliableQueuePair newQueuePair() {
        final QueuePairAttributes attributes =
            new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0);
        final ReliableQueuePair queuePair = (ReliableQueuePair) domain.createQueuePair(attributes);
        queuePair.initialise(0);
        return queuePair;
    }

    /** Close all objects but the device. */
    void closeObjects() {
        queue.close();
        domain.close();
    }

    /** The next poll finds an event, {@code RDMA_CM_EVENT_}, of an identifier. */
    void deliver(final int type, final MemorySegment id) {
        deliver(type, id, 0);
    }

    /** Deliver an event that tells the number of the peer's queue pair. */
    void deliver(final int type, final MemorySegment id, final int number) {
        final MemorySegment event = rdma_cm_event.allocate(libraries.arena);
        rdma_cm_event.event(event, type);
        rdma_cm_event.id(event, id);
        rdma_conn_param.qp_num(rdma_cm_event.param.conn(rdma_cm_event.param(event)), number);
        events.add(event);
        SystemCalls.signal(eventDescriptor);
    }

    /** Deliver a rejection, with a reason of the connection manager and the peer's private data. */
    void reject(final int reason, final byte[] privateData, final MemorySegment id) {
        final MemorySegment event = rdma_cm_event.allocate(libraries.arena);
        rdma_cm_event.event(event, rdma_constants.RDMA_CM_EVENT_REJECTED());
        rdma_cm_event.id(event, id);
        rdma_cm_event.status(event, reason);
        final MemorySegment parameters = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        rdma_conn_param.private_data(
            parameters, libraries.arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData));
        rdma_conn_param.private_data_len(parameters, (byte) privateData.length);
        events.add(event);
        SystemCalls.signal(eventDescriptor);
    }

    /** Deliver a request to a listener: its new identifier. */
    MemorySegment request(final MemorySegment listener) {
        return request(listener, 0);
    }

    /** Deliver a request of a peer that answers so many READs and atomics at a time. */
    MemorySegment request(final MemorySegment listener, final int initiatorDepth) {
        return request(listener, initiatorDepth, 0);
    }

    /** Deliver a request of a peer whose queue pair has a number. */
    MemorySegment request(final MemorySegment listener, final int initiatorDepth, final int number) {
        final MemorySegment id = newId();
        final MemorySegment event = rdma_cm_event.allocate(libraries.arena);
        rdma_cm_event.event(event, rdma_constants.RDMA_CM_EVENT_CONNECT_REQUEST());
        rdma_cm_event.id(event, id);
        rdma_cm_event.listen_id(event, listener);
        final MemorySegment parameters = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        rdma_conn_param.initiator_depth(parameters, (byte) initiatorDepth);
        rdma_conn_param.qp_num(parameters, number);
        events.add(event);
        SystemCalls.signal(eventDescriptor);
        return id;
    }

    /** The device refuses to bring queue pairs into a state. */
    void refuse(final int state, final int error) {
        refusal = error;
        refusedState = state;
    }

    @Override
    public void close() {
        SystemCalls.close(eventDescriptor);
        SystemCalls.close(asyncDescriptor);
        SystemCalls.close(completionDescriptor);
        libraries.close();
    }
}
