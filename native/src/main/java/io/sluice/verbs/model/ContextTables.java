package io.sluice.verbs.model;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.UnsafeApi;

/** Fills the tables of function pointers by which the header's inline functions call a provider. Any thread. */
final class ContextTables {
    private static final List<Reader> READERS = List.of(
        new Reader(CompletionField.BYTE_LENGTH, "readByteLength", ibv_cq_ex.read_byte_len$offset()),
        new Reader(CompletionField.IMMEDIATE, "readImmediate", ibv_cq_ex.read_imm_data$offset()),
        new Reader(CompletionField.QUEUE_PAIR_NUMBER, "readQueuePair", ibv_cq_ex.read_qp_num$offset()),
        new Reader(CompletionField.SOURCE_QUEUE_PAIR, "readSource", ibv_cq_ex.read_src_qp$offset()),
        new Reader(CompletionField.SOURCE_LID, "readSourceLid", ibv_cq_ex.read_slid$offset()),
        new Reader(CompletionField.SERVICE_LEVEL, "readNothing", ibv_cq_ex.read_sl$offset()),
        new Reader(CompletionField.DESTINATION_PATH_BITS, "readNothing", ibv_cq_ex.read_dlid_path_bits$offset()),
        new Reader(CompletionField.COMPLETION_TIMESTAMP, "readTime", ibv_cq_ex.read_completion_ts$offset()),
        new Reader(CompletionField.CUSTOMER_VLAN, "readNothing", ibv_cq_ex.read_cvlan$offset()),
        new Reader(CompletionField.FLOW_TAG, "readNothing", ibv_cq_ex.read_flow_tag$offset()),
        new Reader(CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK, "readTime",
            ibv_cq_ex.read_completion_wallclock_ns$offset()));

    private final Fabric fabric;
    private final PollFunctions polls;
    private final PostFunctions posts;
    private final BuilderFunctions builder;
    /** Functions of whatever contexts; set once, before the first is opened. */
    private DeviceFunctions device;
    private ObjectFunctions objects;
    private QueueFunctions queues;
    /** Functions by name, each made once. */
    private final Map<String, Long> functions = new HashMap<>();

    /** The reader of a field, by the bit of that, and where in {@code ibv_cq_ex} it is. */
    private record Reader(int field, String method, long offset) {
    }

    ContextTables(final Fabric fabric) {
        this.fabric = fabric;
        polls = new PollFunctions(fabric);
        posts = new PostFunctions(fabric);
        builder = new BuilderFunctions(fabric, posts);
    }

    void connect(
        final DeviceFunctions deviceFunctions,
        final ObjectFunctions objectFunctions,
        final QueueFunctions queueFunctions) {
        device = deviceFunctions;
        objects = objectFunctions;
        queues = queueFunctions;
    }

    private synchronized long function(final Object target, final String name) {
        return functions.computeIfAbsent(
            target.getClass().getSimpleName() + name, key -> fabric.stubs.of(target, name));
    }

    private synchronized long command(final Object target, final String name, final String call) {
        return functions.computeIfAbsent(
            target.getClass().getSimpleName() + name, key -> fabric.stubOf(target, name, call));
    }

    private void putCommand(
        final long table, final long offset, final Object target, final String name, final String call) {
        UnsafeApi.putLong(table + offset, command(target, name, call));
    }

    /** Puts a function of the data path into a table. */
    private void putHot(final long table, final long offset, final Object target, final String name) {
        final long other = fabric.path.function(name);
        UnsafeApi.putLong(table + offset, other == 0 ? function(target, name) : other);
    }

    void fill(final ModelContext context) {
        final long plain = context.address() + ibv_context.ops$offset();
        putHot(plain, ibv_context_ops.poll_cq$offset(), polls, "pollQueue");
        putHot(plain, ibv_context_ops.req_notify_cq$offset(), polls, "requestNotify");
        putHot(plain, ibv_context_ops.post_send$offset(), posts, "postSend");
        putHot(plain, ibv_context_ops.post_recv$offset(), posts, "postReceive");
        putHot(plain, ibv_context_ops.post_srq_recv$offset(), posts, "postSharedReceive");
        final long extended = context.memory.address();
        putCommand(
            extended, verbs_context.query_device_ex$offset(), device, "queryDeviceEx", "ibv_query_device_ex");
        if (fabric.card.has(Trait.READS_CLOCK)) {
            putCommand(
                extended, verbs_context.query_rt_values$offset(), device, "queryValues", "ibv_query_rt_values_ex");
        }
        if (fabric.card.has(Trait.EXTENDED_QUEUES)) {
            putCommand(
                extended, verbs_context.create_cq_ex$offset(), queues, "createExtendedQueue", "ibv_create_cq_ex");
        }
        if (fabric.card.has(Trait.BUILDER)) {
            putCommand(
                extended, verbs_context.create_qp_ex$offset(), queues, "createExtendedPair", "ibv_create_qp_ex");
        }
        if (fabric.card.has(Trait.PARENT_DOMAINS)) {
            putCommand(extended, verbs_context.alloc_td$offset(), objects, "allocThread", "ibv_alloc_td");
            putCommand(extended, verbs_context.dealloc_td$offset(), objects, "freeThread", "ibv_dealloc_td");
            putCommand(extended, verbs_context.alloc_parent_domain$offset(), objects, "allocParentDomain",
                "ibv_alloc_parent_domain");
        }
    }

    /** Fills a queue's table of functions, in which a field that was not asked for has no reader. */
    void fillQueue(final long queue, final int fields) {
        putHot(queue, ibv_cq_ex.start_poll$offset(), polls, "startPoll");
        putHot(queue, ibv_cq_ex.next_poll$offset(), polls, "nextPoll");
        putHot(queue, ibv_cq_ex.end_poll$offset(), polls, "endPoll");
        putHot(queue, ibv_cq_ex.read_opcode$offset(), polls, "readOpcode");
        putHot(queue, ibv_cq_ex.read_vendor_err$offset(), polls, "readNothing");
        putHot(queue, ibv_cq_ex.read_wc_flags$offset(), polls, "readFlags");
        for (final Reader reader : READERS) {
            if ((fields & reader.field) != 0) {
                putHot(queue, reader.offset, polls, reader.method);
            }
        }
    }

    void fillPair(final long queuePair) {
        putHot(queuePair, ibv_qp_ex.wr_start$offset(), builder, "start");
        putHot(queuePair, ibv_qp_ex.wr_complete$offset(), builder, "complete");
        putHot(queuePair, ibv_qp_ex.wr_rdma_write$offset(), builder, "write");
        putHot(queuePair, ibv_qp_ex.wr_rdma_write_imm$offset(), builder, "writeWithImmediate");
        putHot(queuePair, ibv_qp_ex.wr_rdma_read$offset(), builder, "read");
        putHot(queuePair, ibv_qp_ex.wr_atomic_cmp_swp$offset(), builder, "compareSwap");
        putHot(queuePair, ibv_qp_ex.wr_atomic_fetch_add$offset(), builder, "fetchAdd");
        putHot(queuePair, ibv_qp_ex.wr_send$offset(), builder, "send");
        putHot(queuePair, ibv_qp_ex.wr_send_imm$offset(), builder, "sendWithImmediate");
        putHot(queuePair, ibv_qp_ex.wr_set_ud_addr$offset(), builder, "setAddress");
        putHot(queuePair, ibv_qp_ex.wr_set_sge$offset(), builder, "setRange");
        putHot(queuePair, ibv_qp_ex.wr_set_inline_data$offset(), builder, "setInline");
    }
}
