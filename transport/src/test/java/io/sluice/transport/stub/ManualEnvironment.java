package io.sluice.transport.stub;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import java.util.ArrayList;
import java.util.List;

/**
 * An environment whose clock a test moves, and in which parking takes no time. One thread.
 */
public final class ManualEnvironment extends ForwardingEnvironment {
    private final List<Long> parksNs = new ArrayList<>();
    private long nowNs;
    private int yields;

    public ManualEnvironment() {
        super(SystemEnvironment.instance());
    }

    /** Durations of the parks so far. */
    public List<Long> parksNs() {
        return parksNs;
    }

    /** The number of times that the core was offered to others. */
    public int yields() {
        return yields;
    }

    public void advance(final long durationNs) {
        nowNs += durationNs;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public void yieldCore() {
        yields++;
    }

    @Override
    public void park(final long durationNs) {
        parksNs.add(durationNs);
    }
}
