package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Configuration;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option of the commands that look at transports from outside: where.
 */
final class StatusFolder {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private Path directory;

    @Option(names = "--dir", order = 40, paramLabel = "FOLDER",
        description = "Shared folder of the transports. Default: the one they use by default")
    void directory(final Path value) {
        if (!Files.isDirectory(value)) {
            throw OptionMistake.of(command, "--dir", value, "is not a folder");
        }
        directory = value;
    }

    /** The folder, whose default is that of transports. */
    Path path() {
        return directory == null ? defaultPath() : directory;
    }

    /** The shared folder where none is named. */
    static Path defaultPath() {
        try {
            return Configuration.directory(SystemEnvironment.instance());
        } catch (final IllegalArgumentException | VerbsException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }

    /** Look at all transports now. */
    StatusSnapshot read() {
        final Path folder = path();
        try {
            return StatusSnapshot.of(folder);
        } catch (final IOException e) {
            throw new RunFailure("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
