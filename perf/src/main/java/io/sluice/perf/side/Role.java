package io.sluice.perf.side;

/**
 * The parts that a measuring process or thread can play. Of the two of a measurement one is the host: between processes
 * it starts first and ends last.
 */
public enum Role {
    /** Sends a message, waits for its echo, measures. */
    PING(false),
    /**
     * Sends a message, waits for its echo, measures: within a process, where a clock's own price would be a good part
     * of the figure.
     */
    HAND_OFF(false),
    /** Sends at a fixed rate, measures from the moment at which each message is due. */
    FIXED_RATE(false),
    /**
     * Sends at a fixed rate within a process, measures from the moment at which each message is due, and also when the
     * stream takes it.
     */
    PACED_HAND_OFF(false),
    /** Echoes each message. */
    PONG(true),
    /** Echoes, beside a consumer of the same messages that stands still now and then. */
    FAST_AND_SLOW(true),
    /** Sends as fast as it can. */
    PUBLISH(false),
    /** Receives, checks that nothing is missing, and measures the rate. */
    SUBSCRIBE(true);

    private final boolean host;

    Role(final boolean host) {
        this.host = host;
    }

    /**
     * Whether the part starts what both processes need.
     *
     * @return true for the one that starts first and ends last.
     */
    public boolean isHost() {
        return host;
    }
}
