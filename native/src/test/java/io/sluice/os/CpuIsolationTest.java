package io.sluice.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuIsolationTest {
    private static final int[] ISOLATED = {2, 3};
    private static final int[] NOHZ_FULL = {3, 4};

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheKernelsList() throws IOException {
        assertArrayEquals(new int[] {2, 3, 7}, CpuIsolation.read(fileWith("2-3,7\n")));
    }

    @Test
    void shouldTakeAnEmptyFileAsNone() throws IOException {
        assertArrayEquals(new int[0], CpuIsolation.read(fileWith("\n")));
    }

    @Test
    void shouldTakeAMaskThatWasNeverSetUpAsNone() throws IOException {
        assertArrayEquals(new int[0], CpuIsolation.read(fileWith(" (null)\n")));
    }

    @Test
    void shouldTakeAMissingFileAsNone() {
        assertArrayEquals(new int[0], CpuIsolation.read(directory.resolve("absent")));
    }

    @Test
    void shouldNameTheFileThatItCannotRead() throws IOException {
        final Path file = fileWith("1-3,garbage");
        final String message =
            assertThrows(IllegalStateException.class, () -> CpuIsolation.read(file)).getMessage();
        assertTrue(message.contains(file.toString()) && message.contains("garbage"), message);
    }

    @Test
    void shouldSayWhatWouldHelpACpu() {
        assertEquals("cpu 3 is isolated and runs without a tick", CpuIsolation.describe(3, ISOLATED, NOHZ_FULL));
        assertTrue(CpuIsolation.describe(2, ISOLATED, NOHZ_FULL).endsWith("boot with nohz_full=2"));
        assertTrue(CpuIsolation.describe(4, ISOLATED, NOHZ_FULL).endsWith("boot with isolcpus=4"));
        assertTrue(CpuIsolation.describe(0, ISOLATED, NOHZ_FULL).endsWith("boot with isolcpus=0 nohz_full=0"));
    }

    @Test
    void shouldDescribeACpuOfThisMachineInOneLine() {
        final String description = CpuIsolation.describe(0);
        assertTrue(description.startsWith("cpu 0 "), description);
        assertFalse(description.contains("\n"), description);
    }

    private Path fileWith(final String content) throws IOException {
        return Files.writeString(directory.resolve("list"), content);
    }
}
