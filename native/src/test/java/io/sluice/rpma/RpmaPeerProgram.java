package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of {@code src/test/c/rpma_peer.c}, a program in C with librpma, as server or as client: the beginning of
 * its source tells what it does in each flow. It ends by itself when its other side does not come. The test's thread;
 * ends with the test.
 */
final class RpmaPeerProgram implements AutoCloseable {
    private static final String PROGRAM_PROP_NAME = "sluice.rpma.peer";
    private static final Path PROGRAM = Path.of(System.getProperty(PROGRAM_PROP_NAME, ""));
    private static final long END_LIMIT_SECONDS = 60;

    private final Process process;
    private final BufferedReader output;
    private final Path errors;

    private RpmaPeerProgram(final Path folder, final List<String> arguments) throws IOException {
        final List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(arguments);
        errors = Files.createTempFile(folder, "rpma_peer", ".errors");
        process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        output = process.inputReader();
    }

    /** Skips the test where the program has not been compiled. */
    static void assumeThere() {
        assumeTrue(Files.isExecutable(PROGRAM) && !Files.isDirectory(PROGRAM), "no rpma_peer here:"
            + " native/lab/rpma compiles it where gcc and the headers of librpma are");
    }

    /**
     * Start a server and wait until it listens.
     *
     * @param folder for what it says of errors.
     */
    static RpmaPeerProgram server(final Path folder, final String address, final int port, final String flow)
        throws IOException {
        final RpmaPeerProgram server =
            new RpmaPeerProgram(folder, List.of("server", address, Integer.toString(port), flow));
        final String line = server.output.readLine();
        if (!"ready".equals(line)) {
            server.close();
            throw new AssertionError("the server does not listen but says " + line + server.errors());
        }
        return server;
    }

    /**
     * Start a client of a server that listens.
     *
     * @param folder for what it says of errors.
     * @param count  of messages, in flows that have some.
     */
    static RpmaPeerProgram client(
        final Path folder, final String address, final int port, final String flow, final long count)
        throws IOException {
        return new RpmaPeerProgram(
            folder, List.of("client", address, Integer.toString(port), flow, Long.toString(count)));
    }

    /** Wait until it has ended well; the line that it has printed then. */
    String awaitResult() throws IOException, InterruptedException {
        final String line = output.readLine();
        assertEquals(0, awaitEnd(), this::errors);
        return line;
    }

    /** Wait until it has ended by itself; its exit code. */
    int awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS), () -> "it does not end: " + errors());
        return process.exitValue();
    }

    /** Error messages that the program has written. */
    String errors() {
        try {
            return Files.readString(errors);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
