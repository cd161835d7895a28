package io.sluice.perf.jmh;

import io.sluice.transport.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Measures the cost of a frame for who polls a log in which many are committed already: to find it, check it, hand it
 * to its handler and look that it was not overwritten, by how many are handled in one poll. The cost of writing them is
 * not measured: they are written before each invocation, of which one walks so many that the clock's price is nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameWalkBenchmark {
    /** The frames of an invocation: tens of microseconds to walk, and a sixteenth of the log. */
    static final int FRAMES = 4096;
    static final int MESSAGE_LENGTH = 32;
    private static final int DUTY_CYCLES = 5;

    /** Frames handled in one poll, at most; the last one is as many as a scan finds at most. */
    @Param({"1", "16", "64"})
    public int messagesPerPoll;

    private Loopback loopback;

    /** Makes a benchmark; JMH does. */
    public FrameWalkBenchmark() {
    }

    @Setup
    public void open() {
        loopback = new Loopback(
            "sluice:ipc?endpoint=frame-walk|mode=invoker", MESSAGE_LENGTH, ThreadingMode.INVOKER);
    }

    @Setup(Level.Iteration)
    public void doWork() {
        for (int i = 0; i < DUTY_CYCLES; i++) {
            loopback.doWork();
        }
    }

    @Setup(Level.Invocation)
    public void fill() {
        loopback.fill(FRAMES);
    }

    @TearDown
    public void close() {
        loopback.close();
    }

    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long walk() {
        return loopback.drain(FRAMES, messagesPerPoll);
    }
}
