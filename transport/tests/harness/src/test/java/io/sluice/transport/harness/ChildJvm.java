package io.sluice.transport.harness;

import io.sluice.transport.kit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A JVM with this one's class path, modules and flags, talked to in lines. A child ends when its standard input does,
 * so that it never outlives the tests.
 */
public final class ChildJvm implements AutoCloseable {
    /** The exit code of a process that was ended by a kill -9. */
    public static final int EXIT_KILLED = 128 + 9;

    private static final String HEAP = "-Xmx256m";
    private static final Pattern NOT_PASSED_ON =
        Pattern.compile("-(agent|javaagent|Xmx|Djdk\\.module\\.main).*|-XX:[+-]Use\\w+GC");
    /** Lines that a program of the tests says, and not its JVM. */
    private static final Pattern SAID = Pattern.compile("[A-Z-]{2,}( [^ =]+=| *$)");

    private final String name;
    private final Process process;
    private final Path errorFile;
    private final Writer input;
    private final Thread reader;
    private final List<Line> unread = new ArrayList<>();
    private final StringBuilder transcript = new StringBuilder();
    private boolean isOutputOver;

    private ChildJvm(final String name, final Process process, final Path errorFile) {
        this.name = name;
        this.process = process;
        this.errorFile = errorFile;
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        reader = Thread.ofPlatform().daemon().name("output of " + name).start(this::readOutput);
    }

    static ChildJvm start(
        final String name,
        final Path folder,
        final List<String> wrapper,
        final Class<?> main,
        final List<String> classes,
        final List<String> flags,
        final List<String> arguments) {
        final List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> !NOT_PASSED_ON.matcher(flag).matches()).forEach(command::add);
        // those that Maven was given are not among the flags
        for (final String property : System.getProperties().stringPropertyNames()) {
            if (property.startsWith("sluice.test.")) {
                command.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        // the steps of links and publications are asserted; Surefire has no flag for that which could be passed on
        command.add("-ea:io.sluice...");
        command.addAll(List.of(HEAP, "-XX:+UseSerialGC", "-XX:-CreateCoredumpOnCrash"));
        command.add("-XX:ErrorFile=" + folder.resolve(name + ".hs_err"));
        command.addAll(flags);
        command.addAll(classes);
        if (main.getModule().isNamed()) {
            command.addAll(List.of("-m", main.getModule().getName() + "/" + main.getName()));
        } else {
            command.add(main.getName());
        }
        command.addAll(arguments);
        final Path errors = folder.resolve(name + ".err");
        try {
            final Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new ChildJvm(name, process, errors);
        } catch (final IOException ex) {
            throw new AssertionError("cannot start " + command, ex);
        }
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String text;
            while ((text = lines.readLine()) != null) {
                onLine(text);
            }
        } catch (final IOException ex) {
            onLine("UNREADABLE cause=" + ex.getClass().getSimpleName());
        }
        synchronized (unread) {
            isOutputOver = true;
            unread.notifyAll();
        }
    }

