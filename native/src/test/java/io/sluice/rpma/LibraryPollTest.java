package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The library's own rpma_cq_get_wc and rpma_cq_wait over a device by a script, after the library's unit tests. Its
 * struct of a queue is in no header; the test makes one as all releases have it, which rpma_cq_get_fd proves.
 */
class LibraryPollTest {
    private static final int EIO = 5;
    private static final int CAPACITY = 8;
    /** Layout of {@code struct rpma_cq}: channel, whether it is shared, queue. */
    private static final long QUEUE_LENGTH = 24;
    private static final long IS_SHARED_OFFSET = 8;
    private static final long DEVICE_QUEUE_OFFSET = 16;

    /** Answers of the device, 0 when left out, and the opcodes that it then writes, RECV when left out. */
    private final Deque<Integer> polls = new ArrayDeque<>();
    private final Deque<Integer> opcodes = new ArrayDeque<>();
    private final List<Integer> asked = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final WorkCompletions completions = new WorkCompletions(CAPACITY);
    private ScriptedRpma rpma;
    private MemorySegment struct;
    private int descriptor;
    private RpmaCompletionQueue queue;

    @BeforeEach
    void makeQueue() {
        rpma = new ScriptedRpma("rpma_cq_get_wc", "rpma_cq_get_fd", "rpma_cq_wait", "rpma_log_set_function");
        rpma.answer("poll_cq", call -> poll((int) call[1], (MemorySegment) call[2]));
        descriptor = SystemCalls.newEventDescriptor();
        final MemorySegment context = ibv_context.allocate(rpma.arena);
        ibv_context_ops.poll_cq(ibv_context.ops(context),
            rpma.function("poll_cq", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS)));
        final MemorySegment channel = ibv_comp_channel.allocate(rpma.arena);
        ibv_comp_channel.context(channel, context);
        ibv_comp_channel.fd(channel, descriptor);
        final MemorySegment deviceQueue = ibv_cq.allocate(rpma.arena);
        ibv_cq.context(deviceQueue, context);
        struct = rpma.arena.allocate(QUEUE_LENGTH, Long.BYTES);
        struct.set(ADDRESS, 0, channel);
        struct.set(ADDRESS, DEVICE_QUEUE_OFFSET, deviceQueue);
        rpma.answer("rpma_conn_get_cq", call -> {
            ScriptedRpma.write(call[1], struct.address());
            return 0;
        });
        queue = rpma.connect().completionQueue();
        rpma.library.messages().function((level, file, line, function, message) -> logged.add(message));
        assertEquals(descriptor, queue.descriptor());
    }

    @AfterEach
    void close() {
        if (queue != null) {
            RpmaLog.function(null);
            SystemCalls.close(descriptor);
            rpma.close();
        }
    }

    private int poll(final int limit, final MemorySegment records) {
        asked.add(limit);
        final int result = polls.isEmpty() ? 0 : polls.poll();
        final MemorySegment memory = records.reinterpret(limit * ibv_wc.sizeof());
        for (int i = 0; i < Math.min(result, limit); i++) {
            ibv_wc.opcode(ibv_wc.asSlice(memory, i), opcodes.isEmpty() ? WorkOpcode.RECV : opcodes.poll());
        }
        return result;
    }

    @Test
    void shouldTellThatThereIsNone() {
        assertEquals(RpmaError.E_NO_COMPLETION, queue.getCompletions(CAPACITY, completions));
        assertEquals(RpmaError.E_NO_COMPLETION, queue.getCompletion(completions));
        assertEquals(Errno.ENOENT, queue.startPoll());
        assertEquals(List.of(CAPACITY, 1, CompletionBatch.CAPACITY), asked);
        assertEquals(List.of(), logged);
    }

    @Test
    void shouldTellThatTheDeviceFails() {
        polls.addAll(List.of(-1, -1, -1));

        assertEquals(RpmaError.E_PROVIDER, queue.getCompletions(CAPACITY, completions));
        assertEquals(RpmaError.E_PROVIDER, queue.getCompletion(completions));
        assertEquals(EIO, queue.startPoll());
        assertEquals(List.of("ibv_poll_cq() failed (no details available)",
            "ibv_poll_cq() failed (no details available)", "ibv_poll_cq() failed (no details available)"), logged);
    }

    @Test
    void shouldTellThatTheDeviceTakesMoreThanItShould() {
        polls.addAll(List.of(3, 2, 17));

        assertEquals(RpmaError.E_UNKNOWN, queue.getCompletions(2, completions));
        assertEquals(RpmaError.E_UNKNOWN, queue.getCompletion(completions));
        assertEquals(EIO, queue.startPoll());
        assertEquals("ibv_poll_cq() returned 3 where <= 2 is expected", logged.getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void shouldNotAskTheDeviceForNothing(final int limit) {
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(limit, completions));
        assertEquals(List.of(), asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {WorkOpcode.SEND, WorkOpcode.RDMA_WRITE, WorkOpcode.RDMA_READ, WorkOpcode.RECV,
        WorkOpcode.RECV_RDMA_WITH_IMM, WorkOpcode.FLUSH, WorkOpcode.ATOMIC_WRITE, WorkOpcode.DRIVER1, 0x4000})
    void shouldTakeACompletionOfEachKind(final int opcode) {
        polls.addAll(List.of(1, 1, 1));
        opcodes.addAll(List.of(opcode, opcode, opcode));

        assertEquals(RpmaError.OK, queue.getCompletion(completions));
        assertEquals(opcode, completions.opcode(0));
        assertEquals(1, queue.getCompletions(1, completions));
        assertEquals(opcode, completions.opcode(0));
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(opcode, queue.opcode());
        assertEquals(WorkStatus.SUCCESS, queue.status());
        queue.endPoll();
    }

    @Test
    void shouldTakeCompletionsOfAllKindsAtOnce() {
        final List<Integer> all = List.of(WorkOpcode.SEND, WorkOpcode.RDMA_WRITE, WorkOpcode.RDMA_READ,
            WorkOpcode.RECV, WorkOpcode.RECV_RDMA_WITH_IMM);
        polls.add(all.size());
        opcodes.addAll(all);

        assertEquals(all.size(), queue.getCompletions(CAPACITY, completions));
        for (int i = 0; i < all.size(); i++) {
            assertEquals(all.get(i), completions.opcode(i));
        }
    }

    @Test
    void shouldNotWaitForWhatDoesNotCome() {
        assertEquals(RpmaError.E_NO_COMPLETION, queue.await(0));
        assertEquals(RpmaError.E_NO_COMPLETION, rpma.library.calls().cqWait(struct.address()));
    }

    @Test
    void shouldNotWaitOnASharedChannel() {
        struct.set(JAVA_INT, IS_SHARED_OFFSET, 1);

        assertEquals(RpmaError.E_SHARED_CHANNEL, rpma.library.calls().cqWait(struct.address()));
        SystemCalls.signal(descriptor);
        assertEquals(RpmaError.E_SHARED_CHANNEL, queue.await(0));
    }
}
