package io.sluice.verbs.model;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import io.sluice.verbs.rdma.generated.ibv_device;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_device_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_values_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.timespec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;

/** The functions of libibverbs that are about a device as a whole. Any thread. */
final class DeviceFunctions {
    /** Length of a global address. */
    static final int GID_LENGTH = 16;
    /** LID of the only port, on InfiniBand. */
    static final int LID = 7;
    static final int MTU_CODE = 5;
    private static final int MAX_ENTRIES = 1 << 16;
    private static final int MAX_WORK = 1 << 14;
    private static final int MAX_READS = 16;
    private static final int CLOCK_KHZ = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int GLOBAL_ROUTE_REQUIRED = 1;
    private static final short DEFAULT_PARTITION = (short) 0xffff;

    private final Fabric fabric;
    private final ContextTables tables;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment device = arena.allocate(ibv_device.layout());
    private final MemorySegment name;
    private final MemorySegment list = arena.allocate(2L * Long.BYTES, Long.BYTES);

    DeviceFunctions(final Fabric fabric, final ContextTables tables) {
        this.fabric = fabric;
        this.tables = tables;
        name = arena.allocateFrom(nameOf(fabric.card));
        list.set(ValueLayout.JAVA_LONG, 0, device.address());
        ibv_device.transport_type(device, rdma_constants.IBV_TRANSPORT_IB());
    }

    static String nameOf(final ModelCard card) {
        return "model_" + card.name();
    }

    /** The address that the port has: on Ethernet the loopback address, which connections are made by. */
    static byte[] gid(final LinkLayer link) {
        final byte[] gid = new byte[GID_LENGTH];
        if (link == LinkLayer.ETHERNET) {
            System.arraycopy(new byte[] {-1, -1, Byte.MAX_VALUE, 0, 0, 1}, 0, gid, GID_LENGTH - 6, 6);
        } else {
            gid[0] = (byte) 0xfe;
            gid[1] = (byte) 0x80;
            gid[GID_LENGTH - 1] = 1;
        }
        return gid;
    }

    long getDeviceList(final long count) {
        UnsafeApi.putInt(count, 1);
        return list.address();
    }

    void freeDeviceList(final long devices) {
        // it is the model's as long as that is there
    }

    long getDeviceName(final long of) {
        return name.address();
    }

    long openDevice(final long of) {
        synchronized (fabric) {
            final ModelContext context = new ModelContext(device.address());
            tables.fill(context);
            return fabric.handles.add(context.address(), context).address();
        }
    }

    int closeDevice(final long context) {
        synchronized (fabric) {
            fabric.handles.get(ModelContext.class, context).events.close();
            fabric.handles.remove(context);
            return Errno.OK;
        }
    }

    int queryDevice(final long context, final long result) {
        final MemorySegment limits = Stubs.struct(result, ibv_device_attr.layout());
        limits.fill((byte) 0);
        final ModelCard card = fabric.card;
        MemorySegment.copy(MemorySegment.ofArray(("model of " + card.name()).getBytes(StandardCharsets.US_ASCII)), 0,
            ibv_device_attr.fw_ver(limits), 0, ("model of " + card.name()).length());
        ibv_device_attr.vendor_id(limits, card.vendor());
        ibv_device_attr.max_mr_size(limits, -1);
        ibv_device_attr.max_qp(limits, MAX_ENTRIES);
        ibv_device_attr.max_qp_wr(limits, MAX_WORK);
        ibv_device_attr.device_cap_flags(limits, (int) DeviceCapability.RC_RNR_NAK_GEN);
        ibv_device_attr.max_sge(limits, card.maxScatterEntries());
        ibv_device_attr.max_cq(limits, MAX_ENTRIES);
        ibv_device_attr.max_cqe(limits, MAX_ENTRIES);
        ibv_device_attr.max_mr(limits, MAX_ENTRIES);
        ibv_device_attr.max_pd(limits, MAX_ENTRIES);
        ibv_device_attr.max_qp_rd_atom(limits, MAX_READS);
        ibv_device_attr.max_qp_init_rd_atom(limits, MAX_READS);
        ibv_device_attr.phys_port_cnt(limits, (byte) 1);
        ibv_device_attr.atomic_cap(limits, card.has(Trait.ATOMICS) ? 1 : 0);
        if (card.has(Trait.SHARED_RECEIVES)) {
            ibv_device_attr.max_srq(limits, MAX_ENTRIES);
            ibv_device_attr.max_srq_wr(limits, MAX_WORK);
            ibv_device_attr.max_srq_sge(limits, card.maxScatterEntries());
        }
        return Errno.OK;
    }

