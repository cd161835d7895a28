package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A region that another process has shared, as subscriptions map the log of a publication of their host. */
class SharedRegionTest {
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    /** A subscriber with a bug must not change what the publisher sends again, or what other subscribers read. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMapReadOnlyWhateverAccessIsAskedFor() throws IOException {
        try (TemporaryFabric fabric = new TemporaryFabric();
            SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path())) {
            final MemoryRegion shared =
                link.keep(link.leftDomain.openShared(
                    link.rightRegion.shareToken(), SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS));
            assertEquals("r--s", protectionAt(shared.address()));
            assertEquals("rw-s", protectionAt(link.rightRegion.address()));
        }
    }

    /** A region is mapped anew for that, for reading only: a READ into it would end the JVM. */
    @Test
    void shouldRefuseToReadIntoARegionThatTheSameDeviceHasShared() throws IOException {
        try (TemporaryFabric fabric = new TemporaryFabric();
            SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path())) {
            final MemoryRegion shared = link.keep(link.leftDomain.openShared(
                link.leftRegion.shareToken(), SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS));

            assertEquals(Errno.OK, link.leftPair.postRead(1, WorkFlags.SIGNALED, shared.address(), shared.localKey(), 8,
                link.rightRegion.address(), link.rightRegion.remoteKey()));

            assertEquals(WorkStatus.LOC_PROT_ERR, SoftwareLink.takeStatus(link.leftSends));
        }
    }

    private static String protectionAt(final long address) throws IOException {
        final List<String> found = Files.readAllLines(MAPPINGS).stream()
            .filter(line -> line.startsWith(Long.toHexString(address) + "-"))
            .toList();
        assertEquals(1, found.size(), found::toString);
        return found.getFirst().split(" ")[1];
    }
}
