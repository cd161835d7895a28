package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.Errno;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RdmaDevicesTest {
    private static final Path DEVICE_FILE = Path.of("/dev/infiniband/uverbs0");
    /** Becomes the command that the child is started by. */
    private static final String AS_NOBODY = "set -- setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"";
    private static final int REGION_LENGTH = 1 << 20;

    @BeforeEach
    void assumeDevice() {
        final String reason = DeviceFixtures.whyNoRdma();
        assumeTrue(reason.isEmpty(), reason);
    }

    private static RdmaDevice open(final RdmaDeviceOptions options) {
        return RdmaDevices.open(SystemEnvironment.instance(), options);
    }

    @Test
    void shouldOpenTheFirstDeviceByDefault() {
        try (RdmaDevice device = open(RdmaDeviceOptions.DEFAULT)) {
            assertEquals(RdmaDevices.names().getFirst(), device.name());
            assertFalse(device.attributes().sharesMemory());
            assertTrue(device.attributes().maxInlineData() > 0);
        }
    }

    @Test
    void shouldOpenTheDeviceThatHasTheLocalAddress() {
        final String mapped = "::ffff:";
        for (final DeviceDescription description :
            RdmaDevices.describe(SystemEnvironment.instance(), CompletionInterface.AUTO)) {
            final String address = description.ports().getFirst().gids().stream().map(GidDescription::address)
                .filter(gid -> gid.startsWith(mapped)).findFirst().orElseThrow().substring(mapped.length());
            try (RdmaDevice device = open(RdmaDeviceOptions.DEFAULT.withLocalAddress(address))) {
                assertEquals(description.name(), device.name(), address);
            }
        }
    }

    @Test
    void shouldNameTheDevicesThereAreWhenAskedForAnother() {
        final VerbsException e = assertThrows(
            VerbsException.class, () -> open(RdmaDeviceOptions.DEFAULT.withDevice("nothere0")));

        assertTrue(e.getMessage().contains("there is no device nothere0 but " + RdmaDevices.names()), e.getMessage());
    }

    @Test
    void shouldRefuseAPortThatTheDeviceDoesNotHave() {
        final VerbsException e = assertThrows(VerbsException.class, () -> open(new RdmaDeviceOptions(
            "", 200, RdmaDeviceOptions.BEST_GID, CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS)));

        assertTrue(e.getMessage().contains("has no port 200"), e.getMessage());
    }

    @Test
    void shouldRefuseAGidThatThePortDoesNotHave() {
        final VerbsException e = assertThrows(VerbsException.class, () -> open(new RdmaDeviceOptions(
            "", 1, 100_000, CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS)));

        assertTrue(e.getMessage().contains("gid=100000 is not in the table"), e.getMessage());
    }

    @Test
    void shouldNotCloseADeviceInUse() throws Exception {
        final RdmaDevice device = open(RdmaDeviceOptions.DEFAULT);
        final Deque<AutoCloseable> objects = new ArrayDeque<>();
        final ProtectionDomain domain = device.allocateProtectionDomain();
        objects.push(domain);
        refusesToClose(device, "1 protection domain(s)");
        final CompletionChannel channel = device.createCompletionChannel();
        objects.push(channel);
        refusesToClose(device, "1 completion channel(s)");
        final CompletionQueue queue = device.createCompletionQueue(new CompletionQueueAttributes(8, 0, channel));
        objects.push(queue);
        refusesToClose(device, "1 completion queue(s)");
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, channel::close).errno());
        objects.push(domain.createQueuePair(new QueuePairAttributes(queue, queue, 4, 4, 0, 7, 12, 6, 14)));
        refusesToClose(device, "1 queue pair(s)");
        objects.push(domain.allocateRegion(REGION_LENGTH, AccessFlags.LOCAL_WRITE));
        refusesToClose(device, "1 memory region(s)");
        objects.push(domain.createSharedReceiveQueue(4));
        refusesToClose(device, "1 shared receive queue(s)");
        objects.push(domain.createAddressHandle(device.portAddress()));
        refusesToClose(device, "1 address handle(s)");
        while (!objects.isEmpty()) {
            refusesToClose(device, "stays open");
            final AutoCloseable object = objects.pop();
            object.close();
            object.close();
        }
        device.close();
        device.close();

        assertEquals(Errno.EINVAL, assertThrows(
            VerbsException.class, device::allocateProtectionDomain).errno());
    }

    private static void refusesToClose(final RdmaDevice device, final String left) {
        final VerbsException e = assertThrows(VerbsException.class, device::close);
        assertEquals(Errno.EBUSY, e.errno());
        assertTrue(e.getMessage().contains(left), e.getMessage());
    }

    private static void assumeLab() {
        assumeTrue(System.getenv("SLUICE_LAB") != null, "only in the lab are the device's permissions ours to change");
    }

    @Test
    void shouldSayWhatToDoWithoutPermission() throws IOException {
        assumeLab();
        final Set<PosixFilePermission> before = Files.getPosixFilePermissions(DEVICE_FILE);
        Files.setPosixFilePermissions(DEVICE_FILE, PosixFilePermissions.fromString("rw-------"));
        try (ChildJvm child = ChildJvm.startAfter(AS_NOBODY, RdmaDevicesTest.class)) {
            final String message = child.readLine();

            assertTrue(message.startsWith("ibv_open_device") && message.contains("/dev/infiniband"), message);
        } finally {
            Files.setPosixFilePermissions(DEVICE_FILE, before);
        }
    }

    @Test
    void shouldSayWhatToDoWhenTooLittleMemoryMayBeLocked() throws IOException {
        assumeLab();
        try (ChildJvm child = ChildJvm.startAfter("ulimit -l 128 && " + AS_NOBODY, RdmaDevicesTest.class)) {
            final String message = child.readLine();

            assertTrue(message.contains("the limit of locked memory is 131072 bytes; raise it"), message);
        }
    }

    /** The child: registers memory, or says why it cannot. */
    public static void main(final String[] arguments) {
        // by name: where one device may not be opened, another would be taken
        try (RdmaDevice device = open(RdmaDeviceOptions.DEFAULT.withDevice(RdmaDevices.names().getFirst()));
            ProtectionDomain domain = device.allocateProtectionDomain()) {
            domain.allocateRegion(REGION_LENGTH, AccessFlags.LOCAL_WRITE).close();
            System.out.println("registered");
        } catch (final VerbsException e) {
            System.out.println(e.getMessage());
        }
    }
}
