package io.sluice.verbs.software;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/** The real machine with a clock that moves only when a test, or a park, moves it. */
final class SteppedEnvironment extends ForwardingEnvironment {
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
    private Runnable onPark = () -> { };

    SteppedEnvironment() {
        super(SystemEnvironment.instance());
    }

    /** Do this whenever somebody parks. */
    void onPark(final Runnable action) {
        onPark = action;
    }

    void advance(final long durationNs) {
        nowNs.addAndGet(durationNs);
    }

    @Override
    public long nanoTime() {
        return nowNs.get();
    }

    @Override
    public void park(final long durationNs) {
        advance(durationNs);
        onPark.run();
        super.park(durationNs);
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        throw new UnsupportedOperationException("the software device starts no threads");
    }
}
