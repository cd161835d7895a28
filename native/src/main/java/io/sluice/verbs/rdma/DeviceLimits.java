package io.sluice.verbs.rdma;

import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_cap;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** Finds out what a device can do, some of it by trying. */
final class DeviceLimits {
    /** The number of inline bytes that no device takes: one that grants them does not look at the number. */
    private static final int MAX_INLINE_DATA = 4096;
    /** Regions of devices that know no limit. */
    private static final long MAX_REGION_LENGTH = 1L << 46;

    /** Most reads that the one byte of a connection request says. */
    private static final int MAX_READ_ATOMIC = 0xff;
    /** {@code IBV_ATOMIC_NONE}. */
    private static final int NO_ATOMICS = 0;

    private DeviceLimits() {
    }

    static DeviceAttributes find(final DeviceContext device, final CompletionQueueFactory completionQueues) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = DeviceQuery.query(device.verbs(), device.address(), arena);
            final HardwareClock clock = device.clock();
            final long maxRegion = ibv_device_attr.max_mr_size(attributes);
            final boolean isConnected =
                device.trials().works("reliable connected", () -> makes(device, rdma_constants.IBV_QPT_RC()));
            final boolean hasDatagrams =
                device.trials().works("datagrams", () -> makes(device, rdma_constants.IBV_QPT_UD()));
            return new DeviceAttributes(
                ibv_device_attr.max_cqe(attributes),
                ibv_device_attr.max_qp_wr(attributes),
                isConnected,
                // one more, since of a trial 0 is a refusal, and not kept
                device.trials().result("inline bytes", () -> 1 + maxInlineData(
                    device, isConnected ? rdma_constants.IBV_QPT_RC() : rdma_constants.IBV_QPT_UD())) - 1,
                maxRegion < 0 ? MAX_REGION_LENGTH : Math.min(maxRegion, MAX_REGION_LENGTH),
                completionQueues.fields(),
                completionQueues.flags(),
                device.vendor().resizesSafely() && device.trials().works("resizing", () -> resizes(device)),
                UnsafeApi.getInt(device.address() + ibv_context.num_comp_vectors$offset()),
                device.trials().works("parent domains", () -> hasParentDomains(device)),
                Math.min(ibv_device_attr.max_qp_init_rd_atom(attributes), MAX_READ_ATOMIC),
                Math.min(ibv_device_attr.max_qp_rd_atom(attributes), MAX_READ_ATOMIC),
                ibv_device_attr.atomic_cap(attributes) != NO_ATOMICS,
                ibv_device_attr.max_srq(attributes) == 0 ? 0 : ibv_device_attr.max_srq_wr(attributes),
                hasDatagrams ? VerbsPort.mtuBytes(device.ports().last().mtu()) : 0,
                false,
                clock.capabilities(),
                clock.clock());
        }
    }

    private static boolean hasParentDomains(final DeviceContext device) {
        final long domain = device.verbs().allocPd.pointer("no protection domain", device.address());
        try {
            return device.parentDomains().areSupported(domain);
        } finally {
            device.verbs().deallocPd.invoke(domain);
        }
    }

    private static boolean resizes(final DeviceContext device) {
        return byTrying(device, (domain, queue) -> device.verbs().resizeCq.invoke(queue, 2).error()) == Errno.OK;
    }

    private static boolean makes(final DeviceContext device, final int type) {
        return byTrying(device, (domain, queue) -> takesInline(device.verbs(), domain, queue, type, 0) ? 1 : 0) != 0;
    }

    /** The largest that a queue pair can be created with; no query tells it. */
    private static int maxInlineData(final DeviceContext device, final int type) {
        return byTrying(device, (domain, queue) -> {
            if (takesInline(device.verbs(), domain, queue, type, MAX_INLINE_DATA)) {
                return 0;
            }
            int works = 0;
            int fails = MAX_INLINE_DATA;
            while (fails - works > 1) {
                final int middle = (works + fails) >>> 1;
                if (takesInline(device.verbs(), domain, queue, type, middle)) {
                    works = middle;
                } else {
                    fails = middle;
                }
            }
            return works;
        });
    }

    /** Finds out something with the handles of a domain and a completion queue. */
    private interface Trial {
        int run(long domain, long queue);
    }

    private static int byTrying(final DeviceContext device, final Trial trial) {
        final VerbsLibrary verbs = device.verbs();
        final long domain = verbs.allocPd.pointer("no protection domain", device.address());
        try {
            final long queue = verbs.createCq.pointer("no completion queue", device.address(), 1, 0L, 0L, 0);
            try {
                return trial.run(domain, queue);
            } finally {
                verbs.destroyCq.invoke(queue);
            }
        } finally {
            verbs.deallocPd.invoke(domain);
        }
    }

    private static boolean takesInline(
        final VerbsLibrary verbs, final long domain, final long queue, final int type, final int length) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment initial = ibv_qp_init_attr.allocate(arena);
            ibv_qp_init_attr.send_cq(initial, MemorySegment.ofAddress(queue));
            ibv_qp_init_attr.recv_cq(initial, MemorySegment.ofAddress(queue));
            ibv_qp_init_attr.qp_type(initial, type);
            final MemorySegment sizes = ibv_qp_init_attr.cap(initial);
            ibv_qp_cap.max_send_wr(sizes, 1);
            ibv_qp_cap.max_recv_wr(sizes, 1);
            ibv_qp_cap.max_send_sge(sizes, 1);
            ibv_qp_cap.max_recv_sge(sizes, 1);
            ibv_qp_cap.max_inline_data(sizes, length);
            final SetupCall.Result result = verbs.createQp.invoke(domain, initial);
            if (result.value() == 0) {
                return false;
            }
            verbs.destroyQp.invoke(result.value());
            // Some drivers take any value and grant another.
            return ibv_qp_cap.max_inline_data(sizes) >= length;
        }
    }
}
