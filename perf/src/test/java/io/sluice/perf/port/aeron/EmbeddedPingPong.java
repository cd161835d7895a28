package io.sluice.perf.port.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;

/** Measures round trips between two threads of one process. */
public final class EmbeddedPingPong {
    private static final String PING_CHANNEL = "aeron:ipc?alias=ping";
    private static final String PONG_CHANNEL = "aeron:ipc?alias=pong";
    private static final int PING_STREAM_ID = 1003;
    private static final int PONG_STREAM_ID = 1004;
    private static final int FRAGMENT_LIMIT = 10;
    private static final long LONGEST_NS = 10_000_000_000L;

    private EmbeddedPingPong() {
    }

    /** Runs the sample; the argument is the number of round trips. */
    public static void main(final String[] args) throws InterruptedException {
        final int count = Integer.parseInt(args[0]);
        final MediaDriver.Context driverContext = new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);

        try (MediaDriver driver = MediaDriver.launchEmbedded(driverContext);
            Aeron aeron = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()))) {
            final AtomicBoolean running = new AtomicBoolean(true);
            final Thread pong = new Thread(() -> pong(aeron, running), "pong");
            pong.start();
            final Histogram histogram = ping(aeron, count);
            running.set(false);
            pong.join();
            histogram.outputPercentileDistribution(System.out, 1, 1000.0);
            System.out.println("round trips " + histogram.getTotalCount());
        }
    }

    private static Histogram ping(final Aeron aeron, final int count) {
        final Histogram histogram = new Histogram(LONGEST_NS, 3);
        try (Subscription pongs = aeron.addSubscription(PONG_CHANNEL, PONG_STREAM_ID);
            ExclusivePublication pings = aeron.addExclusivePublication(PING_CHANNEL, PING_STREAM_ID)) {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
            final FragmentHandler handler = new FragmentAssembler((buffer, offset, length, header) ->
                histogram.recordValue(System.nanoTime() - buffer.getLong(offset)));
            for (int i = 0; i < count; i++) {
                do {
                    message.putLong(0, System.nanoTime());
                } while (pings.offer(message) < 0);
                while (pongs.poll(handler, FRAGMENT_LIMIT) <= 0) {
                    Thread.onSpinWait();
                }
            }
        }
        return histogram;
    }

    private static void pong(final Aeron aeron, final AtomicBoolean running) {
        try (Subscription pings = aeron.addSubscription(PING_CHANNEL, PING_STREAM_ID);
            ExclusivePublication pongs = aeron.addExclusivePublication(PONG_CHANNEL, PONG_STREAM_ID)) {
            final FragmentHandler handler = new FragmentAssembler((buffer, offset, length, header) -> {
                while (pongs.offer(buffer, offset, length) < 0 && running.get()) {
                    Thread.onSpinWait();
                }
            });
            while (running.get()) {
                pings.poll(handler, FRAGMENT_LIMIT);
            }
        }
    }
}
