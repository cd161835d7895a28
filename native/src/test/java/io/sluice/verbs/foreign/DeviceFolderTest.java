package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.DeviceDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts that the kernel's files tell of a device, with files of a made-up one. */
class DeviceFolderTest {
    @TempDir
    private Path root;
    private DeviceFolder folder;

    @BeforeEach
    void make() {
        folder = new DeviceFolder(root.resolve("infiniband/x0"), root.resolve("net"));
    }

    private void write(final String file, final String text) throws IOException {
        final Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void shouldTellTheMemoryNodeOfAnAdapter() throws IOException {
        write("infiniband/x0/device/numa_node", "1\n");

        assertEquals(1, folder.numaNode());
    }

    @Test
    void shouldTellTheMemoryNodeOfTheInterfaceBelowASoftwareDevice() throws IOException {
        write("infiniband/x0/parent", "eth0\n");
        write("net/eth0/device/numa_node", "3\n");

        assertEquals(3, folder.numaNode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "", "one", "99999999999999999999", "1 2"})
    void shouldNotKnowTheMemoryNodeThatTheKernelDoesNotTell(final String text) throws IOException {
        write("infiniband/x0/device/numa_node", text);

        assertEquals(DeviceDescription.UNKNOWN_NODE, folder.numaNode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../secret", "..", "a/b", "", "a name longer than interfaces have"})
    void shouldNotFollowAnInterfaceOutOfItsFolder(final String parent) throws IOException {
        write("infiniband/x0/parent", parent);
        write("device/numa_node", "7");
        write("net/a/b/device/numa_node", "7");

        assertEquals(DeviceDescription.UNKNOWN_NODE, folder.numaNode());
    }

    @Test
    void shouldTellTheVendorOfAnAdapter() throws IOException {
        write("infiniband/x0/device/vendor", "0x1414\n");

        assertEquals(0x1414, folder.adapterVendor());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1414", "0x", "0xffffffffffff", "0x14 0x14"})
    void shouldNotKnowTheVendorThatTheKernelDoesNotTell(final String text) throws IOException {
        assertEquals(0, folder.adapterVendor());

        write("infiniband/x0/device/vendor", text);
        assertEquals(0, folder.adapterVendor());
    }

    @Test
    void shouldTellWhichDevicesTheKernelHas() throws IOException {
        assertEquals(List.of(), DeviceFolder.names(root.resolve("infiniband")));

        write("infiniband/x1/parent", "eth0\n");
        write("infiniband/x0/parent", "eth0\n");
        assertEquals(List.of("x0", "x1"), DeviceFolder.names(root.resolve("infiniband")));
    }

    @Test
    void shouldTellTypeAndInterfaceOfAnAddress() throws IOException {
        write("infiniband/x0/ports/2/gid_attrs/types/5", "RoCE v2\n");
        write("infiniband/x0/ports/2/gid_attrs/ndevs/5", "eth0\n");

        assertEquals("RoCE v2", folder.gidType(2, 5));
        assertEquals("eth0", folder.gidInterface(2, 5));
        assertEquals("", folder.gidType(2, 6));
        assertEquals("", folder.gidInterface(1, 5));
    }
}
