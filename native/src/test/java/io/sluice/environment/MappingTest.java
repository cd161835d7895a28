package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MappingTest {
    /** A file as long as a page, on a file system that lets nobody map it. */
    private static final Path UNMAPPABLE = Path.of("/sys/kernel/uevent_seqnum");

    @Test
    void shouldSayWhichFileCannotBeMappedAndWhatMayBeTheReason() throws IOException {
        assumeTrue(Files.isReadable(UNMAPPABLE) && Files.size(UNMAPPABLE) > 0, "needs Linux with " + UNMAPPABLE);
        try (FileChannel channel = FileChannel.open(UNMAPPABLE)) {
            final IOException e =
                assertThrows(IOException.class, () -> Mapping.map(channel, UNMAPPABLE, Mapping.Use.READ, Long.BYTES));

            assertTrue(e.getMessage().startsWith(
                "cannot map file: path=" + UNMAPPABLE + " bytes=8 cause="), e.getMessage());
            assertTrue(e.getMessage().contains("vm.max_map_count"), e.getMessage());
            assertTrue(e.getMessage().contains("ulimit -v"), e.getMessage());
        }
    }
}
