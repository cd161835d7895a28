package io.sluice.verbs.software;

import static io.sluice.verbs.software.SoftwareLink.takeImmediate;
import static io.sluice.verbs.software.SoftwareLink.takeStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.MappedMemory;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file may say any length without taking memory; to touch it whole would take hours, and all the memory there is. */
class SparseFilesTest {
    private static final long TERABYTE = 1L << 40;
    private static final String NAMED = "file is longer than its kind can be: path=";

    private final TemporaryFabric fabric = new TemporaryFabric();
    private SoftwareLink link;

    @BeforeEach
    void open() {
        link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
    }

    @AfterEach
    void close() {
        link.close();
        fabric.close();
    }

    private static void stretch(final Path file) throws IOException {
        resize(file, TERABYTE);
    }

    private static void resize(final Path file, final long length) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(length);
        }
    }

    private static void assertNamed(final Path file, final Throwable failure) {
        final String message = failure.getMessage() + " " + failure.getCause();
        assertTrue(message.contains(NAMED + file + " bytes=" + TERABYTE), message);
    }

    /** Asserts that what was made and mapped before goes on. */
    private void assertLinkWorks() {
        assertEquals(Errno.OK, link.rightPair.postReceives(1, 1));
        assertEquals(Errno.OK, link.write(2, 0, 8, 77));
        assertEquals(77, takeImmediate(link.rightReceives));
        assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));
    }

    private void assertNotConnected(final Path file, final QueuePair target) {
        final QueuePair source = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        source.initialise(SoftwareLink.ACCESS);
        assertNamed(file, assertThrows(VerbsException.class, () -> source.readyToReceive(target.localAddress())));
    }

    @Test
    void shouldRefuseTheFileOfAQueuePair() throws IOException {
        final QueuePair target = link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        stretch(SoftwareLink.file(link.right, target));
        assertNotConnected(SoftwareLink.file(link.right, target), target);
        assertLinkWorks();
    }

    @Test
    void shouldRefuseTheFileOfACompletionQueue() throws IOException {
        stretch(SoftwareLink.file(link.right, link.rightReceives));
        assertNotConnected(SoftwareLink.file(link.right, link.rightReceives), link.rightPair);
        assertLinkWorks();
    }

    @Test
    void shouldRefuseTheFileOfASharedReceiveQueue() throws IOException {
        final SoftwareSharedReceiveQueue shared =
            (SoftwareSharedReceiveQueue) link.rightDomain.createSharedReceiveQueue(SoftwareLink.WORK);
        final QueuePair target = link.rightDomain.createQueuePair(new QueuePairAttributes(
            link.rightReceives, link.rightReceives, SoftwareLink.WORK, 0, 64, 0, 12, 6, 14)
            .withSharedReceiveQueue(shared));
        final Path file = link.right.context().folder().resolve(FabricNames.sharedReceiveQueue(shared.number()));
        stretch(file);
        assertNotConnected(file, target);
        target.close();
        shared.close();
        assertLinkWorks();
    }

    @Test
    void shouldTakeNoRegionWithALongHeaderForOne() throws IOException {
        stretch(link.right.context().folder().resolve(FabricNames.regionHeader(link.rightRegion.remoteKey())));
        assertEquals(Errno.OK, link.rightPair.postReceives(1, 1));
        assertEquals(Errno.OK, link.write(2, 0, 8, 77));
        assertEquals(WorkStatus.REM_ACCESS_ERR, takeStatus(link.leftSends));
    }

    @Test
    void shouldNotMapTheDataOfARegionThatIsLongerThanItsHeaderSays() throws IOException {
        stretch(link.right.context().folder().resolve(FabricNames.regionData(link.rightRegion.remoteKey())));
        assertEquals(Errno.OK, link.rightPair.postReceives(1, 1));
        assertEquals(Errno.OK, link.write(2, 0, 8, 77));
        assertEquals(WorkStatus.REM_ACCESS_ERR, takeStatus(link.leftSends));
    }

    @Test
    void shouldRefuseToShareAStretchedRegion() throws IOException {
        final byte[] token = link.rightRegion.shareToken();
        final Path data = link.right.context().folder().resolve(FabricNames.regionData(link.rightRegion.remoteKey()));
        final Path header =
            link.right.context().folder().resolve(FabricNames.regionHeader(link.rightRegion.remoteKey()));
        stretch(data);
        assertNamed(data, assertThrows(
            VerbsException.class, () -> openShared(token)));
        stretch(header);
        assertNamed(header, assertThrows(
            VerbsException.class, () -> openShared(token)));
    }

    private MemoryRegion openShared(final byte[] token) {
        return link.leftDomain.openShared(token, SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS);
    }

    @Test
    void shouldMapNothingOfASharedRegionThatIsNotAsLongAsExpected() throws IOException {
        final byte[] token = link.rightRegion.shareToken();
        final Path data = link.right.context().folder().resolve(FabricNames.regionData(link.rightRegion.remoteKey()));
        for (final long length : new long[] {SoftwareLimits.MAX_REGION_LENGTH, SoftwareLink.REGION_LENGTH / 2}) {
            resize(data, length);
            writeHeader(length);
            assertRefused("it says length=" + length, token);
        }
        writeHeader(SoftwareLink.REGION_LENGTH);
        assertRefused("it has length=" + SoftwareLink.REGION_LENGTH / 2, token);
        resize(data, SoftwareLink.REGION_LENGTH);
        openShared(token).close();
    }

    /** The file and what says how long it is agree. */
    private void writeHeader(final long length) throws IOException {
        final RegionDescription is = ((SoftwareRegion) link.rightRegion).description();
        try (MappedMemory header = SystemEnvironment.instance().files().open(
            link.right.context().folder().resolve(FabricNames.regionHeader(is.key())), true, RegionLayout.LENGTH)) {
            RegionLayout.write(header.address(), new RegionDescription(is.key(), is.access(), is.base(), length,
                is.dataFolder(), is.dataKey(), is.dataIdentity()),
                ((SoftwareProtectionDomain) link.rightDomain).contents().number());
        }
    }

    private void assertRefused(final String reason, final byte[] token) {
        final VerbsException refusal = assertThrows(VerbsException.class, () -> openShared(token));
        assertEquals(Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains(
            " is not as long as announced: " + reason + ", expected=" + SoftwareLink.REGION_LENGTH),
            refusal.getMessage());
    }

    @Test
    void shouldOpenADeviceBesideStretchedFilesOfTheFabric() throws IOException {
        stretch(fabric.path().resolve(FabricNames.TURNS));
        stretch(fabric.path().resolve(FabricNames.LOCK));
        stretch(link.right.context().folder().resolve(FabricNames.LOCK));
        link.right.context().services().add("bind", "ipc/here", link.right.context().folder().name(), 1);
        final Path entry = fabric.path().resolve("l/ipc=/here");
        stretch(entry);
        try (SoftwareDevice other = SoftwareDevice.open(SystemEnvironment.instance(), fabric.path())) {
            assertEquals(null, other.context().services().find("connect", "ipc/here"));
        }
        assertLinkWorks();
    }
}
