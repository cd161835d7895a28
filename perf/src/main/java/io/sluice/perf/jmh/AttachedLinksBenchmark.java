package io.sluice.perf.jmh;

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
 * Measures the cost of a message of one link while many others are attached to the same subscription and idle: it
 * should not depend on their number. Several processes, since what one compiles and where its memory lies makes more
 * than the 10 % that are asked about.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class AttachedLinksBenchmark {
    private static final int DUTY_CYCLES = 5;

    /** Publications that the subscription is linked with. */
    @Param({"1", "10", "100", "1000"})
    public int links;

    private AttachedLinks attached;

    /** Makes a benchmark; JMH does. */
    public AttachedLinksBenchmark() {
    }

    @Setup
    public void open() {
        attached = new AttachedLinks(links);
    }

    @Setup(Level.Iteration)
    public void doWork() {
        for (int i = 0; i < DUTY_CYCLES; i++) {
            attached.doWork();
        }
    }

    @TearDown
    public void close() {
        attached.close();
    }

    @Benchmark
    public long offerPoll() {
        return attached.offerAndPoll();
    }

    @Benchmark
    public long pollIdle() {
        return attached.pollIdle();
    }
}
