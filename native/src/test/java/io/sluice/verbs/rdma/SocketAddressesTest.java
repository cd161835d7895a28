package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.sockaddr_in6;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketAddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.77.0.1:40123", "[fe80:0:0:0:0:0:0:1%3]:1", "[2001:db8:0:0:0:0:0:7]:65535"})
    void shouldDescribeWhatItEncodes(final String address) {
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(address,
                SocketAddresses.describe(SocketAddresses.encode(SocketAddresses.parse("test", address), arena)));
        }
    }

    /** The kernel's form where somebody listens at [::]. */
    @Test
    void shouldTakeAMappedAddressForWhatItIs() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment encoded =
                SocketAddresses.encode(SocketAddresses.parse("test", "[2001:db8::7]:40123"), arena);
            final byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 1};
            MemorySegment.copy(mapped, 0, sockaddr_in6.sin6_addr(encoded), ValueLayout.JAVA_BYTE, 0, mapped.length);
            assertArrayEquals(new byte[] {10, 77, 0, 1}, SocketAddresses.address(encoded));
            assertEquals("10.77.0.1:40123", SocketAddresses.describe(encoded));
        }
    }

    @Test
    void shouldKeepTheInterfaceOfALinkLocalAddress() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment encoded =
                SocketAddresses.encode(SocketAddresses.parse("test", "[fe80::1%3]:40123"), arena);
            assertEquals(3, sockaddr_in6.sin6_scope_id(encoded));
        }
    }

    /** Every link has such an address. */
    @Test
    void shouldAskForTheInterfaceOfALinkLocalAddress() {
        final VerbsException e =
            assertThrows(VerbsException.class, () -> SocketAddresses.parse("test", "[fe80::1]:40123"));
        assertTrue(e.getMessage().contains("[fe80::1%eth0]:40123"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "-1", "99999999999"})
    void shouldTellTheRangeOfPorts(final String port) {
        final VerbsException ex = assertThrows(
            VerbsException.class, () -> SocketAddresses.parse("test", "10.77.0.1:" + port));
        assertTrue(ex.getMessage().contains("port=" + port + " is not in 1..65535"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "10.77.0.1", "10.77.0.1:", "10.77.0.1:0", "10.77.0.1:65536", "[fe80::1:40123"})
    void shouldRefuseWhatIsNoAddress(final String address) {
        assertThrows(VerbsException.class, () -> SocketAddresses.parse("test", address));
    }
}
