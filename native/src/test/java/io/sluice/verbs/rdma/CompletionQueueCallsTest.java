package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Answers of a device itself when completion queues are created, without the checks that come before it in the object
 * model; the object model says the same of what the device has.
 * <p>
 * Stands for these cases of rdma-core's tests: {@code test_cqex.py} {@code test_create_cq_ex} and
 * {@code test_create_cq_ex_bad_flow}; {@code test_cq.py} {@code test_create_cq} and {@code test_create_cq_bad_flow}.
 */
class CompletionQueueCallsTest {
    private static final int ENTRIES = 10;
    /** Bits that {@code IBV_WC_EX_WITH_*} has. */
    private static final int FIELDS = 12;

    private VerbsDevice device;
    private SetupCall createExtended;

    @BeforeEach
    void open() {
        final String reason = DeviceFixtures.whyNoRdma();
        assumeTrue(reason.isEmpty(), reason);
        device = (VerbsDevice) RdmaDevices.open(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT);
        final long function =
            ExtendedContext.operation(device.context().address(), verbs_context.create_cq_ex$offset());
        assertNotEquals(0, function);
        createExtended = SetupCall.at("ibv_create_cq_ex", function,
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    /** OK or an error number. */
    private int createExtended(final int entries, final int fields, final int flags, final int vector) {
        try (Arena arena = Arena.ofConfined()) {
            return destroyed(entries, createExtended.invoke(device.context().address(), CompletionQueueFactory.encode(
                arena, new CompletionQueueAttributes(entries, fields, null).withFlags(flags).withVector(vector),
                entries, 0, 0)));
        }
    }

    private int create(final int entries, final int vector) {
        return destroyed(entries,
            device.context().verbs().createCq.invoke(device.context().address(), entries, 0L, 0L, vector));
    }

    private int destroyed(final int entries, final SetupCall.Result created) {
        if (created.value() == 0) {
            return created.errno();
        }
        assertTrue(UnsafeApi.getInt(created.value() + ibv_cq.cqe$offset()) >= entries);
        assertEquals(0, device.context().verbs().destroyCq.invoke(created.value()).value());
        return Errno.OK;
    }

    /** The object model finds the same where it polls by this interface. */
    private boolean isExtended() {
        return device.completionChoice().chosen() == CompletionInterface.EXTENDED;
    }

    @Test
    void shouldTakeOrRefuseEachFieldAlone() {
        for (int bit = 0; bit < FIELDS; bit++) {
            final int result = createExtended(ENTRIES, 1 << bit, CompletionQueueFlags.NONE, 0);
            assertTrue(result == Errno.OK || result == Errno.EOPNOTSUPP, "bit=" + bit + " errno=" + result);
            if (isExtended()) {
                assertEquals((device.attributes().completionFields() & 1 << bit) != 0, result == Errno.OK);
            }
        }
        assertEquals(Errno.OK, createExtended(
            2000, rdma_constants.IBV_WC_STANDARD_FLAGS(), CompletionQueueFlags.NONE, 0));
    }

    @Test
    void shouldTakeOrRefuseEachFlagAlone() {
        for (final int flag : new int[] {CompletionQueueFlags.SINGLE_THREADED, CompletionQueueFlags.IGNORE_OVERRUN}) {
            final int result = createExtended(ENTRIES, 0, flag, 0);
            assertTrue(result == Errno.OK || result == Errno.EOPNOTSUPP, "flag=" + flag + " errno=" + result);
            if (isExtended()) {
                assertEquals((device.attributes().completionQueueFlags() & flag) != 0, result == Errno.OK);
            }
        }
    }

    @Test
    void shouldRefuseTooManyEntriesAndVectorsThatItDoesNotHave() {
        final int max = device.attributes().maxCompletionQueueEntries();
        final int vectors = device.attributes().completionVectors();

        assertEquals(Errno.EINVAL, createExtended(max + 1, 0, CompletionQueueFlags.NONE, 0));
        assertEquals(Errno.EINVAL, create(max + 1, 0));
        // The first one that there is not, and the one of rdma-core's tests.
        for (final int vector : new int[] {vectors, vectors + 1}) {
            assertEquals(Errno.EINVAL, createExtended(ENTRIES, 0, CompletionQueueFlags.NONE, vector));
            assertEquals(Errno.EINVAL, create(100, vector));
        }
    }

    @Test
    void shouldCreateEverySizeForEveryVectorByBothCalls() {
        final int max = device.attributes().maxCompletionQueueEntries();
        final int vectors = device.attributes().completionVectors();
        for (final int entries : new int[] {1, max / 2, max}) {
            for (int vector = 0; vector < Math.min(2, vectors); vector++) {
                assertEquals(Errno.OK, create(entries, vector));
                assertEquals(Errno.OK, createExtended(entries, 0, CompletionQueueFlags.NONE, vector));
            }
        }
        assertEquals(Errno.OK, create(vectors, vectors - 1));
    }
}
