package io.sluice.rpma;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.LinkedFunctions;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.rdma_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * The devices that the connection manager has opened, rdma_get_devices(3): a connection is on one of these contexts, so
 * that a peer must be, too. Closed when no peer is on one of them any more.
 */
final class DeviceContexts implements AutoCloseable {
    private static final int MAX_NAME_LENGTH = 64;

    private final Functions functions;
    private final long list;
    private final int count;

    private DeviceContexts(final Functions functions) {
        this.functions = functions;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            list = functions.getDevices.pointer("there are no RDMA devices", length);
            count = length.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The contexts at this moment. */
    static DeviceContexts open() {
        return new DeviceContexts(new Functions(NativeLibraries.instance()));
    }

    /**
     * The context of a device.
     *
     * @throws VerbsException when there is none of that name.
     */
    long find(final String name) {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final long context = UnsafeApi.getLong(list + (long) i * Long.BYTES);
            // an ibv_context begins with its device
            final String found = functions.nameOf(UnsafeApi.getLong(context));
            if (found.equals(name)) {
                return context;
            }
            names.add(found);
        }
        throw new VerbsException(functions.getDevices.name(), Remedies.ENODEV,
            names.isEmpty() ? "there is no RDMA device" + Remedies.remedy(Remedies.ENODEV)
                : "there is no device " + name + " but " + names + ": name one of these");
    }

    @Override
    public void close() {
        functions.freeDevices.invoke(list);
    }

    /** The functions of librdmacm and libibverbs about it. */
    private static final class Functions extends LinkedFunctions {
        private final SetupCall getDevices = link("rdma_get_devices", rdma_h::rdma_get_devices$descriptor);
        private final SetupCall freeDevices = link("rdma_free_devices", rdma_h::rdma_free_devices$descriptor);
        private final SetupCall getName = link("ibv_get_device_name", rdma_h::ibv_get_device_name$descriptor);

        private Functions(final NativeLibraries libraries) {
            super(libraries);
        }

        private String nameOf(final long device) {
            final long name = getName.pointer("a device has no name", device);
            return MemorySegment.ofAddress(name).reinterpret(MAX_NAME_LENGTH).getString(0);
        }
    }
}
