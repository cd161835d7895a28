package io.sluice.perf.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time from the moment in which a subscriber that was stopped goes on, after its publisher has given up its
 * connection, until its link has resumed and so many messages more were accepted.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
public class ResumptionBenchmark {
    private static final int MESSAGES = 200;

    private StoppedSubscriber subscriber;

    /** A state for JMH. */
    public ResumptionBenchmark() {
    }

    @Setup
    public void connect() {
        subscriber = new StoppedSubscriber();
    }

    @Setup(Level.Iteration)
    public void stop() {
        subscriber.stop();
    }

    @TearDown
    public void close() {
        subscriber.close();
    }

    @Benchmark
    public void resume() {
        subscriber.proceed(MESSAGES);
    }
}
