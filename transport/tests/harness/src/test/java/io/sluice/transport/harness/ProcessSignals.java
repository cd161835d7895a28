package io.sluice.transport.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Signals to other processes, and what can be seen of them from outside.
 */
final class ProcessSignals {
    private static final long TOOL_SECONDS = 20;

    private ProcessSignals() {
    }

    static void send(final String signal, final long pid) {
        run("sh", "-c", "kill -" + signal + " " + pid);
    }

    /** Whether every thread of a process is stopped by a signal. */
    static boolean isStopped(final long pid) {
        final Path tasks = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(tasks)) {
            return run("ps", "-o", "state=", "-p", Long.toString(pid)).trim().startsWith("T");
        }
        try (var threads = Files.list(tasks)) {
            return threads.allMatch(thread -> isThreadStopped(thread.resolve("stat")));
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    private static boolean isThreadStopped(final Path stat) {
        try {
            final String text = Files.readString(stat);
            return text.charAt(text.lastIndexOf(')') + 2) == 'T';
        } catch (final IOException ex) {
            return !Files.exists(stat);
        }
    }

    static String threadDump(final long pid) {
        send("CONT", pid);
        final String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            return run(jcmd, Long.toString(pid), "Thread.print");
        } catch (final AssertionError ex) {
            return "no thread dump: " + ex.getMessage() + "\n";
        }
    }

    private static String run(final String... command) {
        Process process = null;
        try {
            final Path output = Files.createTempFile("sluice-test-", ".out");
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!process.waitFor(TOOL_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("does not end: " + String.join(" ", command));
            }
            final String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            if (process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + ": " + text);
            }
            return text;
        } catch (final IOException | InterruptedException ex) {
            throw new AssertionError(String.join(" ", command), ex);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
