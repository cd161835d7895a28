package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_values_ex;
import io.sluice.verbs.rdma.generated.timespec;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clock of a device whose functions are written in Java; soft-RoCE has none. */
class ScriptedClockTest {
    private static final int EIO = 5;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment extended = verbs_context.allocate(arena);
    private final MemorySegment context = verbs_context.context(extended);
    private int queryResult;
    private int valuesResult;
    private int answeredMask = 1;
    private long seconds;

    ScriptedClockTest() {
        ibv_context.abi_compat(context, MemorySegment.ofAddress(-1L));
        verbs_context.sz(extended, verbs_context.sizeof());
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private HardwareClock clock() {
        verbs_context.query_device_ex(extended, stub("queryDevice",
            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class, MemorySegment.class, long.class),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG)));
        verbs_context.query_rt_values(extended, stub("queryValues",
            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS)));
        return withoutFunctions();
    }

    private HardwareClock withoutFunctions() {
        return new HardwareClock(context.address(), 1 << 31 | (int) DeviceCapability.RC_IP_CSUM);
    }

    private MemorySegment stub(final String method, final MethodType type, final FunctionDescriptor descriptor) {
        try {
            return Linker.nativeLinker().upcallStub(MethodHandles.lookup().bind(this, method, type), descriptor, arena);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private int queryDevice(
        final MemorySegment of, final MemorySegment input, final MemorySegment attributes, final long length) {
        assertEquals(context.address(), of.address());
        assertEquals(0, input.address());
        assertEquals(ibv_device_attr_ex.sizeof(), length);
        final MemorySegment written = attributes.reinterpret(length);
        ibv_device_attr_ex.hca_core_clock(written, 156_250);
        ibv_device_attr_ex.completion_timestamp_mask(written, -1);
        ibv_device_attr_ex.device_cap_flags_ex(written, DeviceCapability.RAW_SCATTER_FCS);
        return queryResult;
    }

    private int queryValues(final MemorySegment of, final MemorySegment values) {
        final MemorySegment written = values.reinterpret(ibv_values_ex.sizeof());
        assertEquals(1, ibv_values_ex.comp_mask(written), "the clock is asked for");
        ibv_values_ex.comp_mask(written, answeredMask);
        timespec.tv_sec(ibv_values_ex.raw_clock(written), seconds);
        timespec.tv_nsec(ibv_values_ex.raw_clock(written), 1L << 40);
        return valuesResult;
    }

    @Test
    void shouldTellRateAndTimeOfTheClock() {
        final HardwareClock clock = clock();

        assertEquals(new DeviceClock(156_250, -1), clock.clock());
        assertEquals(1L << 40, clock.ticks());
        seconds = 3;
        assertEquals((1L << 40) + 3_000_000_000L, clock.ticks());
    }

    @Test
    void shouldTellWhatTheDeviceCanDo() {
        final long plain = 1L << 31 | DeviceCapability.RC_IP_CSUM;

        assertEquals(plain | DeviceCapability.RAW_SCATTER_FCS, clock().capabilities());
        queryResult = Errno.EOPNOTSUPP;
        assertEquals(plain, clock().capabilities(), "of the plain query alone");
    }

    @Test
    void shouldKnowNothingOfAClockThatTheDeviceDoesNotTellOf() {
        queryResult = Errno.EOPNOTSUPP;

        assertEquals(DeviceClock.UNKNOWN, clock().clock());
    }

    private static String failure(final int errno, final HardwareClock clock) {
        final VerbsException e = assertThrows(VerbsException.class, clock::ticks);
        assertEquals(errno, e.errno());
        assertTrue(e.getMessage().contains("ibv_query_rt_values_ex"), e.getMessage());
        return e.getMessage();
    }

    @Test
    void shouldSayThatThereIsNoClock() {
        assertEquals(DeviceClock.UNKNOWN, withoutFunctions().clock());
        assertTrue(failure(Errno.EOPNOTSUPP, withoutFunctions()).contains("no clock"));
        answeredMask = 0;
        assertTrue(failure(Errno.EOPNOTSUPP, clock()).contains("no clock"), "it has filled nothing in");
    }

    @Test
    void shouldTellWhyTheClockCannotBeRead() {
        valuesResult = EIO;

        assertTrue(failure(EIO, clock()).contains("cannot be read"));
    }
}
