package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.foreign.ScriptedFunctions;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trials of a device for all that no query tells: made once, as long as it stays there. */
class ScriptedTrialsTest extends ScriptedManagerTests {
    private static final FunctionDescriptor CREATE =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final String EXTENDED = "ibv_create_cq_ex";

    private long nodeGuid = 1;

    @BeforeEach
    void scriptTrials() {
        final MemorySegment queue = ibv_cq_ex.allocate(manager.libraries.arena);
        manager.libraries.answer(EXTENDED, queue.address());
        final ScriptedFunctions.Answer query = manager.libraries.answer("ibv_query_device");
        manager.libraries.answer("ibv_query_device", arguments -> {
            final long result = query.call(arguments);
            final MemorySegment attributes = ((MemorySegment) arguments[1]).reinterpret(ibv_device_attr.sizeof());
            ibv_device_attr.node_guid(attributes, nodeGuid);
            // extended queues of others hold a lock, and are not used
            ibv_device_attr.vendor_id(attributes, DeviceVendor.EFA);
            return result;
        });
    }

    private MemorySegment extendedContext() {
        final MemorySegment inner = manager.context();
        verbs_context.create_cq_ex(
            MemorySegment.ofAddress(inner.address() - verbs_context.context$offset())
                .reinterpret(verbs_context.sizeof()),
            manager.libraries.function(EXTENDED, CREATE));
        return inner;
    }

    private VerbsDevice open() {
        manager.libraries.calls.clear();
        return VerbsDevice.of(
            SystemEnvironment.instance(), manager.device.context().verbs(), extendedContext().address(),
            ScriptedManager.DEVICE, RdmaDeviceOptions.DEFAULT);
    }

    private List<String> made() {
        return manager.libraries.calls.stream().filter(call -> call.matches("ibv_(create|alloc)_.*")).toList();
    }

    @Test
    void shouldTryOutADeviceOnce() {
        final VerbsDevice first = open();
        assertNotEquals(List.of(), made());

        final VerbsDevice second = open();

        assertEquals(List.of(), made());
        assertEquals(first.attributes(), second.attributes());
        assertEquals(first.completionChoice(), second.completionChoice());
        first.close();
        second.close();
    }

    @Test
    void shouldTryOutAnotherDeviceOfTheSameName() {
        open().close();
        nodeGuid = 2;

        open().close();

        assertNotEquals(List.of(), made());
    }

    /** The driver or firmware of a device that was away may be another one. */
    @Test
    void shouldTryOutADeviceAgainThatWasAway() {
        final VerbsDevice device = open();
        device.release();

        open().close();

        assertNotEquals(List.of(), made());
    }

    /** The device may have had no room, and what is refused costs nothing. */
    @Test
    void shouldAskAgainForWhatWasRefused() {
        final ScriptedFunctions.Answer answer = manager.libraries.answer(EXTENDED);
        final int[] asked = new int[1];
        // a field that is not one of messages, without which there would be legacy queues
        manager.libraries.answer(EXTENDED, arguments -> ++asked[0] == 7 ? 0 : answer.call(arguments));
        final VerbsDevice first = open();
        manager.libraries.answer(EXTENDED, answer);

        final VerbsDevice second = open();

        assertEquals(List.of(EXTENDED), made());
        assertEquals(1, Integer.bitCount(
            first.attributes().completionFields() ^ second.attributes().completionFields()));
        first.close();
        second.close();
    }
}
