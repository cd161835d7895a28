package io.sluice.verbs.rdma;

import io.sluice.verbs.rdma.generated.ibv_device_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Asks an opened device for what ibv_query_device(3) tells. Stateless; any thread. */
final class DeviceQuery {
    private DeviceQuery() {
    }

    /** The {@code device_cap_flags} of a device. */
    static int capabilities(final VerbsLibrary verbs, final long context) {
        try (Arena arena = Arena.ofConfined()) {
            return ibv_device_attr.device_cap_flags(query(verbs, context, arena));
        }
    }

    static DeviceVendor vendor(final VerbsLibrary verbs, final long context, final String name) {
        try (Arena arena = Arena.ofConfined()) {
            return DeviceVendor.of(ibv_device_attr.vendor_id(query(verbs, context, arena)), verbs.folder(name));
        }
    }

    static long nodeGuid(final VerbsLibrary verbs, final long context) {
        try (Arena arena = Arena.ofConfined()) {
            return ibv_device_attr.node_guid(query(verbs, context, arena));
        }
    }

    /** Attributes of a device, an {@code ibv_device_attr} in the arena. */
    static MemorySegment query(final VerbsLibrary verbs, final long context, final Arena arena) {
        final MemorySegment attributes = ibv_device_attr.allocate(arena);
        verbs.queryDevice.check("the device does not tell its limits", context, attributes);
        return attributes;
    }

    static int portCount(final VerbsLibrary verbs, final long context) {
        try (Arena arena = Arena.ofConfined()) {
            return Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(query(verbs, context, arena)));
        }
    }
}
