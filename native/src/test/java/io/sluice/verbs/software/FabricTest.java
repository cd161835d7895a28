package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FabricTest {
    private static final String DEAD = "4711-0123456789abcdef";

    private final TemporaryFabric fabric = new TemporaryFabric();

    @AfterEach
    void close() {
        fabric.close();
    }

    private SoftwareDevice open() {
        return SoftwareDevice.open(SystemEnvironment.instance(), fabric.path());
    }

    private void createFabric() throws IOException {
        SystemEnvironment.instance().files().createDirectory(fabric.path());
    }

    @Test
    void shouldLeaveNothingOfADeviceBehind() {
        final SoftwareDevice device = open();
        final Path folder = device.context().folder().path();
        assertTrue(Files.isDirectory(folder));

        device.close();
        device.close();

        assertFalse(Files.exists(folder));
        assertThrows(VerbsException.class, device::allocateProtectionDomain);
    }

    @Test
    void shouldRemoveTheFoldersOfDeadProcesses() throws IOException {
        createFabric();
        final Path dead = Files.createDirectory(fabric.path().resolve(DEAD));
        Files.writeString(dead.resolve("lock"), "");
        Files.writeString(dead.resolve("r12345678.d"), "left behind");
        Files.createDirectory(dead.resolve("unexpected"));

        open().close();

        assertFalse(Files.exists(dead));
    }

    @Test
    void shouldKeepTheFoldersOfLivingDevices() {
        try (SoftwareDevice first = open()) {
            open().close();

            assertTrue(Files.isDirectory(first.context().folder().path()));
        }
    }

    @Test
    void shouldIgnoreWhatIsNoneOfItsOwn() throws IOException {
        createFabric();
        final List<String> foreign = List.of("notes.txt", "0-0", "4711", "4711-0123456789abcdeg", "-", "x=y");
        for (final String name : foreign) {
            Files.writeString(fabric.path().resolve(name), "mine");
        }
        Files.createDirectories(fabric.path().resolve("somebody/else"));

        open().close();

        for (final String name : foreign) {
            assertEquals("mine", Files.readString(fabric.path().resolve(name)));
        }
        assertTrue(Files.isDirectory(fabric.path().resolve("somebody/else")));
    }

    @Test
    void shouldOpenBesideAFileWhereAFolderIsExpected() throws IOException {
        createFabric();
        Files.writeString(fabric.path().resolve(DEAD), "a file");

        open().close();

        assertFalse(Files.exists(fabric.path().resolve(DEAD)));
    }

    @Test
    void shouldNotFollowASymbolicLinkWhereAFolderIsExpected() throws IOException {
        createFabric();
        final Path target = Files.createDirectory(fabric.path().resolve("precious"));
        Files.writeString(target.resolve("file"), "precious");
        Files.createSymbolicLink(fabric.path().resolve(DEAD), target);

        open().close();

        assertEquals("precious", Files.readString(target.resolve("file")));
    }

    @Test
    void shouldRefuseADirectoryThatOthersMayWriteTo() throws IOException {
        Files.createDirectory(fabric.path());
        Files.setPosixFilePermissions(fabric.path(), PosixFilePermissions.fromString("rwxrwxrwx"));

        final VerbsException e = assertThrows(VerbsException.class, this::open);

        assertTrue(e.getMessage().contains(fabric.path().toString()), e.getMessage());
    }

    @Test
    void shouldRefuseAFileAsDirectory() throws IOException {
        Files.writeString(fabric.path(), "a file");

        final VerbsException e = assertThrows(VerbsException.class, this::open);

        assertTrue(e.getMessage().contains(fabric.path().toString()), e.getMessage());
    }

    @Test
    void shouldRefuseADirectoryThatLeavesNoRoomForSocketNames() {
        final int bound = SoftwareLimits.MAX_SOCKET_PATH_LENGTH - FabricNames.MAX_SOCKET_SUFFIX_LENGTH;
        final Path tooLong = Path.of("/" + "x".repeat(bound));

        final VerbsException e = assertThrows(
            VerbsException.class, () -> SoftwareDevice.open(SystemEnvironment.instance(), tooLong));

        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("has " + (bound + 1) + " bytes, at most " + bound), e.getMessage());
    }

    @Test
    void shouldOfferADefaultDirectoryThatIsShortEnough() {
        assertTrue(FabricNames.byteLength(SoftwareDevice.defaultDirectory(SystemEnvironment.instance()))
            <= SoftwareLimits.MAX_SOCKET_PATH_LENGTH - FabricNames.MAX_SOCKET_SUFFIX_LENGTH);
    }

    @Test
    void shouldRemoveTheServicesOfDeadProcessesAndGarbageAmongThem() throws IOException {
        try (SoftwareDevice device = open()) {
            device.listen("ipc/alive", 1);
            final Path level = fabric.path().resolve("l/ipc=");
            Files.write(level.resolve("empty"), new byte[0]);
            Files.write(level.resolve("garbage"), new byte[4096]);
            Files.createDirectories(level.resolve("deep=/er="));
            new ServiceDirectory(SystemEnvironment.instance(), fabric.path()).add("test", "ipc/deep/dead", DEAD, 7);
            assertEquals(4, device.listeners("ipc").size());

            open().close();

            assertEquals(List.of("ipc/alive"), device.listeners("ipc"));
        }
    }

    @Test
    void shouldRefuseMalformedServiceAddresses() {
        try (SoftwareDevice device = open()) {
            final String tooLong = "x".repeat(SoftwareLimits.MAX_SERVICE_ADDRESS_LENGTH + 1);
            final String tooDeep = "a/".repeat(SoftwareLimits.MAX_SERVICE_ADDRESS_DEPTH) + "a";
            for (final String address : List.of("", "/", "/a", "a/", "a//b", tooLong, tooDeep, "y".repeat(251))) {
                assertEquals(Errno.EINVAL, assertThrows(
                    VerbsException.class, () -> device.listen(address, 1), address).errno());
            }
        }
    }

    @Test
    void shouldListenAtAnyOtherAddress() {
        try (SoftwareDevice device = open()) {
            final List<String> addresses = List.of(
                "..", "../../etc", ".", "a/../b", "=", "a=", "%", "%41", "a b", "ä/ö", ".sluice-x", "a", "a/b", "\n");
            addresses.forEach(address -> device.listen(address, 1));

            assertEquals(
                addresses.stream().sorted().toList(), device.listeners("").stream().sorted().toList());
        }
    }

    @Test
    void shouldSayHowMuchRoomARegionNeeds() throws IOException {
        try (SoftwareDevice device = open()) {
            final long tooMuch = Files.getFileStore(fabric.path()).getUsableSpace() + (1 << 20);

            final VerbsException e = assertThrows(VerbsException.class,
                () -> device.allocateProtectionDomain().allocateRegion(tooMuch, SoftwareLink.ACCESS));

            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains("bytesNeeded=" + tooMuch), e.getMessage());
            assertEquals(List.of("lock"),
                SystemEnvironment.instance().files().list(device.context().folder().path()).stream()
                    .map(path -> path.getFileName().toString()).toList());
        }
    }

    @Test
    void shouldDeleteTheFilesOfWhatIsClosed() throws IOException {
        try (SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path())) {
            final MemoryRegion shared = link.rightDomain.openShared(
                link.leftRegion.shareToken(), SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS);
            shared.close();
            link.rightRegion.close();
            link.rightPair.close();
            link.rightReceives.close();

            assertEquals(List.of("lock"),
                SystemEnvironment.instance().files().list(link.right.context().folder().path()).stream()
                    .map(path -> path.getFileName().toString()).toList());
        }
    }
}
