package io.sluice.transport;

/**
 * The choice of the threads that run the transport's own agents: conductor, set-up, callbacks (image handlers) and
 * listeners (of back-pressure and errors).
 */
public enum ThreadingMode {
    /** Threads of the transport, which sleep when there is nothing to do. */
    DEDICATED,
    /**
     * The application, by calling {@link Transport#doWork()} regularly from one thread. Image handlers, listeners and
     * the error handler run in there, too: one that is slow holds everything up, and one that does not return ends it.
     */
    INVOKER
}
