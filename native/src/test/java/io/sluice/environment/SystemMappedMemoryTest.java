package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemMappedMemoryTest {
    private static final int LENGTH = 1024 * 1024;
    private static final int KIB = 1024;

    @TempDir
    private Path directory;
    private final SharedFiles files = SystemEnvironment.instance().files();

    /** So that nobody waits for a page fault while messages pass. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldHaveEveryPageAtHand() throws IOException {
        final Path file = directory.resolve("file");
        try (MappedMemory created = files.create(file, LENGTH);
            MappedMemory opened = files.open(file, true, LENGTH)) {
            assertEquals(LENGTH, residentLength(created));
            assertEquals(LENGTH, residentLength(opened));
        }
    }

    /**
     * The resident length, as the kernel tells it: "Rss:  1024 kB" is one of the lines that follow the mapping's own.
     */
    private static long residentLength(MappedMemory memory) throws IOException {
        final String from = String.format(Locale.ROOT, "%x-", memory.address());
        return Files.readAllLines(Path.of("/proc/self/smaps")).stream()
            .dropWhile(line -> !line.startsWith(from))
            .filter(line -> line.startsWith("Rss:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
            .findFirst().orElseThrow();
    }
}
