package io.sluice.perf.rig;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes folders for measurements, and removes them. Stateless; any thread. */
public final class TemporaryFolders {
    private static final Path MEMORY = Path.of("/dev/shm");

    private TemporaryFolders() {
    }

    /**
     * Make a folder, in memory where the machine offers that.
     *
     * @param prefix of its name.
     * @return the folder, to be deleted by the caller.
     * @throws IOException when it cannot be made.
     */
    public static Path create(final String prefix) throws IOException {
        return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }

    /**
     * Delete a folder with all that is in it; links in it are not followed. What stays is told on the standard error
     * stream: it must not cost the figures that were just measured.
     *
     * @param folder to delete.
     */
    public static void delete(final Path folder) {
        try {
            SystemEnvironment.instance().files().delete(folder);
        } catch (final IOException ex) {
            System.err.println(ex.getMessage());
        }
    }
}
