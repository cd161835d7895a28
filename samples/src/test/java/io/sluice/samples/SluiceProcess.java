package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A program of this module in a JVM of its own, with its output. Closing it ends it and what it started.
 */
final class SluiceProcess implements AutoCloseable {
    /** Programs run for seconds here, and processes whose code is compiled better meanwhile take all cores for that. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";
    /** The mark that the reader thread puts behind the last line. */
    private static final String END = "\u0000";
    /** SIGINT is signal 2: the second bit of the mask. */
    private static final long INTERRUPT_BIT = 0b10;

    private final Process process;
    private final List<ProcessHandle> children = new ArrayList<>();
    private final Path errors;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringBuilder output = new StringBuilder();

    private SluiceProcess(final Process process, final Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofPlatform().daemon().start(this::readLines);
    }

    /** Start a command of the command line; the folder holds the shared memory and the error output. */
    static SluiceProcess command(final Path folder, final String... arguments) throws IOException {
        return start(folder, SluiceCommand.class, arguments);
    }

    /** Start a command with its output redirected, so that there are no lines to be read. */
    static SluiceProcess commandInto(final Path folder, final Path output, final String... arguments)
        throws IOException {
        return start(folder, Redirect.to(output.toFile()), onClassPath(SluiceCommand.class), arguments);
    }

    /** Start a command on a terminal of its own, of that size, whose lines are those of the terminal. */
    static SluiceProcess commandOnTerminal(
        final Path folder, final int rows, final int columns, final String... arguments) throws IOException {
        final List<String> command = java(folder, onClassPath(SluiceCommand.class), arguments);
        final String quoted = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        return run(folder, Redirect.PIPE, List.of("script", "--quiet", "--flush", "--command",
            "stty rows " + rows + " cols " + columns + "; exec " + quoted, "/dev/null"));
    }

    static SluiceProcess start(final Path folder, final Class<?> main, final String... arguments) throws IOException {
        return start(folder, Redirect.PIPE, onClassPath(main), arguments);
    }

    /** Start a program with classes that come before those of the same names. */
    static SluiceProcess startBehind(
        final Path classes, final Path folder, final Class<?> main, final String... arguments) throws IOException {
        return start(folder, Redirect.PIPE, program(classes + File.pathSeparator + classPath(), main), arguments);
    }

    /** Start a command in a JVM with more flags. */
    static SluiceProcess commandWith(final List<String> flags, final Path folder, final String... arguments)
        throws IOException {
        final List<String> program = new ArrayList<>(flags);
        program.addAll(onClassPath(SluiceCommand.class));
        return start(folder, Redirect.PIPE, program, arguments);
    }

    /** Start {@code module/class} of a module path, with all that it needs; only the verbs may call native code. */
    static SluiceProcess module(final Path folder, final String modulePath, final String main) throws IOException {
        return start(folder, Redirect.PIPE, List.of(
            "--add-opens=java.base/jdk.internal.misc=org.agrona", "--enable-native-access=io.sluice.verbs",
            "--illegal-native-access=deny", "-p", modulePath, "-m", main));
    }

    /** Start a program with the flags of {@code java} that are given, and no others. */
    static SluiceProcess plain(final Path folder, final List<String> flags, final Class<?> main) throws IOException {
        final List<String> program = new ArrayList<>(flags);
        program.addAll(List.of("-cp", classPath(), main.getName()));
        return start(folder, Redirect.PIPE, program);
    }

    private static List<String> onClassPath(final Class<?> main) {
        return program(classPath(), main);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static List<String> program(final String classPath, final Class<?> main) {
        return List.of("@" + Path.of("../.config/jvm/access").toAbsolutePath(), QUICK_COMPILER, "-cp", classPath,
            main.getName());
    }

    private static SluiceProcess start(final Path folder, final Redirect output, final List<String> program,
        final String... arguments) throws IOException {
        return run(folder, output, java(folder, program, arguments));
    }

    private static List<String> java(
        final Path folder, final List<String> program, final String... arguments) throws IOException {
        final List<String> command = new ArrayList<>();
        if (isInterruptIgnored()) {
            // As below nohup or in a background job; programs inherit it, and Ctrl-C is what we test.
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dsluice.dir=" + folder.resolve("fabric")));
        command.addAll(program);
        command.addAll(List.of(arguments));
        return command;
    }

    private static SluiceProcess run(final Path folder, final Redirect output, final List<String> command)
        throws IOException {
        final Path errors = Files.createTempFile(folder, "stderr", ".txt");
        return new SluiceProcess(
            new ProcessBuilder(command).redirectOutput(output).redirectError(errors.toFile()).start(), errors);
    }

    private static boolean isInterruptIgnored() throws IOException {
        final Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        try (var all = Files.lines(status)) {
            return all.filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & INTERRUPT_BIT) != 0);
        }
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader()) {
            String line = reader.readLine();
            while (line != null) {
                lines.add(line);
                line = reader.readLine();
            }
        } catch (final IOException e) {
            lines.add("cannot read the output: " + e);
        } finally {
            lines.add(END);
        }
    }

    /** Wait for a line that begins so. */
    void awaitLine(final String beginning) throws InterruptedException, IOException {
        awaitLine(beginning, line -> line.startsWith(beginning));
    }

    /** Wait for a line that ends so. */
    void awaitLineEnding(final String ending) throws InterruptedException, IOException {
        awaitLine(ending, line -> line.endsWith(ending));
    }

    private void awaitLine(final String part, final Predicate<String> isAwaited)
        throws InterruptedException, IOException {
        String line;
        do {
            line = nextLine();
            assertNotNull(line, () -> "no line \"" + part + "\" in:\n" + output + unread(errors));
        } while (!isAwaited.test(line));
    }

    private String nextLine() throws InterruptedException {
        final String line = lines.take();
        if (line.equals(END)) {
            lines.add(END);
            return null;
        }
        output.append(line).append('\n');
        return line;
    }

    private static String unread(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            return e.toString();
        }
    }

    /** Wait for the end. */
    int exitCode() throws InterruptedException {
        while (nextLine() != null) {
            continue;
        }
        return process.waitFor();
    }

    /** All output lines read so far, which after {@link #exitCode()} is all. */
    String output() {
        return output.toString();
    }

    List<String> errorLines() throws IOException {
        return Files.readAllLines(errors);
    }

    /** The one process that this one has started. */
    ProcessHandle child() {
        final List<ProcessHandle> found = process.children().collect(Collectors.toList());
        children.addAll(found);
        if (found.size() != 1) {
            throw new AssertionError("children: " + found);
        }
        return found.getFirst();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Send the signal that Ctrl-C sends, to this process alone. */
    void interrupt() throws IOException, InterruptedException {
        final int result = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        if (result != 0) {
            throw new AssertionError("kill failed: result=" + result);
        }
    }

    /** kill -9. */
    void kill() {
        // Unlike that of Process, this leaves what was printed to be read.
        process.toHandle().destroyForcibly();
    }

    static void awaitEnd(final ProcessHandle handle) throws InterruptedException, ExecutionException {
        handle.onExit().get();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
