package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Allocations;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Map;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Polling and posting allocate nothing: counted by the JVM for this thread. The library's functions are Java's here,
 * too, and take and give nothing but primitives, so that they allocate nothing either.
 */
class RpmaAllocationTest {
    private static final int FLAGS = RpmaCompletionFlags.ALWAYS;

    private final Allocations allocations = new Allocations();
    private final WorkCompletions completions = new WorkCompletions(CompletionBatch.CAPACITY);
    private final Map<String, MemorySegment> dataPath;
    private final Arena arena = Arena.ofShared();
    private int posts;
    private long nextId;
    private long sum;
    private ScriptedRpma rpma;
    private RpmaConnection connection;
    private RpmaMemoryRegion region;
    private RpmaRemoteRegion remote;

    RpmaAllocationTest() {
        final MemorySegment send = stub("send", long.class, long.class, long.class, long.class, int.class, long.class);
        final MemorySegment sendWithImmediate = stub("sendWithImmediate", long.class, long.class, long.class,
            long.class, int.class, int.class, long.class);
        final MemorySegment move = stub("move", long.class, long.class, long.class, long.class, long.class, long.class,
            int.class, long.class);
        dataPath = Map.of(
            "rpma_cq_get_wc", stub("getCompletions", long.class, int.class, long.class, long.class),
            "rpma_send", send,
            "rpma_atomic_write", send,
            "rpma_send_with_imm", sendWithImmediate,
            "rpma_flush", sendWithImmediate,
            "rpma_recv", stub("receive", long.class, long.class, long.class, long.class, long.class),
            "rpma_read", move,
            "rpma_write", move,
            "rpma_write_with_imm", stub("moveWithImmediate", long.class, long.class, long.class, long.class,
                long.class, long.class, int.class, int.class, long.class));
    }

    @BeforeEach
    void connect() {
        allocations.assume();
        rpma = new ScriptedRpma(dataPath);
        connection = rpma.connect();
        region = rpma.peer.register(4096, RpmaUsage.SEND);
        remote = rpma.peer.remoteRegion(new byte[21]);
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
        arena.close();
    }

    private MemorySegment stub(final String method, final Class<?>... arguments) {
        try {
            final FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT, Arrays.stream(arguments)
                .map(type -> type == int.class ? JAVA_INT : JAVA_LONG).toArray(MemoryLayout[]::new));
            return Linker.nativeLinker().upcallStub(MethodHandles.lookup().bind(
                this, method, MethodType.methodType(int.class, arguments)), descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(method, e);
        }
    }

    /** Completions, as many as are asked for, each with the next id. */
    int getCompletions(final long queue, final int limit, final long records, final long count) {
        for (int i = 0; i < limit; i++) {
            UnsafeApi.putLong(records + i * ibv_wc.sizeof(), nextId++);
        }
        if (count != 0) {
            UnsafeApi.putInt(count, limit);
        }
        return RpmaError.OK;
    }

    int send(
        final long on, final long source, final long offset, final long length, final int flags, final long id) {
        return ++posts > 0 ? RpmaError.OK : RpmaError.E_PROVIDER;
    }

    int sendWithImmediate(final long on, final long source, final long offset, final long length, final int flags,
        final int immediate, final long id) {
        return send(on, source, offset, length, flags, id);
    }

    int receive(final long on, final long destination, final long offset, final long length, final long id) {
        return send(on, destination, offset, length, 0, id);
    }

    int move(final long on, final long to, final long toOffset, final long from, final long fromOffset,
        final long length, final int flags, final long id) {
        return send(on, to, toOffset, length, flags, id);
    }

    int moveWithImmediate(final long on, final long to, final long toOffset, final long from, final long fromOffset,
        final long length, final int flags, final int immediate, final long id) {
        return send(on, to, toOffset, length, flags, id);
    }

    @Test
    void shouldNotAllocateWhenDrainingInBatches() {
        final RpmaCompletionQueue queue = connection.completionQueue();
        allocations.shouldBeNoneOf(() -> {
            if (queue.startPoll() == Errno.OK) {
                for (int i = 1; i < 2 * CompletionBatch.CAPACITY; i++) {
                    sum += queue.workRequestId() + queue.status() + queue.queuePairNumber() + queue.vendorError()
                        + queue.opcode() + queue.byteLength() + queue.immediateData() + queue.flags();
                    sum += queue.nextPoll();
                }
                queue.endPoll();
            }
        });
        assertEquals(allocations.operations() * 2 * CompletionBatch.CAPACITY, nextId);
    }

    @Test
    void shouldNotAllocateWhenTakingCompletions() {
        final RpmaCompletionQueue queue = connection.completionQueue();
        allocations.shouldBeNoneOf(() -> {
            final int taken = queue.getCompletions(CompletionBatch.CAPACITY, completions);
            for (int i = 0; i < taken; i++) {
                sum += completions.workRequestId(i) + completions.status(i) + completions.opcode(i)
                    + completions.byteLength(i) + completions.immediateData(i) + completions.queuePairNumber(i);
            }
            sum += queue.getCompletion(completions);
        });
        assertEquals(allocations.operations() * (CompletionBatch.CAPACITY + 1), nextId);
    }

    @Test
    void shouldNotAllocateWhenPosting() {
        allocations.shouldBeNoneOf(() -> {
            sum += connection.send(region, 0, 1, FLAGS, 1) + connection.sendWithImmediate(region, 0, 1, FLAGS, 2, 1)
                + connection.receive(region, 0, 1, 1) + connection.read(region, 0, remote, 0, 1, FLAGS, 1)
                + connection.write(remote, 0, region, 0, 1, FLAGS, 1)
                + connection.writeWithImmediate(remote, 0, region, 0, 1, FLAGS, 2, 1)
                + connection.atomicWrite(remote, 0, 1, FLAGS, 1)
                + connection.flush(remote, 0, 1, RpmaFlushType.VISIBILITY, FLAGS, 1);
        });
        assertEquals(allocations.operations() * 8, posts);
        assertEquals(0, sum);
    }
}
