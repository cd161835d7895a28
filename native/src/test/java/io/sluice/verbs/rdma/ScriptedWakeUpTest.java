package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.foreign.Allocations;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A thread that is woken by an event allocates nothing: counted by the JVM for this thread. The library's functions are
 * Java's, and take and give nothing but primitives, so that they allocate nothing either.
 */
class ScriptedWakeUpTest {
    private final Allocations allocations = new Allocations();
    private final Arena arena = Arena.ofShared();
    private ScriptedManager manager;
    private long handle;
    private long taken;
    private long acknowledged;

    @BeforeEach
    void open() throws ReflectiveOperationException {
        allocations.assume();
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

    @Test
    void shouldNotAllocateWhenAnEventWakesAThread() {
        final CompletionChannel channel = manager.device.createCompletionChannel();
        final CompletionQueue queue =
            manager.device.createCompletionQueue(new CompletionQueueAttributes(1, 0, channel));
        handle = ((VerbsCompletionQueue) queue).handle;
        SystemCalls.signal(manager.completionDescriptor);

        allocations.shouldBeNoneOf(() -> {
            if (channel.await(0) && channel.getEvent(0) == queue) {
                queue.acknowledgeEvents(1);
            }
        });

        assertEquals(allocations.operations(), taken);
        assertEquals(allocations.operations(), acknowledged);
    }

    @Test
    void shouldNotAllocateWhenAThreadWakesAnother() {
        final CompletionChannel channel = manager.device.createCompletionChannel();

        allocations.shouldBeNoneOf(() -> {
            channel.wake();
            taken += channel.await(0) ? 1 : 0;
        });

        assertEquals(allocations.operations(), taken);
    }
}
