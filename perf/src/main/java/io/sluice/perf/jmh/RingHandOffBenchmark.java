package io.sluice.perf.jmh;

import io.sluice.perf.peer.PeerKind;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of the way over a ring by the batch when publisher, poller and consumer are one thread: offer, the
 * poller's cycle, the consumer's. Beside it a raw ring of the Disruptor, and the same messages without any ring: the
 * difference to that is the ring's. The systems are those of {@code bench ring}; the transport's conductor has its
 * thread, as there, so that {@code -prof gc} shows what that allocates, too: a small part of a byte for each message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingHandOffBenchmark {
    /** Messages of an invocation, in one batch or several. */
    private static final int MESSAGES = 64;

    /** The system. */
    @Param({"sluice:ring", "sluice:ring-poll", "sluice:ipc", "disruptor"})
    public String peer;

    /** Messages that are published together. */
    @Param({"1", "16", "64"})
    public int batch;

    private RingHandOff ring;

    /** Makes a benchmark; JMH does. */
    public RingHandOffBenchmark() {
    }

    @Setup
    public void open() {
        ring = new RingHandOff(PeerKind.of(peer));
    }

    @TearDown
    public void close() {
        ring.close();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long handOff() {
        long received = 0;
        for (int left = MESSAGES; left > 0; left -= batch) {
            received = ring.handOff(batch);
        }
        return received;
    }
}
