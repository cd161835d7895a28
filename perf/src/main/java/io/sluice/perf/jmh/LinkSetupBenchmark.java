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
 * The time until all links between two transports are there: from the first publication that is added to the last one
 * that is connected. Each run has transports of its own, as a program that starts has.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 5)
public class LinkSetupBenchmark {
    /** Publications that the subscription is linked with. */
    @Param("1000")
    public int links;

    private LinkedTransports transports;

    /** A state for JMH. */
    public LinkSetupBenchmark() {
    }

    @Setup(Level.Iteration)
    public void launch() {
        transports = new LinkedTransports();
    }

    @TearDown(Level.Iteration)
    public void close() {
        transports.close();
    }

    @Benchmark
    public int connect() {
        return transports.connect(links);
    }
}
