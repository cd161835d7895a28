package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that is registered: whose it is, and when it is given back. */
class RpmaMemoryRegionTest {
    /** Length of a region where nothing else that the JVM maps is likely to fit afterwards. */
    private static final long LENGTH = 1 << 24;
    private static final int ATTEMPTS = 20;
    private static final int USAGES = RpmaUsage.SEND | RpmaUsage.RECEIVE;

    private ScriptedRpma rpma;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private static boolean isMapped(final long address) throws IOException {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.map(mapping -> mapping.split("[- ]")).anyMatch(ends ->
                Long.compareUnsigned(Long.parseUnsignedLong(ends[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0);
        }
    }

    @Test
    void shouldRegisterNewMemory() throws IOException {
        final RpmaMemoryRegion region = rpma.peer.register(LENGTH, USAGES);
        final UnsafeBuffer buffer = region.buffer();

        assertEquals(List.of(ScriptedRpma.PEER_HANDLE, region.address(), LENGTH, (long) USAGES),
            rpma.argumentsOf("rpma_mr_reg").subList(0, 4));
        assertEquals(LENGTH, region.length());
        assertEquals(USAGES, region.usages());
        assertEquals(LENGTH, buffer.capacity());
        assertEquals(region.address(), buffer.addressOffset());
        assertEquals(0, buffer.getByte((int) LENGTH - 1));
        buffer.putByte((int) LENGTH - 1, (byte) 1);
        region.close();
        assertFalse(isMapped(region.address()));
    }

    @Test
    void shouldKeepMemoryThatTheDeviceMayStillWriteTo() throws IOException {
        rpma.fail("rpma_mr_dereg", RpmaError.E_PROVIDER, "ibv_dereg_mr() failed: " + LogCall.errorText(5));
        final RpmaMemoryRegion region = rpma.peer.register(LENGTH, USAGES);

        final RpmaException e = assertThrows(RpmaException.class, region::close);
        assertTrue(e.getMessage().contains("the memory stays registered and is not given back"), e.getMessage());
        assertTrue(isMapped(region.address()));
        region.close();
        assertTrue(isMapped(region.address()));
        assertEquals(1, rpma.count("rpma_mr_dereg"));
    }

    @Test
    void shouldGiveMemoryBackThatIsNotRegistered() throws IOException {
        final AtomicLong address = new AtomicLong();
        rpma.answer("rpma_mr_reg", call -> {
            address.set(((MemorySegment) call[1]).address());
            return rpma.fail("ibv_reg_mr() failed: " + LogCall.errorText(12));
        });

        boolean isGivenBack = false;
        // another thread of the JVM may map memory where the region was: not each time
        for (int attempt = 0; attempt < ATTEMPTS && !isGivenBack; attempt++) {
            final RpmaException e = assertThrows(RpmaException.class, () -> rpma.peer.register(LENGTH, USAGES));
            assertTrue(e.getMessage().startsWith(
                "rpma_mr_reg: no memory region: length=" + LENGTH + " usages=" + USAGES + ": ibv_reg_mr() failed: "),
                e.getMessage());
            isGivenBack = !isMapped(address.get());
        }
        assertTrue(isGivenBack);
    }

    @Test
    void shouldRegisterMemoryOfTheCallerAndLeaveItThere() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment memory = arena.allocate(1000, 64);
            final RpmaMemoryRegion region = rpma.peer.register(memory, RpmaUsage.READ_SOURCE);
            assertEquals(memory.address(), region.address());
            assertEquals(1000, region.buffer().capacity());

            region.buffer().putByte(999, (byte) 7);
            region.close();
            assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, 999));
        }
    }

    @Test
    void shouldRefuseMemoryThatNoDeviceCanReach() {
        final MemorySegment heap = MemorySegment.ofArray(new byte[64]);
        assertThrows(IllegalArgumentException.class, () -> rpma.peer.register(heap, USAGES));
        assertEquals(List.of(), rpma.calls);
        rpma.peer.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseNoBytes(final long length) {
        assertThrows(IllegalArgumentException.class, () -> rpma.peer.register(length, USAGES));
        assertEquals(List.of(), rpma.calls);
    }

    @Test
    void shouldSayThatThereIsNotSoMuchMemory() {
        final long length = 1L << 60;
        assertTrue(assertThrows(VerbsException.class, () -> rpma.peer.register(length, USAGES))
            .getMessage().contains("no memory for " + length + " bytes"));
        rpma.peer.close();
    }

    @Test
    void shouldDescribeMemoryForOthers() {
        final byte[] described = {9, 8, 7};
        rpma.answer("rpma_mr_get_descriptor_size", call -> {
            ScriptedRpma.write(call[1], (long) described.length);
            return 0;
        });
        rpma.answer("rpma_mr_get_descriptor", call -> {
            MemorySegment.copy(described, 0, ScriptedRpma.bytes(call[1], 3), ValueLayout.JAVA_BYTE, 0, 3);
            return 0;
        });

        assertArrayEquals(described, rpma.peer.register(1, USAGES).descriptor());
    }

    @Test
    void shouldAdviseTheDevice() {
        final RpmaMemoryRegion region = rpma.peer.register(LENGTH, USAGES);
        region.advise(0x1_0000_0000L, 4096, 1, 1);

        assertEquals(List.of(region.handle(), 0x1_0000_0000L, 4096L, 1L, 1L),
            rpma.argumentsOf("rpma_mr_advise"));
        rpma.fail("rpma_mr_advise", RpmaError.E_NOSUPP, "ibv_advise_mr() is not supported by the system");
        final RpmaException e = assertThrows(RpmaException.class, () -> region.advise(0, 1, 0, 0));
        assertEquals(RpmaError.E_NOSUPP, e.code());
    }

    @Test
    void shouldTellNothingOfAClosedRegion() {
        final RpmaMemoryRegion region = rpma.peer.register(1, USAGES);
        region.close();
        rpma.calls.clear();

        assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class, region::descriptor).code());
        assertEquals(RpmaError.E_INVAL,
            assertThrows(RpmaException.class, () -> region.advise(0, 1, 0, 0)).code());
        assertEquals(List.of(), rpma.calls);
    }
}
