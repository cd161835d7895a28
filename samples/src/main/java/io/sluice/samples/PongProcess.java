package io.sluice.samples;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A pong in a second JVM: same Java, same class path, same JVM flags. It ends when its standard input ends, which the
 * operating system sees to however this process ends. One thread; whoever made it closes it.
 */
final class PongProcess implements AutoCloseable {
    /** The time in seconds that pong may take to end: longer than pong's transport lingers by default. */
    private static final long END_TIMEOUT_SECONDS = 8;
    private static final long KILL_TIMEOUT_SECONDS = 2;

    private Process process;

    /**
     * Start it, once. Must not be called from a pinned thread, whose core the new process would inherit.
     *
     * @param options of the pong command.
     */
    void start(final List<String> options) {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            // A debugger's port cannot be had twice.
            if (!flag.startsWith("-agentlib:jdwp")) {
                command.add(flag);
            }
        }
        command.addAll(program(System.getProperty("java.class.path")));
        command.addAll(List.of("pong", PongCommand.UNTIL_END_OF_INPUT));
        command.addAll(options);
        try {
            process = new ProcessBuilder(command)
                .redirectInput(Redirect.PIPE)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT)
                .start();
        } catch (final IOException e) {
            throw new RunFailure("cannot start pong: " + e.getMessage(), e);
        }
    }

    /** Arguments that run commands again: the one jar with all of them, whose manifest has flags, or a class. */
    static List<String> program(final String classPath) {
        return classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)
            ? List.of("-jar", classPath) : List.of("-cp", classPath, SluiceCommand.class.getName());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** End it: politely, then by force. */
    @Override
    public void close() {
        if (process == null) {
            return;
        }
        try {
            process.getOutputStream().close();
        } catch (final IOException e) {
            // Its end of the pipe is closed already: it has ended, or is asked again below.
            process.destroy();
        }
        if (!hasEnded(END_TIMEOUT_SECONDS)) {
            process.destroyForcibly();
            hasEnded(KILL_TIMEOUT_SECONDS);
        }
    }

    private boolean hasEnded(final long timeoutSeconds) {
        try {
            return process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
