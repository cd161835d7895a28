package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelUriTest {
    @Test
    void shouldTakeTheTextApart() {
        final ChannelUri uri =
            ChannelUri.parse("sluice:ipc?endpoint=prices|window=64k|linger=2s|session-id=7|log=copied");
        assertEquals("ipc", uri.media());
        assertEquals("prices", uri.endpoint());
        assertEquals(65536, uri.sizeValue("window", 1, 1, 1 << 20));
        assertEquals(2_000_000_000L, uri.durationNsValue("linger", 1, 1, Long.MAX_VALUE));
        assertEquals(7, uri.intValue("session-id", 0, 0, 100));
        assertEquals("copied", uri.wordValue("log", "shared", List.of("shared", "copied")));
    }

    @Test
    void shouldGiveDefaultsForWhatIsNotThere() {
        final ChannelUri uri = ChannelUri.parse("sluice:ipc");
        assertEquals("default", uri.endpoint());
        assertEquals(5, uri.intValue("receive-depth", 5, 1, 10));
        assertEquals("shared", uri.wordValue("log", "shared", List.of("shared", "copied")));
    }

    @Test
    void shouldLetTheLastOfEqualKeysWin() {
        assertEquals("b", ChannelUri.parse("sluice:ipc?endpoint=a|endpoint=b").endpoint());
    }

    @Test
    void shouldKeepEqualsSignsInAValue() {
        assertEquals("sluice:ipc?alias=a=b", ChannelUri.parse("sluice:ipc?alias=a=b").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "sluice", "aeron:ipc", "Sluice:ipc", "sluice:", "sluice:udp?endpoint=a", "sluice:ipc ?endpoint=a",
        "sluice:ipc|window=1m"
    })
    void shouldRefuseAnotherSchemeOrMedia(final String channel) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse(channel));
        assertTrue(ex.getMessage().contains("=" + channel), ex.getMessage());
    }

    @Test
    void shouldRefuseNoChannelAtAll() {
        assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"windw=1m", "term-length=1m", "Window=1m", " window=1m", "endpoint =a"})
    void shouldNameAnUnknownKeyAndTheKnownOnes(final String pair) {
        final Exception ex =
            assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?" + pair));
        assertTrue(ex.getMessage().contains("key=" + pair.substring(0, pair.indexOf('='))), ex.getMessage());
        assertTrue(ex.getMessage().contains("window"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"window", "window=", "=1m", "|", "window=1m|", "window=1m||mode=invoker"})
    void shouldRefuseWhatIsNoPair(final String query) {
        final Exception ex =
            assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?" + query));
        assertTrue(ex.getMessage().contains("expected key=value"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "..", ".hidden", "a/b", "/etc", "a b", "-x", "é", "a\u0000b", "01234567890123456789012345678901234567890"
    })
    void shouldRefuseAnEndpointThatIsNoName(final String endpoint) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?endpoint=" + endpoint));
        assertTrue(ex.getMessage().contains("endpoint=" + endpoint), ex.getMessage());
    }

    @Test
    void shouldTakeTheLongestEndpoint() {
        final String endpoint = "0123456789012345678901234567890123456789";
        assertEquals(endpoint, ChannelUri.parse("sluice:ipc?endpoint=" + endpoint).endpoint());
    }

    @Test
    void shouldRefuseATextThatIsTooLong() {
        final String channel = "sluice:ipc?alias=" + "x".repeat(2048);
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse(channel));
        assertTrue(ex.getMessage().contains("length=" + channel.length()), ex.getMessage());
        assertTrue(ex.getMessage().contains("maximum=2048"), ex.getMessage());
    }

    @Test
    void shouldAskForTheEndpointOfAnRdmaChannel() {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> ChannelUri.parse("sluice:rdma"));
        assertTrue(ex.getMessage().contains("key=endpoint"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "10.0.0.1:1", "[fe80::1%eth0]:65535", "[2001:db8::1]:40123", "md-1.example.org:40123",
    })
    void shouldTakeTheAddressOfAnRdmaChannel(final String address) {
        assertEquals(address, ChannelUri.parse("sluice:rdma?endpoint=" + address + "|device=rxe0").endpoint());
        assertEquals(
            address, ChannelUri.parse("sluice:rdma?control=" + address + "|control-mode=dynamic").control());
    }

    @ParameterizedTest
    @ValueSource(strings = {"prices", "10.0.0.1", ":40123", "10.0.0.1:", "::1:40123", "a/b:40123", "a:4x"})
    void shouldRefuseAnAddressThatIsNone(final String address) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:rdma?endpoint=" + address));
        assertTrue(ex.getMessage().contains("host:port"), ex.getMessage());
        assertTrue(ex.getMessage().contains("endpoint=" + address), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "123456", "99999999999999999999"})
    void shouldNameAPortOutOfRange(final String port) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:rdma?endpoint=10.0.0.1:" + port));
        assertTrue(ex.getMessage().contains("port=" + port), ex.getMessage());
        assertTrue(ex.getMessage().contains("maximum=65535"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:40123", "[::]:40123"})
    void shouldRefuseAnAddressThatNobodyCanConnectTo(final String address) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:rdma?endpoint=" + address));
        assertTrue(ex.getMessage().contains("one address of a device"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"device=mlx5_0", "port=1", "gid=3", "cq=legacy"})
    void shouldRefuseToChooseADeviceForIpc(final String pair) {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?endpoint=a|" + pair));
        assertTrue(ex.getMessage().contains("key=" + pair.substring(0, pair.indexOf('='))), ex.getMessage());
        assertTrue(ex.getMessage().contains("sluice:rdma"), ex.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0", "11", "-1", "99999999999"})
    void shouldNameANumberOutOfRange(final String value) {
        final ChannelUri uri = ChannelUri.parse("sluice:ipc?receive-depth=" + value);
        final Exception ex =
            assertThrows(IllegalArgumentException.class, () -> uri.intValue("receive-depth", 1, 1, 10));
        assertTrue(ex.getMessage().contains("receive-depth=" + value), ex.getMessage());
        assertTrue(ex.getMessage().contains("maximum=10"), ex.getMessage());
    }

    @Test
    void shouldNameAnUnknownWordAndTheKnownOnes() {
        final ChannelUri uri = ChannelUri.parse("sluice:ipc?log=mine");
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> uri.wordValue("log", "shared", List.of("shared", "copied")));
        assertTrue(ex.getMessage().contains("log=mine"), ex.getMessage());
        assertTrue(ex.getMessage().contains("shared,copied"), ex.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "control=a; belong together", "control-mode=dynamic; belong together",
        "control=a|control-mode=manual; control-mode=manual", "control=a|control-mode=dynamic|endpoint=b; no endpoint",
        "control=a/b|control-mode=dynamic; control=a/b"
    })
    void shouldNameWhatIsWrongWithAControlMode(final String parameters, final String expected) {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> ChannelUri.parse("sluice:ipc?" + parameters)).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
