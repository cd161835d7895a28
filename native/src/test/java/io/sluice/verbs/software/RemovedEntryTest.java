package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An address whose entry somebody has removed, and another device has taken before its listener has looked. */
class RemovedEntryTest {
    private static final String ADDRESS = "prices";
    private static final int BACKLOG = 4;

    @TempDir
    private Path directory;
    private Path fabric;
    private SoftwareDevice device;
    private SoftwareDevice other;

    @BeforeEach
    void open() {
        fabric = directory.resolve("f");
        device = SoftwareDevice.open(SystemEnvironment.instance(), fabric);
        other = SoftwareDevice.open(SystemEnvironment.instance(), fabric);
    }

    @AfterEach
    void close() {
        other.close();
        device.close();
    }

    private void removeEntry() throws IOException {
        SystemEnvironment.instance().files().delete(fabric.resolve(FabricNames.SERVICES));
    }

    @Test
    void shouldMissAnEntryThatAnotherOneHasReplaced() throws IOException {
        final Listener listener = device.listen(ADDRESS, BACKLOG);
        removeEntry();
        final Listener rival = other.listen(ADDRESS, BACKLOG);
        final String missing = device.missing();
        assertNotNull(missing);
        assertTrue(missing.contains("no new peer finds this process there"), missing);
        final VerbsException refusal = assertThrows(VerbsException.class, device::restore);
        assertTrue(refusal.getMessage().contains("address=" + ADDRESS + " was taken by pid "), refusal::toString);
        assertEquals(0, refusal.errno());
        assertNull(other.missing());
        rival.close();
        device.restore();
        assertNull(device.missing());
        listener.close();
    }

    @Test
    void shouldLeaveTheEntryOfWhoHasTakenTheAddress() throws IOException {
        final Listener listener = device.listen(ADDRESS, BACKLOG);
        removeEntry();
        final Listener rival = other.listen(ADDRESS, BACKLOG);
        listener.close();
        assertNull(other.missing());
        rival.close();
    }

    /** A file that lies in the place of the folder is not the folder. */
    @Test
    void shouldMissAFolderThatAFileHasReplaced() throws IOException {
        SystemEnvironment.instance().files().delete(fabric);
        Files.createFile(fabric);
        final String missing = device.missing();
        assertNotNull(missing);
        final VerbsException refusal = assertThrows(VerbsException.class, device::restore);
        assertTrue(refusal.getMessage().contains("cannot make anew what was removed from " + fabric),
            refusal::toString);
        Files.delete(fabric);
        device.restore();
        assertNull(device.missing());
    }
}
