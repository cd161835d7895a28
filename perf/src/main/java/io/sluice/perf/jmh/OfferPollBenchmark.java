package io.sluice.perf.jmh;

import io.sluice.transport.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a message from the offer to its handler when both are on one thread: all of Sluice's own work,
 * and no cache line on its way between cores. With {@code -prof gc} the benchmark shows that the path allocates
 * nothing. JMH counts what all threads allocate, so the transport has none of its own here, and does its slow duties
 * between the iterations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OfferPollBenchmark {
    private static final int DUTY_CYCLES = 5;

    /** Bytes of a message. */
    @Param({"32", "1024"})
    public int messageLength;

    /** The kind of publication. */
    @Param({"exclusive", "shared"})
    public String publication;

    private Loopback loopback;

    /** Makes a benchmark; JMH does. */
    public OfferPollBenchmark() {
    }

    @Setup
    public void open() {
        loopback = new Loopback("sluice:ipc?endpoint=offer-poll|mode=invoker", messageLength, ThreadingMode.INVOKER,
            publication.equals("shared"));
    }

    @Setup(Level.Iteration)
    public void doWork() {
        for (int i = 0; i < DUTY_CYCLES; i++) {
            loopback.doWork();
        }
    }

    @TearDown
    public void close() {
        loopback.close();
    }

    @Benchmark
    public long offerPoll() {
        return loopback.offerAndPoll();
    }

    /** Offers and polls after two polls in vain, as in a round trip. */
    @Benchmark
    public long pollsInVainOfferPoll() {
        return loopback.awaitOffered();
    }

    @Benchmark
    public long claimCommitPoll() {
        return loopback.claimAndPoll();
    }
}
