package io.sluice.transport.status;

/**
 * The counters of one transport, for who reads them while it runs. Any thread. Text shows those that are not zero.
 */
public interface TransportCounters {
    /**
     * Read a counter.
     *
     * @param counter to read.
     * @return its value, never negative.
     */
    long get(TransportCounter counter);
}
