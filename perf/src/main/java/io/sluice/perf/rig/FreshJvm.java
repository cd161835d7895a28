package io.sluice.perf.rig;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures in a process of its own: a JVM with the flags of this one, while nobody else measures. One thread; ends its
 * process whatever happens.
 *
 * @param output       file for what the process prints.
 * @param quietLimitNs how long it waits for a moment in which nothing else runs.
 * @param limitNs      after which the process counts as stuck.
 * @param classPath    of the process.
 */
public record FreshJvm(Path output, long quietLimitNs, long limitNs, String classPath) {
    /** A number of lines that is not counted: the JVM prints, too, when it makes a cache. */
    public static final int ANY_LINES = -1;

    /**
     * Creates one with the class path of this process.
     *
     * @param output       file for what the process prints.
     * @param quietLimitNs how long it waits for a moment in which nothing else runs.
     * @param limitNs      after which the process counts as stuck.
     */
    public FreshJvm(final Path output, final long quietLimitNs, final long limitNs) {
        this(output, quietLimitNs, limitNs, System.getProperty("java.class.path"));
    }

    /**
     * Run a class with a main method.
     *
     * @param main      the class.
     * @param jvmFlags  more flags.
     * @param arguments of the class.
     * @param lines     that it must print, or {@link #ANY_LINES}.
     * @return what it has printed.
     * @throws IOException          when it fails, does not end, or prints something else, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<String> run(
        final Class<?> main, final List<String> jvmFlags, final List<String> arguments, final int lines)
        throws IOException, InterruptedException {
        try (FileChannel _ = BenchLock.take()) {
            MachineUse.awaitQuiet(quietLimitNs);
            return runAlone(main, jvmFlags, arguments, lines);
        }
    }

    private List<String> runAlone(
        final Class<?> main, final List<String> jvmFlags, final List<String> arguments, final int lines)
        throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(RunExecutor.MORE_JVM_FLAGS);
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
        try {
            final boolean hasEnded = process.waitFor(limitNs, TimeUnit.NANOSECONDS);
            final List<String> printed = Files.readAllLines(output);
            if (!hasEnded || process.exitValue() != 0 || lines != ANY_LINES && printed.size() != lines) {
                throw new IOException(
                    String.join(" ", arguments) + (hasEnded ? " failed: " : " did not end: ") + printed);
            }
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}
