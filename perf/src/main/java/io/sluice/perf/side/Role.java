package io.sluice.perf.side;

import java.util.function.Function;

/**
 * The parts that a measuring process or thread can play. Of the two of a measurement one is the host: between processes
 * it starts first and ends last.
 */
public enum Role {
    /** Sends a message, waits for its echo, measures. */
    PING(false, PingSide::new),
    /** The same within a process, where a clock's own price would be a good part of the figure. */
    HAND_OFF(false, HandOffSide::new),
    /** Sends at a fixed rate, measures from the moment at which each message is due. */
    FIXED_RATE(false, FixedRateSide::new),
    /** The same within a process, and measures also when the stream takes each message. */
    PACED_HAND_OFF(false, PacedHandOffSide::new),
    /** Echoes. */
    PONG(true, PongSide::new),
    /** Echoes, beside a consumer of the same messages that stands still now and then. */
    FAST_AND_SLOW(true, FastAndSlowSide::new),
    /** Sends as fast as it can. */
    PUBLISH(false, PublishSide::new),
    /** Receives, checks that nothing is missing, and measures the rate. */
    SUBSCRIBE(true, SubscribeSide::new);

    private final boolean host;
    private final Function<SideSettings, Side> factory;

    Role(final boolean host, final Function<SideSettings, Side> factory) {
        this.host = host;
        this.factory = factory;
    }

    /**
     * Whether it starts what both processes need.
     *
     * @return true for the one that starts first and ends last.
     */
    public boolean isHost() {
        return host;
    }

    Side create(final SideSettings settings) {
        return factory.apply(settings);
    }
}
