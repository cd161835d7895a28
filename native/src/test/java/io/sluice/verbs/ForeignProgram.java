package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of a program that is not ours. What it prints goes to a file, which may be long. The test's thread; ends
 * with the test.
 */
final class ForeignProgram implements AutoCloseable {
    private static final long END_LIMIT_SECONDS = 60;

    private final Process process;
    private final Path output;
    private final Path errors;

    private ForeignProgram(final Process process, final Path output, final Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Start it.
     *
     * @param folder  for files of what it prints.
     * @param command with its arguments.
     */
    static ForeignProgram start(final Path folder, final List<String> command) throws IOException {
        // Apart, since what it says of errors gets in between what it prints.
        final Path output = folder.resolve("output");
        final Path errors = folder.resolve("errors");
        final ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
        return new ForeignProgram(builder.start(), output, errors);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Wait until it has ended by itself; its exit code. */
    int awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS), () -> "it does not end: " + errors());
        return process.exitValue();
    }

    void assertSuccess() throws InterruptedException {
        assertEquals(0, awaitEnd(), this::errors);
    }

    /** Output of the program; all of it only when it has ended. */
    String output() {
        return read(output);
    }

    /** Error messages that the program has written. */
    String errors() {
        return read(errors);
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
