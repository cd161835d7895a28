package io.sluice.verbs.rdma;

/**
 * Request ids of the markers that are posted to queue pairs which go: nobody else's, and each attempt's its own, so
 * that one that comes late is not taken for the next. One thread at a time makes them, any thread knows them.
 */
final class DrainMarkers {
    private static final long ATTEMPT_MASK = 0xffff;

    private final long prefix;
    private long attempts;

    DrainMarkers(final long random) {
        prefix = random & ~ATTEMPT_MASK;
    }

    long next() {
        return prefix | attempts++ & ATTEMPT_MASK;
    }

    boolean isOne(final long workRequestId) {
        return (workRequestId & ~ATTEMPT_MASK) == prefix;
    }
}
