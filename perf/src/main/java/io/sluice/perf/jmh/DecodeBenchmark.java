package io.sluice.perf.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of decoding a message of the market-data codec, a trade and a book refresh of four entries, beside
 * loads from the same offsets of the same buffer: the difference is the header, the acting version and the flyweights.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
    private final MarketDataDecoding decoding = new MarketDataDecoding();

    /** Makes a benchmark; JMH does. */
    public DecodeBenchmark() {
    }

    @Benchmark
    public long trade() {
        return decoding.trade();
    }

    @Benchmark
    public long tradeByOffsets() {
        return decoding.tradeByOffsets();
    }

    @Benchmark
    public long book() {
        return decoding.book();
    }

    @Benchmark
    public long bookByOffsets() {
        return decoding.bookByOffsets();
    }
}
