package io.sluice.metrics;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Context;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A transport with a stream in a JVM of its own, for a test that kills it. The process ends with the test's, since its
 * standard input ends then.
 */
final class TransportProcess implements AutoCloseable {
    private static final String CHANNEL = "sluice:ipc?endpoint=metrics|window=64k";
    private static final String READY = "ready";

    private final Process process;

    private TransportProcess(final Process process) {
        this.process = process;
    }

    /** Starts the process, and returns when the stream is connected and its counters are there. */
    static TransportProcess start(final Path directory, final String client) throws IOException {
        final Process process = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + Path.of("../.config/jvm/access").toAbsolutePath(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), TransportProcess.class.getName(), directory.toString(),
            client)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final BufferedReader output = process.inputReader();
        final String line = output.readLine();
        if (!READY.equals(line)) {
            process.destroyForcibly();
            throw new IOException("the transport's process says: " + line);
        }
        return new TransportProcess(process);
    }

    /** The process: holds a stream until its input ends. */
    public static void main(final String[] args) throws IOException {
        try (Transport transport = Transport.launch(new Context().directory(Path.of(args[0])).clientName(args[1]));
            Subscription subscription = transport.addSubscription(CHANNEL, 1);
            Publication publication = transport.addExclusivePublication(CHANNEL, 1)) {
            final StatusReader reader = new StatusReader(SystemEnvironment.instance(), Path.of(args[0]));
            while (!publication.isConnected() || !subscription.isConnected() || !isShown(reader)) {
                Thread.yield();
            }
            System.out.println(READY);
            System.out.flush();
            System.in.readAllBytes();
        }
    }

    private static boolean isShown(final StatusReader reader) throws IOException {
        return reader.read(_ -> { }).stream()
            .filter(status -> status.processId() == ProcessHandle.current().pid())
            .flatMap(status -> status.counters().stream())
            .anyMatch(reading -> reading.type() == CounterType.PUBLICATION_POSITION);
    }

    long pid() {
        return process.pid();
    }

    /** kill -9, and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
