package io.sluice.perf.jmh;

import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A publication of this process and a subscription of another one, which is stopped (SIGSTOP) for so long that it
 * counts as gone, and let go on (SIGCONT). One thread opens, uses and closes it.
 */
final class StoppedSubscriber implements AutoCloseable {
    private static final int STREAM_ID = 1001;
    private static final String CHANNEL = "sluice:ipc?endpoint=resumption|window=64k";
    private static final int MESSAGE_LENGTH = 32;
    /**
     * The time of a stop in nanoseconds: longer than a transport lives in silence, and shorter than its link waits for
     * it to come back.
     */
    private static final long STOP_NS = TimeUnit.MILLISECONDS.toNanos(2_400);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Path folder;
    private final Transport transport;
    private final ExclusivePublication publication;
    private final Process subscriber;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);

    /** Makes both ends, and connects them: a first message was taken. */
    StoppedSubscriber() {
        try {
            folder = Files.createTempDirectory("sluice-resumption-");
            transport = Transport.launch(context(folder));
            publication = transport.addExclusivePublication(CHANNEL, STREAM_ID);
            final List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), StoppedSubscriber.class.getName(),
                folder.toString()));
            subscriber = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot start the subscriber", ex);
        }
        offer(1);
    }

    private static Context context(final Path folder) {
        return new Context().directory(folder)
            .timeouts(new Timeouts().heartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(200))
                .resumeTimeoutNs(TimeUnit.SECONDS.toNanos(2))
                .livenessTimeoutNs(TimeUnit.SECONDS.toNanos(2)));
    }

    /** Stop the subscriber until its transport counts as gone, and offer until nothing is accepted any more. */
    void stop() {
        signal("-STOP");
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < STOP_NS) {
            LockSupport.parkNanos(STOP_NS / 100);
        }
        while (publication.offer(message, 0, MESSAGE_LENGTH) > 0) {
            Thread.onSpinWait();
        }
    }

    /** Let it go on, and offer until so many messages were accepted. */
    void proceed(final int messages) {
        signal("-CONT");
        offer(messages);
    }

    /** The number of times that the link has resumed. */
    long resumes() {
        return transport.counters().get(TransportCounter.LINKS_RESUMED);
    }

    private void offer(final int messages) {
        final long startNs = System.nanoTime();
        int accepted = 0;
        while (accepted < messages) {
            if (publication.offer(message, 0, MESSAGE_LENGTH) > 0) {
                accepted++;
            } else if (System.nanoTime() - startNs > LIMIT_NS) {
                throw new IllegalStateException("not accepted: messages=" + messages + " accepted=" + accepted);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void signal(final String signal) {
        try {
            final int status = new ProcessBuilder("kill", signal, Long.toString(subscriber.pid())).start().waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill " + signal + " failed: status=" + status);
            }
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot run kill", ex);
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", ex);
        }
    }

    @Override
    public void close() {
        try {
            subscriber.destroyForcibly().waitFor();
            transport.close();
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    /**
     * Runs the other process, which polls until it is killed, or its parent has ended.
     *
     * @param args the folder.
     */
    public static void main(final String[] args) {
        Thread.ofPlatform().daemon().start(StoppedSubscriber::endWithParent);
        try (Transport transport = Transport.launch(context(Path.of(args[0])));
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID)) {
            while (!subscription.isClosed()) {
                if (subscription.poll((buffer, offset, length, header) -> { }, 64) == 0) {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                }
            }
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (final IOException ex) {
            System.err.println(ex.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }
}
