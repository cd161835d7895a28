package io.sluice.transport.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files with pre-shared keys. */
public final class KeyFile {
    private KeyFile() {
    }

    /** A file that only this user may use. */
    public static Path of(final Path folder, final String key) {
        return of(folder, key, "rw-------");
    }

    /** A file with permissions like {@code rw-r--r--}. */
    public static Path of(final Path folder, final String key, final String permissions) {
        try {
            final Path file = Files.writeString(Files.createTempFile(folder, "key", ""), key);
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }
}
