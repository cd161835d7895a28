package io.sluice.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class OpenFilesTest {
    private static final String PREFIX = "Max open files";

    /** The limit is that of proc_pid_limits(5), which takes a descriptor to read. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowTheLimitOfThisProcess() throws IOException {
        final String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
            .filter(each -> each.startsWith(PREFIX)).findFirst().orElseThrow();
        final String soft = line.substring(PREFIX.length()).trim().split("\\s+")[0];

        assertEquals(soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft), OpenFiles.limit());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellTheLimitAndWhatToDoAboutIt() {
        final String text = OpenFiles.exhausted(false);

        assertTrue(text.contains("its limit is " + OpenFiles.limit()) && text.contains("ulimit -n"), text);
        assertTrue(OpenFiles.exhausted(true).contains("fs.file-max"), OpenFiles.exhausted(true));
    }
}
