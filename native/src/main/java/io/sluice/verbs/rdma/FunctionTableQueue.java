package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The provider's completion queues over a table of function pointers without a device, for who measures what a poll
 * costs. They can be polled and nothing else. One thread.
 */
public final class FunctionTableQueue {
    private static final CompletionQueueAttributes ASKED = new CompletionQueueAttributes(
        ExtendedCompletionQueue.MAX_BATCH, CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE, null);

    private static final FailedWork.Known NO_QUEUE_PAIRS = (queue, queuePair) -> {
        // all work succeeds
    };

    private FunctionTableQueue() {
    }

    /**
     * A queue polled by start, next and end.
     *
     * @param table address of an {@code ibv_cq_ex}.
     * @return the queue, which must not be closed.
     */
    public static CompletionQueue extended(final long table) {
        return new ExtendedCompletionQueue(null, null, table, ASKED, 0, ExtendedCompletionQueue.MAX_BATCH,
            (queue, queuePair) -> { });
    }

    /**
     * A queue polled by one call for a batch.
     *
     * @param table    address of an {@code ibv_cq}.
     * @param function address of its {@code poll_cq}.
     * @return the queue, which must not be closed.
     */
    public static CompletionQueue legacy(final long table, final long function) {
        return new LegacyCompletionQueue(null, null, table, ASKED, 0, function, false, () -> NO_QUEUE_PAIRS);
    }

    /**
     * Offset of {@code poll_cq} in a context.
     *
     * @return bytes from its beginning.
     */
    public static long pollFunctionOffset() {
        return ibv_context.ops$offset() + ibv_context_ops.poll_cq$offset();
    }

    /**
     * Definitions for a C compiler: sizes and offsets of what the bindings know.
     *
     * @return arguments of the form {@code -DNAME=VALUE}.
     */
    public static List<String> definitions() {
        final Map<String, Long> values = new TreeMap<>(Map.of(
            "POLL_CQ_OFFSET", pollFunctionOffset(),
            "STATUS_OFFSET", ibv_cq_ex.status$offset(),
            "WR_ID_OFFSET", ibv_cq_ex.wr_id$offset(),
            "START_POLL_OFFSET", ibv_cq_ex.start_poll$offset(),
            "READ_WC_FLAGS_OFFSET", ibv_cq_ex.read_wc_flags$offset(),
            "CQ_EX_LENGTH", ibv_cq_ex.layout().byteSize(),
            "WC_LENGTH", ibv_wc.layout().byteSize(),
            "WC_IMM_DATA_OFFSET", ibv_wc.imm_data$offset()));
        return values.entrySet().stream().map(value -> "-D" + value.getKey() + "=" + value.getValue()).toList();
    }
}