    private void onLine(final String text) {
        synchronized (unread) {
            transcript.append("  < ").append(text).append('\n');
            if (SAID.matcher(text).lookingAt()) {
                unread.add(Line.parse(text));
            }
            unread.notifyAll();
        }
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Send a command. */
    public ChildJvm tell(final String command) {
        synchronized (unread) {
            transcript.append("  > ").append(command).append('\n');
        }
        try {
            input.write(command + "\n");
            input.flush();
        } catch (final IOException ex) {
            throw new AssertionError(name + " does not take: " + command + "\n" + describe(), ex);
        }
        return this;
    }

    /** Send a command and wait for the answer. */
    public Line ask(final String command, final String answer) {
        return tell(command).await(answer);
    }

    /** Wait for a line that has the word and all the values of the pattern; it is then taken. */
    public Line await(final String pattern) {
        return await(pattern, Await.DEADLINE_SECONDS);
    }

    public Line await(final String pattern, final long seconds) {
        final Line wanted = Line.parse(pattern);
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        synchronized (unread) {
            while (true) {
                final Line found = take(wanted);
                if (found != null) {
                    return found;
                }
                final long waitMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (isOutputOver || waitMs <= 0) {
                    throw new AssertionError(name + " did not say: " + pattern + "\n" + describe());
                }
                pause(waitMs);
            }
        }
    }

    /** Take a line that is there already, or null. */
    public Line poll(final String pattern) {
        synchronized (unread) {
            return take(Line.parse(pattern));
        }
    }

    private Line take(final Line wanted) {
        for (final Iterator<Line> lines = unread.iterator(); lines.hasNext();) {
            final Line line = lines.next();
            if (line.matches(wanted)) {
                lines.remove();
                return line;
            }
        }
        return null;
    }

    private void pause(final long waitMs) {
        try {
            unread.wait(waitMs);
        } catch (final InterruptedException ex) {
            throw new AssertionError("interrupted while waiting for " + name + "\n" + describe(), ex);
        }
    }

    /** kill -9, at once; {@link #kill} then waits for the end. */
    public void strike() {
        process.destroyForcibly();
    }

    /** kill -9; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        if (awaitExit() != EXIT_KILLED) {
            throw new AssertionError(name + " was not killed: exit code " + process.exitValue());
        }
    }

    /** SIGSTOP; returns when the whole process stands still. */
    public void stop() {
        ProcessSignals.send("STOP", pid());
        Await.until(() -> name + " to be stopped", () -> ProcessSignals.isStopped(pid()), Await.DEADLINE_SECONDS);
    }

    /** SIGCONT. */
    public void proceed() {
        ProcessSignals.send("CONT", pid());
    }

    /** Ask it to close its transport and end, and wait for a clean end. */
    public void exit() {
        tell("exit");
        if (awaitExit() != 0) {
            throw new AssertionError(name + " ended with exit code " + process.exitValue() + "\n" + describe());
        }
    }

    public int awaitExit() {
        try {
            if (!process.waitFor(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end\n" + describe());
            }
            reader.join();
            return process.exitValue();
        } catch (final InterruptedException ex) {
            throw new AssertionError("interrupted while waiting for the end of " + name + "\n" + describe(), ex);
        }
    }

    /** All that this process said, and where its threads are: for the message of a failure. */
    public String describe() {
        final StringBuilder text = new StringBuilder("---- ").append(name).append(" pid ").append(pid());
        text.append(process.isAlive() ? " alive" : " exit code " + process.exitValue()).append('\n');
        synchronized (unread) {
            text.append(transcript);
        }
        try {
            text.append(Files.readString(errorFile));
        } catch (final IOException ex) {
            text.append("no error output: ").append(ex);
        }
        if (process.isAlive()) {
            text.append(ProcessSignals.threadDump(pid()));
        }
        return text.toString();
    }

    /** All that this process wrote to the standard error output. */
    public String errors() {
        try {
            return Files.readString(errorFile);
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Ask for the counters. */
    public Map<String, String> counters() {
        return ask("counters", "COUNTERS").values();
    }

    public long counter(final String label) {
        return Long.parseLong(counters().getOrDefault(label, "0"));
    }

    /** Wait until a counter has reached a value. */
    public void awaitCounter(final String label, final long atLeast) {
        Await.until(
            () -> name + " to count " + label + " >= " + atLeast + "\n" + describe(),
            () -> counter(label) >= atLeast,
            Await.DEADLINE_SECONDS);
    }

    /** Wait until a subscriber has handled so many messages. */
    public void awaitMessages(final String subscriber, final long atLeast) {
        Await.until(
            () -> subscriber + " to have " + atLeast + " messages\n" + describe(),
            () -> ask("state name=" + subscriber, "STATE name=" + subscriber).number("messages") >= atLeast,
            Await.DEADLINE_SECONDS);
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            process.destroyForcibly();
            awaitExit();
        }
    }
}
