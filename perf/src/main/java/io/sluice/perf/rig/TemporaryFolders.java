package io.sluice.perf.rig;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Makes folders for measurements, and removes them; those that are left when this JVM is told to end, by Ctrl-C for
 * example, when the processes that it has started have ended. Any thread.
 */
public final class TemporaryFolders {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** The time that a killed process has to end. */
    private static final long END_LIMIT_MS = 5_000;
    private static final Set<Path> LIVING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFolders::deleteAll, "delete-folders"));
    }

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
        final Path folder =
            Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
        LIVING.add(folder);
        return folder;
    }

    private static void deleteAll() {
        if (!LIVING.isEmpty()) {
            final List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            final CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
            // one that does not end has its files open, which are gone with it
            CompletableFuture.allOf(ends).completeOnTimeout(null, END_LIMIT_MS, TimeUnit.MILLISECONDS).join();
            LIVING.forEach(TemporaryFolders::delete);
        }
    }

    /**
     * Delete a folder with all that is in it; links in it are not followed. What stays is told on the standard error
     * stream: it must not cost the figures that were just measured.
     *
     * @param folder to delete.
     */
    public static void delete(final Path folder) {
        LIVING.remove(folder);
        try {
            SystemEnvironment.instance().files().delete(folder);
        } catch (final IOException ex) {
            System.err.println(ex.getMessage());
        }
    }
}
