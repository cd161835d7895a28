package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TemporaryFoldersTest {
    private static final String PREFIX = "sluice-temporary-";

    /** A program that makes a folder with a file, says so, and goes on until it is told to end. */
    static final class Waiting {
        private Waiting() {
        }

        public static void main(final String[] arguments) throws IOException {
            final Path folder = TemporaryFolders.create(PREFIX);
            Files.writeString(folder.resolve("log"), "some bytes");
            System.out.println(folder);
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
        }
    }

    @Test
    void shouldLeaveNothingWhenTheProgramIsToldToEnd() throws Exception {
        final List<String> command =
            new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Waiting.class.getName()));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader output = process.inputReader()) {
            final Path folder = Path.of(output.readLine());
            assertTrue(Files.exists(folder.resolve("log")));

            process.destroy();
            process.waitFor();

            assertFalse(Files.exists(folder), folder.toString());
        } finally {
            process.destroyForcibly();
        }
    }
}
