package io.sluice.transport;

/**
 * Who runs the transport's own agents: conductor, set-up and callbacks.
 */
public enum ThreadingMode {
    /** Threads of the transport, which sleep when there is nothing to do. */
    DEDICATED,
    /** The application, by calling {@link Transport#doWork()} regularly from one thread. */
    INVOKER
}
