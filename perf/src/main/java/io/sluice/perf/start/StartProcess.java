package io.sluice.perf.start;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The main class of a measuring process: round trips between two threads over {@code sluice:ipc}, from the first one
 * on. Prints one line with the fields of {@link StartResult}.
 */
public final class StartProcess {
    private static final int REQUESTS = 1;
    private static final int REPLIES = 2;
    private static final int MESSAGE_LENGTH = 32;
    private static final int BLOCK = 100;
    private static final long COMPILERS_AFTER_NS = TimeUnit.SECONDS.toNanos(4);
    private static final double NS_PER_MS = 1e6;
    private static final String CHANNEL = "sluice:ipc?endpoint=start|mode=invoker";

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final Blocks blocks = new Blocks();
    private long received;
    private final FragmentHandler handler = (buffer, offset, length, header) -> received++;
    private double compilersNs = Double.NaN;

    private StartProcess() {
    }

    /**
     * Measure.
     *
     * @param args folder, and nanoseconds to go on for.
     * @throws InterruptedException when the process is ended.
     */
    public static void main(final String[] args) throws InterruptedException {
        final long startNs = System.nanoTime();
        System.out.println(new StartProcess().measure(startNs, Path.of(args[0]), Long.parseLong(args[1])));
    }

    private String measure(final long startNs, final Path folder, final long durationNs) throws InterruptedException {
        try (Transport transport = Transport.launch(new Context().directory(folder))) {
            final Subscription requests = transport.addSubscription(CHANNEL, REQUESTS);
            final Subscription replies = transport.addSubscription(CHANNEL, REPLIES);
            final ExclusivePublication asking = transport.addExclusivePublication(CHANNEL, REQUESTS);
            final ExclusivePublication answering = transport.addExclusivePublication(CHANNEL, REPLIES);
            while (!(requests.isConnected() && replies.isConnected() && asking.isConnected()
                && answering.isConnected())) {
                Thread.onSpinWait();
            }
            final long connectedNs = System.nanoTime() - startNs;
            final Thread echo = Thread.ofPlatform().daemon().name("echo").start(() -> echo(requests, answering));
            ping(startNs, durationNs, asking, replies);
            echo.interrupt();
            echo.join();
            return String.format(Locale.ROOT, "%.3f %.3f %d %.3f", connectedNs / NS_PER_MS,
                blocks.steadyAfterNs() / NS_PER_MS, blocks.steadyNs(), compilersNs / NS_PER_MS);
        }
    }

    private void ping(
        final long startNs, final long durationNs, final ExclusivePublication asking, final Subscription replies) {
        final long[] roundTripsNs = new long[BLOCK];
        long nowNs = System.nanoTime();
        while (nowNs - startNs < durationNs || !blocks.areEnough()) {
            for (int i = 0; i < BLOCK; i++) {
                final long sentNs = nowNs;
                final long before = received;
                offer(asking, message);
                while (received == before) {
                    if (replies.poll(handler, 1) == 0) {
                        Thread.onSpinWait();
                    }
                }
                nowNs = System.nanoTime();
                roundTripsNs[i] = nowNs - sentNs;
            }
            blocks.add(nowNs - startNs, roundTripsNs);
            if (Double.isNaN(compilersNs) && nowNs - startNs >= COMPILERS_AFTER_NS) {
                compilersNs = CompilerTime.ns();
            }
            nowNs = System.nanoTime();
        }
    }

    private static void echo(final Subscription requests, final ExclusivePublication answering) {
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final FragmentHandler answerer = (buffer, offset, length, header) -> offer(answering, answer);
        while (!Thread.currentThread().isInterrupted()) {
            if (requests.poll(answerer, 1) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void offer(final ExclusivePublication publication, final UnsafeBuffer buffer) {
        while (publication.offer(buffer) < 0) {
            Thread.onSpinWait();
        }
    }
}
