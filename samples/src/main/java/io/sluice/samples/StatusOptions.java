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
 * Options of the commands that look at transports from outside: where, and how to print it.
 */
final class StatusOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", order = 41, description = "Print JSON, one object per line.")
    private boolean isJson;

    private Path directory;

    @Option(names = "--dir", order = 40, paramLabel = "FOLDER",
        description = "Shared folder of the transports. Default: the one they use by default")
    void directory(final Path value) {
        if (!Files.isDirectory(value)) {
            throw OptionMistake.of(command, "--dir", value, "is not a folder");
        }
        directory = value;
    }

    boolean isJson() {
        return isJson;
    }

    /** The shared folder where none is named. */
    static Path defaultDirectory() {
        try {
            return Configuration.directory(SystemEnvironment.instance());
        } catch (final IllegalArgumentException | VerbsException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }

    /** Look at all transports now. */
    StatusSnapshot read() {
        final Path folder = directory == null ? defaultDirectory() : directory;
        try {
            return StatusSnapshot.of(folder);
        } catch (final IOException e) {
            throw new RunFailure("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
