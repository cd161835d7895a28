package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** A completion queue of {@link ScriptedRpma}, whose channel is an event descriptor. Any thread. */
final class ScriptedQueue implements AutoCloseable {
    static final int OPCODE = 129;
    static final int VENDOR_ERROR = 0x55;
    static final int BYTE_LENGTH = 4096;
    static final int IMMEDIATE = 0x0102_0304;
    /** The four bytes of {@link #IMMEDIATE} in this host's order. */
    static final int INVALIDATED_KEY = 0x0403_0201;
    static final int FLAGS = 2;
    static final int NUMBER = 17;
    static final int SOURCE = 18;

    /** Completions that each poll takes, or the error that it returns; what is left out is none. */
    final Deque<Integer> polls = new ConcurrentLinkedDeque<>();
    /** Statuses of the next completions; what is left out is a success. */
    final Deque<Integer> statuses = new ConcurrentLinkedDeque<>();
    /** The ways in which it was polled: how many were asked for, and whether they were to be counted. */
    final List<String> asked = new CopyOnWriteArrayList<>();
    final int descriptor = SystemCalls.newEventDescriptor();
    private final Deque<Integer> waits = new ConcurrentLinkedDeque<>();
    private long nextId = 1;

    /** The channel becomes readable, and the next wait returns this. */
    void announce(final int result) {
        waits.add(result);
        SystemCalls.signal(descriptor);
    }

    /** {@code rpma_cq_wait} of a channel that does not block. */
    int takeEvent() {
        // first, or it would clear what is announced meanwhile
        SystemCalls.clear(descriptor);
        final Integer result = waits.poll();
        if (!waits.isEmpty()) {
            SystemCalls.signal(descriptor);
        }
        return result == null ? RpmaError.E_NO_COMPLETION : result;
    }

    /** Let polls take all of these. */
    ScriptedQueue willTake(final Integer... counts) {
        polls.addAll((Collection<Integer>) List.of(counts));
        return this;
    }

    /** {@code rpma_cq_get_wc}. */
    int getCompletions(final int limit, final MemorySegment records, final MemorySegment count) {
        asked.add(limit + (count.address() == 0 ? " uncounted" : " counted"));
        if (limit < 1 || limit > 1 && count.address() == 0) {
            return RpmaError.E_INVAL;
        }
        final int result = polls.isEmpty() ? 0 : polls.poll();
        if (result <= 0) {
            return result == 0 ? RpmaError.E_NO_COMPLETION : result;
        }
        write(result, records.reinterpret(limit * ibv_wc.sizeof()));
        if (count.address() != 0) {
            count.reinterpret(Integer.BYTES).set(JAVA_INT, 0, result);
        }
        return RpmaError.OK;
    }

    private void write(final int count, final MemorySegment records) {
        for (int i = 0; i < count; i++) {
            final MemorySegment record = ibv_wc.asSlice(records, i);
            ibv_wc.wr_id(record, nextId++);
            ibv_wc.status(record, statuses.isEmpty() ? WorkStatus.SUCCESS : statuses.poll());
            ibv_wc.opcode(record, OPCODE);
            ibv_wc.vendor_err(record, VENDOR_ERROR);
            ibv_wc.byte_len(record, BYTE_LENGTH);
            ibv_wc.imm_data(record, Integer.reverseBytes(IMMEDIATE));
            ibv_wc.qp_num(record, NUMBER);
            ibv_wc.src_qp(record, SOURCE);
            ibv_wc.wc_flags(record, FLAGS);
        }
    }

    @Override
    public void close() {
        SystemCalls.close(descriptor);
    }
}
