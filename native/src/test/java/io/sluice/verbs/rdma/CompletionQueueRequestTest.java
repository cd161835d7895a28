package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Requests that a device gets when a completion queue is created, and those that are refused before. */
class CompletionQueueRequestTest {
    private static final CompletionQueueAttributes PLAIN =
        new CompletionQueueAttributes(64, CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE, null);

    private static DeviceAttributes device(final int fields, final int flags, final boolean hasParentDomains) {
        return new DeviceAttributes(
            1000, 100, true, 64, 4096, fields, flags, true, 2, hasParentDomains, 1, 1, false, 0, 0, false,
            0, DeviceClock.UNKNOWN);
    }

    private static String refusal(
        final CompletionQueueAttributes asked, final DeviceAttributes device, final int errno) {
        return refusal(asked, device, CompletionInterface.EXTENDED, errno);
    }

    private static String refusal(
        final CompletionQueueAttributes asked,
        final DeviceAttributes device,
        final CompletionInterface chosen,
        final int errno) {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> CompletionQueueFactory.check(asked, device, chosen));
        assertEquals(errno, refused.errno());
        return refused.getMessage();
    }

    @Test
    void shouldMaskWhatIsNotInUse() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment request = CompletionQueueFactory.encode(arena, PLAIN, 80, 0, 0);

            assertEquals(80, ibv_cq_init_attr_ex.cqe(request));
            assertEquals(0, ibv_cq_init_attr_ex.channel(request).address());
            assertEquals(0, ibv_cq_init_attr_ex.comp_vector(request));
            assertEquals(PLAIN.fields(), ibv_cq_init_attr_ex.wc_flags(request));
            assertEquals(0, ibv_cq_init_attr_ex.comp_mask(request));
            assertEquals(0, ibv_cq_init_attr_ex.flags(request));
            assertEquals(0, ibv_cq_init_attr_ex.parent_domain(request).address());
        }
    }

    @Test
    void shouldTellFlagsVectorChannelAndParentDomain() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment request = CompletionQueueFactory.encode(
                arena, PLAIN.withFlags(CompletionQueueFlags.IGNORE_OVERRUN).withVector(1), 64, 0x1000, 0x2000);

            assertEquals(0x1000, ibv_cq_init_attr_ex.channel(request).address());
            assertEquals(1, ibv_cq_init_attr_ex.comp_vector(request));
            assertEquals(3, ibv_cq_init_attr_ex.comp_mask(request));
            assertEquals(CompletionQueueFlags.IGNORE_OVERRUN, ibv_cq_init_attr_ex.flags(request));
            assertEquals(0x2000, ibv_cq_init_attr_ex.parent_domain(request).address());
        }
    }

    @Test
    void shouldAcceptWhatTheDeviceHas() {
        assertDoesNotThrow(() -> CompletionQueueFactory.check(
            PLAIN.withFlags(CompletionQueueFlags.SINGLE_THREADED).withVector(1).withParentDomain(new AnyDomain()),
            device(PLAIN.fields(), CompletionQueueFlags.SINGLE_THREADED, true), CompletionInterface.EXTENDED));
    }

    @Test
    void shouldRefuseByNameWhatTheDeviceLacks() {
        final DeviceAttributes device = device(PLAIN.fields(), CompletionQueueFlags.SINGLE_THREADED, false);

        final String fields = refusal(new CompletionQueueAttributes(
            1, CompletionField.IMMEDIATE | CompletionField.FLOW_TAG | CompletionField.CUSTOMER_VLAN, null),
            device, Errno.EOPNOTSUPP);
        assertTrue(fields.contains("fields=CUSTOMER_VLAN|FLOW_TAG"), fields);
        final String flags = refusal(
            PLAIN.withFlags(CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN), device,
            Errno.EOPNOTSUPP);
        assertTrue(flags.contains("flags=IGNORE_OVERRUN"), flags);
        final String domain = refusal(PLAIN.withParentDomain(new AnyDomain()), device, Errno.EOPNOTSUPP);
        assertTrue(domain.contains("parentDomain"), domain);
        final String vector = refusal(PLAIN.withVector(2), device, Errno.EINVAL);
        assertTrue(vector.contains("vector=2 is not in 0..1"), vector);
    }

    /** The older verb has no place for it. */
    @Test
    void shouldRefuseAParentDomainOfLegacyQueues() {
        final DeviceAttributes device = device(PLAIN.fields(), CompletionQueueFlags.NONE, true);

        final String domain = refusal(
            PLAIN.withParentDomain(new AnyDomain()), device, CompletionInterface.LEGACY, Errno.EOPNOTSUPP);

        assertTrue(domain.contains("parentDomain needs extended completion queues"), domain);
        assertDoesNotThrow(() -> CompletionQueueFactory.check(PLAIN, device, CompletionInterface.LEGACY));
    }

    /** A domain that is asked about by identity only. */
    private static final class AnyDomain implements ProtectionDomain {
        @Override
        public MemoryRegion allocateRegion(final long length, final int access) {
            throw new AssertionError();
        }

        @Override
        public MemoryRegion registerForSends(final MemoryRegion region) {
            throw new AssertionError();
        }

        @Override
        public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
            throw new AssertionError();
        }

        @Override
        public QueuePair createQueuePair(final QueuePairAttributes attributes) {
            throw new AssertionError();
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
            throw new AssertionError();
        }

        @Override
        public ProtectionDomain allocateParentDomain() {
            throw new AssertionError();
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
