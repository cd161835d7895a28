package io.sluice.transport.reentrancy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process that makes the calls, told in lines in which places; one column of the table. */
final class CallsInCallbacks {
    private CallsInCallbacks() {
    }

    public static void main(final String[] arguments) throws IOException {
        final Column column = Column.valueOf(System.getProperty("test.column"));
        final Path directory = Path.of(arguments[0]).resolve(column.name());
        Files.createDirectories(directory);
        System.out.println("READY");
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String name;
            while ((name = input.readLine()) != null) {
                final Place place = Place.valueOf(name);
                final Stage stage = new Stage(column, directory, place.lingerTimeoutNs(), place.calls());
                place.play(stage);
                stage.end();
            }
        }
        System.exit(0);
    }
}
