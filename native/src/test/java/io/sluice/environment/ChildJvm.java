package io.sluice.environment;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Another process for a test to talk to and to kill. Its standard output carries the answers, line by line; it should
 * end when its standard input does, so that it does not outlive a test that was killed itself.
 */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private ChildJvm(final List<String> command) throws IOException {
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Start a class with a main method; arguments that begin with -D or -X go to the JVM. */
    public static ChildJvm start(final Class<?> main, final String... arguments) throws IOException {
        return new ChildJvm(command("--enable-native-access=ALL-UNNAMED", main, arguments));
    }

    /** Start a class with a main method in a JVM that refuses calls of native code. */
    public static ChildJvm startWithoutNativeAccess(final Class<?> main, final String... arguments)
        throws IOException {
        return new ChildJvm(command("--illegal-native-access=deny", main, arguments));
    }

    /** Start a class with a main method through a shell command such as {@code ulimit}, which comes first. */
    public static ChildJvm startAfter(final String shellCommand, final Class<?> main, final String... arguments)
        throws IOException {
        final List<String> command = new ArrayList<>(List.of("sh", "-c", shellCommand + " && exec \"$@\"", "sh"));
        command.addAll(command("--enable-native-access=ALL-UNNAMED", main, arguments));
        return new ChildJvm(command);
    }

    private static List<String> command(final String access, final Class<?> main, final String... arguments) {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            access,
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            String.join(File.pathSeparator, TestClasses.paths())));
        Arrays.stream(arguments).filter(ChildJvm::isForJvm).forEach(command::add);
        command.add(main.getName());
        Arrays.stream(arguments).filter(argument -> !isForJvm(argument)).forEach(command::add);
        return command;
    }

    private static boolean isForJvm(final String argument) {
        return argument.startsWith("-D") || argument.startsWith("-X");
    }

    /** Wait for the next line that the child prints. */
    public String readLine() throws IOException {
        final String line = output.readLine();
        if (line == null) {
            throw new EOFException("the child has ended: " + process);
        }
        return line;
    }

    /** Send a line to the child. */
    public void writeLine(final String line) throws IOException {
        final OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Wait until the child has ended by itself, and tell its exit status. */
    public int waitForStatus() throws InterruptedException {
        return process.waitFor();
    }

    /** Kill the child, as a crash would, and wait until it is gone. */
    public void kill() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (final InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
