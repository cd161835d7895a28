package io.sluice.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The number of the user that this process acts as when it opens files. Neither the property {@code user.name} nor the
 * owner of /proc/self can be trusted with that, so it is taken from the owner of a file that this process has created.
 */
final class CurrentUser {
    private static int uid = -1;

    private CurrentUser() {
    }

    static synchronized int uid() throws IOException {
        if (uid < 0) {
            final Path probe = createProbe();
            try {
                uid = FileStatus.of(probe).uid();
            } finally {
                Files.delete(probe);
            }
        }
        return uid;
    }

    private static Path createProbe() throws IOException {
        try {
            return Files.createTempFile("sluice-", ".uid");
        } catch (final IOException e) {
            return createSharedProbe(e);
        }
    }

    /** Creates a probe in shared memory: a container whose root is read-only may have no other place to write to. */
    private static Path createSharedProbe(final IOException inTemporaryDirectory) throws IOException {
        try {
            return Files.createTempFile(SystemFiles.SHARED_MEMORY, "sluice-", ".uid");
        } catch (final IOException e) {
            e.addSuppressed(inTemporaryDirectory);
            throw new IOException("cannot create a temporary file to learn the current user: java.io.tmpdir="
                + System.getProperty("java.io.tmpdir") + " otherDirectory=" + SystemFiles.SHARED_MEMORY
                + "; set java.io.tmpdir to a writable directory", e);
        }
    }
}
