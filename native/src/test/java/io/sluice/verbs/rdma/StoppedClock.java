package io.sluice.verbs.rdma;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;

/** The real machine, with a time that a test puts forward. One thread. */
final class StoppedClock extends ForwardingEnvironment {
    long nowNs;

    StoppedClock() {
        super(SystemEnvironment.instance());
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }
}
