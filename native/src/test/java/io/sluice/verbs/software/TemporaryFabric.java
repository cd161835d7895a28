package io.sluice.verbs.software;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;

/** A directory for the software devices of one test. */
final class TemporaryFabric implements AutoCloseable {
    private final Path path;

    TemporaryFabric() {
        path = SoftwareDevice.defaultDirectory(SystemEnvironment.instance()).resolveSibling(
            String.format(Locale.ROOT, "sluice-%08x", (int) SystemEnvironment.instance().randomLong()));
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            SystemEnvironment.instance().files().delete(path);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
