package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory for regions, in pages of either kind. */
class RegionMemoryTest {
    private static final Path HUGE_PAGES = Path.of("/proc/sys/vm/nr_hugepages");
    private static final Path MEMORY_INFORMATION = Path.of("/proc/meminfo");
    private static final int PAGES = 4;
    private static final long HUGE_LENGTH = 2L << 20;

    private String before;

    @AfterEach
    void restore() throws IOException {
        if (before != null) {
            Files.writeString(HUGE_PAGES, before);
        }
        System.clearProperty(RegionPages.PROP_NAME);
    }

    /** Have the kernel keep so many. */
    private void keep(final int count) throws IOException {
        assumeTrue(System.getenv("SLUICE_LAB") != null, "only in the lab are huge pages ours to have");
        before = before == null ? Files.readString(HUGE_PAGES) : before;
        Files.writeString(HUGE_PAGES, Integer.toString(count));
        assertEquals(count, information("HugePages_Total:"));
    }

    private static long information(final String name) throws IOException {
        return Files.readAllLines(MEMORY_INFORMATION).stream().filter(line -> line.startsWith(name))
            .map(line -> Long.parseLong(line.substring(name.length()).trim())).findFirst().orElse(0L);
    }

    /** A region in usual pages ends where it was asked to, so that a peer that goes beyond is refused. */
    @Test
    void shouldRegisterHugePagesAsAWhole() {
        assertEquals(HUGE_LENGTH, new RegionMemory(HUGE_LENGTH, HUGE_LENGTH, true).registeredLength(100));
        assertEquals(100, new RegionMemory(HUGE_LENGTH, 4096, false).registeredLength(100));
    }

    @Test
    void shouldTakeWholePages() {
        final RegionMemory memory = RegionMemory.allocate(5000, RegionPages.STANDARD);

        assertEquals(8192, memory.mappedLength());
        assertFalse(memory.isHuge());
        assertEquals(0, memory.address() & 4095);
        assertEquals(0, UnsafeApi.getLong(memory.address() + 8184));
        memory.release();
    }

    @Test
    void shouldSayWhatToDoWithoutHugePages() throws IOException {
        assumeTrue(information("HugePages_Free:") == 0, "there are huge pages");

        final VerbsException refusal = assertThrows(
            VerbsException.class, () -> RegionMemory.allocate(3L << 20, RegionPages.HUGE));

        assertEquals(Errno.ENOMEM, refusal.errno());
        assertTrue(refusal.getMessage().startsWith("mmap: no huge pages for 3145728 bytes: 2 of 2048 KiB are needed;"
            + " have the kernel keep some more of them (sysctl vm.nr_hugepages=N)"), refusal.getMessage());
    }

    @Test
    void shouldFallBackWhenAskedTo() throws IOException {
        assumeTrue(information("HugePages_Free:") == 0, "there are huge pages");

        final RegionMemory memory = RegionMemory.allocate(5000, RegionPages.HUGE_OR_STANDARD);

        assertFalse(memory.isHuge());
        assertEquals(8192, memory.mappedLength());
        memory.release();
    }

    @Test
    void shouldTakeHugePagesAndGiveThemBack() throws IOException {
        keep(PAGES);
        for (final RegionPages pages : List.of(RegionPages.HUGE, RegionPages.HUGE_OR_STANDARD)) {
            final RegionMemory memory = RegionMemory.allocate(HUGE_LENGTH + 1, pages);

            assertTrue(memory.isHuge());
            assertEquals(2 * HUGE_LENGTH, memory.mappedLength());
            assertEquals(0, memory.address() & HUGE_LENGTH - 1);
            assertEquals(PAGES - 2, information("HugePages_Free:"));
            memory.release();
            assertEquals(PAGES, information("HugePages_Free:"));
        }
    }

    @Test
    void shouldRefuseMoreHugePagesThanThereAre() throws IOException {
        keep(1);

        final VerbsException refusal = assertThrows(
            VerbsException.class, () -> RegionMemory.allocate(2 * HUGE_LENGTH, RegionPages.HUGE));
        final RegionMemory memory = RegionMemory.allocate(2 * HUGE_LENGTH, RegionPages.HUGE_OR_STANDARD);

        assertTrue(refusal.getMessage().contains("2 of 2048 KiB are needed"), refusal.getMessage());
        assertFalse(memory.isHuge());
        memory.release();
        assertEquals(1, information("HugePages_Free:"));
    }

    @Test
    void shouldRegisterHugePages() throws IOException {
        keep(PAGES);
        final String reason = DeviceFixtures.whyNoRdma();
        assumeTrue(reason.isEmpty(), reason);
        System.setProperty(RegionPages.PROP_NAME, "huge");
        try (RdmaDevice device = RdmaDevices.open(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT);
            ProtectionDomain domain = device.allocateProtectionDomain()) {
            final VerbsRegion region =
                (VerbsRegion) domain.allocateRegion(HUGE_LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);

            assertTrue(region.isHuge());
            assertEquals(HUGE_LENGTH, region.length());
            assertEquals(PAGES - 1, information("HugePages_Free:"));
            region.close();
            region.close();
            assertEquals(PAGES, information("HugePages_Free:"));
            assertThrows(VerbsException.class,
                () -> domain.allocateRegion((PAGES + 1) * HUGE_LENGTH, AccessFlags.LOCAL_WRITE));
        }
    }

    @Test
    void shouldRefuseAPropertyThatNamesNoPages() {
        assertEquals(RegionPages.STANDARD, RegionPages.CONFIGURED.resolve());
        System.setProperty(RegionPages.PROP_NAME, "huge_or_standard");
        assertEquals(RegionPages.HUGE_OR_STANDARD, RegionPages.CONFIGURED.resolve());
        assertEquals(RegionPages.HUGE,
            RdmaDeviceOptions.DEFAULT.withRegionPages(RegionPages.HUGE).regionPages().resolve());
        System.setProperty(RegionPages.PROP_NAME, "gigantic");

        final String message =
            assertThrows(IllegalArgumentException.class, RegionPages.CONFIGURED::resolve).getMessage();

        assertEquals("sluice.verbs.rdma.pages=gigantic is none of [STANDARD, HUGE, HUGE_OR_STANDARD]", message);
    }

    @Test
    void shouldFindTheLengthOfAHugePage() {
        assertEquals(2L << 20, RegionMemory.hugePageLength(
            List.of("HugePages_Total:       0", "Hugepagesize:       2048 kB", "Hugetlb:               0 kB")));
        assertEquals(0, RegionMemory.hugePageLength(List.of("MemTotal:       24000000 kB")));
    }
}
