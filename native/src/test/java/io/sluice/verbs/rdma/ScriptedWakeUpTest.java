package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A thread that is woken by an event allocates nothing: counted by the JVM for this thread. The library's functions are
 * Java's, and take and give nothing but primitives, so that they allocate nothing either.
 */
class ScriptedWakeUpTest {
    private static final int REPETITIONS = 20_000;
    private static final int MAX_ROUNDS = 100;
    /** Less than an object for each operation, and room for what the JVM itself allocates now and then. */
    private static final long MAX_BYTES = REPETITIONS / 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Arena arena = Arena.ofShared();
    private ScriptedManager manager;
    private long handle;
    private long operations;
    private long taken;
    private long acknowledged;

    @BeforeEach
    void open() throws ReflectiveOperationException {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count allocations by thread");
        assumeTrue("4".equals(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("TieredStopAtLevel").getValue()), "this JVM does not optimise: each call of C allocates");
        threads.setThreadAllocatedMemoryEnabled(true);
        final MemorySegment take =
            stub("takeEvent", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        final MemorySegment acknowledge = stub("acknowledge", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
        manager = new ScriptedManager(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT, libraries -> {
            libraries.stub("ibv_get_cq_event", take);
            libraries.stub("ibv_ack_cq_events", acknowledge);
        });
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
        arena.close();
    }

    private MemorySegment stub(final String method, final FunctionDescriptor descriptor)
        throws ReflectiveOperationException {
        return Linker.nativeLinker().upcallStub(
            MethodHandles.lookup().bind(this, method, descriptor.toMethodType()), descriptor, arena);
    }

    int takeEvent(final long channel, final long queue, final long context) {
        taken++;
        UnsafeApi.putLong(queue, handle);
        return 0;
    }

    void acknowledge(final long queue, final int count) {
        acknowledged += count;
    }

    /** As soon as the code is compiled, which other threads do meanwhile. */
    private void shouldNotAllocate(final Runnable operation) {
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < MAX_ROUNDS && allocated > MAX_BYTES; round++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < REPETITIONS; i++) {
                operation.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            operations += REPETITIONS;
        }
        final long last = allocated;
        assertTrue(last <= MAX_BYTES, () -> last + " bytes in " + REPETITIONS + " operations");
    }

    @Test
    void shouldNotAllocateWhenAnEventWakesAThread() {
        final CompletionChannel channel = manager.device.createCompletionChannel();
        final CompletionQueue queue =
            manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, channel));
        handle = ((VerbsCompletionQueue) queue).handle;
        SystemCalls.signal(manager.completionDescriptor);

        shouldNotAllocate(() -> {
            if (channel.await(0) && channel.getEvent(0) == queue) {
                queue.acknowledgeEvents(1);
            }
        });

        assertEquals(operations, taken);
        assertEquals(operations, acknowledged);
    }

    @Test
    void shouldNotAllocateWhenAThreadWakesAnother() {
        final CompletionChannel channel = manager.device.createCompletionChannel();

        shouldNotAllocate(() -> {
            channel.wake();
            taken += channel.await(0) ? 1 : 0;
        });

        assertEquals(operations, taken);
    }
}
