package io.sluice.verbs.rdma;

import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_device_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_values_ex;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.timespec;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Set-up: the clock of a device and what else only the extended query tells, by verbs that are {@code static inline} in
 * the header. Any thread.
 */
final class HardwareClock {
    private static final String QUERY_CALL = "ibv_query_device_ex";
    private static final String VALUES_CALL = "ibv_query_rt_values_ex";
    private static final FunctionDescriptor QUERY = FunctionDescriptor.of(ValueLayout.JAVA_INT,
        ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor VALUES =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MASK_32_BITS = 0xffff_ffffL;

    private final long context;
    private final DeviceClock clock;
    private final long capabilities;
    /** The call that queries the clock; null when library or device has none. */
    private final SetupCall queryValues;

    /**
     * Create the clock of a device.
     *
     * @param context      address of its {@code ibv_context}.
     * @param capabilities {@code device_cap_flags} of the plain query.
     */
    HardwareClock(final long context, final int capabilities) {
        this.context = context;
        final long values = ExtendedContext.operation(context, verbs_context.query_rt_values$offset());
        queryValues = values == 0 ? null : SetupCall.at(VALUES_CALL, values, VALUES);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = query(arena);
            clock = new DeviceClock(ibv_device_attr_ex.hca_core_clock(attributes),
                ibv_device_attr_ex.completion_timestamp_mask(attributes));
            this.capabilities = capabilities & MASK_32_BITS | ibv_device_attr_ex.device_cap_flags_ex(attributes);
        }
    }

    /**
     * Queries the extended attributes of the device: all zero when library or device has no such query, as nothing is
     * known then.
     */
    private MemorySegment query(final Arena arena) {
        final long function = ExtendedContext.operation(context, verbs_context.query_device_ex$offset());
        if (function != 0) {
            final MemorySegment attributes = ibv_device_attr_ex.allocate(arena);
            final SetupCall query = SetupCall.at(QUERY_CALL, function, QUERY);
            if (query.invoke(context, 0L, attributes, ibv_device_attr_ex.sizeof()).error() == Errno.OK) {
                return attributes;
            }
        }
        return ibv_device_attr_ex.allocate(arena);
    }

    /** The clock as the device describes it. */
    DeviceClock clock() {
        return clock;
    }

    /** {@link io.sluice.verbs.DeviceCapability} bits. */
    long capabilities() {
        return capabilities;
    }

    /** The ticks that the clock shows now. */
    long ticks() {
        if (queryValues == null) {
            throw noClock();
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment values = ibv_values_ex.allocate(arena);
            final int mask = rdma_constants.IBV_VALUES_MASK_RAW_CLOCK();
            ibv_values_ex.comp_mask(values, mask);
            queryValues.check("the clock cannot be read", context, values);
            if ((ibv_values_ex.comp_mask(values) & mask) == 0) {
                throw noClock();
            }
            // Ticks, and no time of day: devices leave the seconds 0.
            final MemorySegment raw = ibv_values_ex.raw_clock(values);
            return timespec.tv_sec(raw) * NANOS_PER_SECOND + timespec.tv_nsec(raw);
        }
    }

    private static VerbsException noClock() {
        return new VerbsException(
            VALUES_CALL, Errno.EOPNOTSUPP, "the device has no clock that can be read");
    }
}
