package io.sluice.verbs.software;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens a software device when something is used up, and prints why it cannot. */
final class WantingProgram {
    private WantingProgram() {
    }

    public static void main(final String[] arguments) {
        final Path directory = Path.of(arguments[0]);
        final List<InputStream> descriptors = new ArrayList<>();
        if (arguments[1].equals("descriptors")) {
            // classes are loaded before, which takes descriptors, too
            attempt(directory);
            attempt(Path.of("/dev/null"));
            useUp(descriptors);
        }
        System.out.println(attempt(directory) + " in use: " + descriptors.size());
    }

    private static String attempt(final Path directory) {
        try {
            SoftwareDevice.open(SystemEnvironment.instance(), directory).close();
            return "opened";
        } catch (final RuntimeException e) {
            return e.getMessage();
        }
    }

    private static void useUp(final List<InputStream> descriptors) {
        try {
            while (true) {
                descriptors.add(Files.newInputStream(Path.of("/dev/null")));
            }
        } catch (final IOException e) {
            // as many as there are
            return;
        }
    }
}
