package io.sluice.verbs.rdma;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;

/** The real machine, with a time that a test puts forward, and fences that are counted. One thread. */
final class StoppedClock extends ForwardingEnvironment {
    long nowNs;
    int fences;

    StoppedClock() {
        super(SystemEnvironment.instance());
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public void fenceAllThreads() {
        fences++;
        super.fenceAllThreads();
    }
}
