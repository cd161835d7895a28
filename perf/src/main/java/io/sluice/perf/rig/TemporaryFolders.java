package io.sluice.perf.rig;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/** Removes folders that a measurement has made. Stateless; any thread. */
public final class TemporaryFolders {
    private TemporaryFolders() {
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