    int queryPort(final long context, final byte number, final long result) {
        if (number != 1) {
            return Errno.EINVAL;
        }
        final MemorySegment port = Stubs.struct(result, ibv_port_attr.layout());
        port.fill((byte) 0);
        ibv_port_attr.state(port, rdma_constants.IBV_PORT_ACTIVE());
        ibv_port_attr.max_mtu(port, MTU_CODE);
        ibv_port_attr.active_mtu(port, MTU_CODE);
        ibv_port_attr.gid_tbl_len(port, 1);
        ibv_port_attr.pkey_tbl_len(port, (short) 1);
        final LinkLayer link = fabric.card.linkLayer();
        ibv_port_attr.link_layer(port, (byte) link.ordinal());
        ibv_port_attr.lid(port, (short) (link == LinkLayer.INFINIBAND ? LID : 0));
        ibv_port_attr.flags(
            port, (byte) (fabric.card.has(Trait.REQUIRES_GLOBAL_ROUTE) ? GLOBAL_ROUTE_REQUIRED : 0));
        return Errno.OK;
    }

    int queryGid(final long context, final byte port, final int index, final long result) {
        if (port != 1 || index != 0) {
            return -1;
        }
        Stubs.struct(result, ibv_gid.layout()).copyFrom(MemorySegment.ofArray(gid(fabric.card.linkLayer())));
        return Errno.OK;
    }

    int queryPkey(final long context, final byte port, final int index, final long result) {
        if (port != 1 || index != 0) {
            return -1;
        }
        UnsafeApi.putShort(result, DEFAULT_PARTITION);
        return Errno.OK;
    }

    int getAsyncEvent(final long context, final long result) {
        synchronized (fabric) {
            final ModelContext.AsyncEvent event = fabric.handles.get(ModelContext.class, context).events.poll();
            if (event == null) {
                return Stubs.failed(SystemCalls.EAGAIN);
            }
            final MemorySegment struct = Stubs.struct(result, ibv_async_event.layout());
            ibv_async_event.event_type(struct, event.type());
            UnsafeApi.putLong(result + ibv_async_event.element$offset(), event.element());
            return Errno.OK;
        }
    }

    void ackAsyncEvent(final long event) {
        // nothing waits for it: an object that goes takes its events with it
    }

    /** Answers {@code ibv_query_device_ex} of a context. */
    int queryDeviceEx(final long context, final long input, final long result, final long length) {
        final MemorySegment attributes = Stubs.struct(result, ibv_device_attr_ex.layout());
        attributes.fill((byte) 0);
        queryDevice(context, result);
        if ((fabric.card.fields() & CompletionField.COMPLETION_TIMESTAMP) != 0) {
            ibv_device_attr_ex.hca_core_clock(attributes, fabric.card.has(Trait.READS_CLOCK) ? CLOCK_KHZ : 0);
            ibv_device_attr_ex.completion_timestamp_mask(attributes, -1);
        }
        return Errno.OK;
    }

    /** Answers {@code ibv_query_rt_values_ex} of a context. */
    int queryValues(final long context, final long values) {
        final MemorySegment result = Stubs.struct(values, ibv_values_ex.layout());
        final long nowNs = fabric.environment.nanoTime();
        ibv_values_ex.comp_mask(result, rdma_constants.IBV_VALUES_MASK_RAW_CLOCK());
        timespec.tv_sec(ibv_values_ex.raw_clock(result), nowNs / NANOS_PER_SECOND);
        timespec.tv_nsec(ibv_values_ex.raw_clock(result), nowNs % NANOS_PER_SECOND);
        return Errno.OK;
    }
}
