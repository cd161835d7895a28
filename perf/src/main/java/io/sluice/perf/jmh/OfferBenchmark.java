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
 * Measures the cost of an offer alone, with nobody who polls meanwhile: to claim, copy the message and commit it. The
 * cost of handling the messages is not measured: that is done after each invocation, of which one offers so many that
 * the clock's price is nothing. {@link FrameWalkBenchmark} is the other half.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OfferBenchmark {
    /** The messages of an invocation: some ten microseconds, and of the longest messages a quarter of the log. */
    static final int MESSAGES = 1024;
    private static final int MESSAGES_PER_POLL = 64;
    private static final int DUTY_CYCLES = 5;

    /** Bytes of a message. */
    @Param({"32", "1024"})
    public int messageLength;

    /** The kind of publication. */
    @Param({"exclusive", "shared"})
    public String publication;

    private Loopback loopback;

    /** Makes a benchmark; JMH does. */
    public OfferBenchmark() {
    }

    @Setup
    public void open() {
        loopback = new Loopback("sluice:ipc?endpoint=offer|mode=invoker", messageLength, ThreadingMode.INVOKER,
            publication.equals("shared"));
    }

    @Setup(Level.Iteration)
    public void doWork() {
        for (int i = 0; i < DUTY_CYCLES; i++) {
            loopback.doWork();
        }
    }

    @TearDown(Level.Invocation)
    public void drain() {
        loopback.drain(MESSAGES, MESSAGES_PER_POLL);
    }

    @TearDown
    public void close() {
        loopback.close();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void offer() {
        loopback.fill(MESSAGES);
    }
}
