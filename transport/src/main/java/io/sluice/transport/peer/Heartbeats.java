package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;

/**
 * Signs of life over one control connection: when the peer was heard of, and when it is to hear of this transport.
 * Conductor only.
 */
final class Heartbeats {
    /** Heartbeats missed in a row: seldom by a peer on a busy machine, always by one whose connection has died. */
    static final int MISSED = 3;

    /**
     * The time between two looks at whichever connection of a medium: each is a system call, and with that the
     * conductor makes less than one in a millisecond.
     */
    private static final long LOOK_INTERVAL_NS = 4_000_000L;
    /** The longest time between two looks at one connection, however many there are. */
    private static final long MAX_LOOK_INTERVAL_NS = 100_000_000L;

    private final Services services;
    private long peerIntervalNs;
    private long lastReceivedNs;
    private long nextNs;
    private long nextLookNs;
    private long sequence;
    private int told;

    Heartbeats(final Services services) {
        this.services = services;
    }

    /** Takes the interval in which the peer means to be heard of, as it says; what it says is not trusted. */
    void peerIntervalNs(final long intervalNs) {
        peerIntervalNs = Math.clamp(intervalNs, 0, services.parameters().durations().livenessTimeoutNs());
    }

    void onReceived(final long nowNs) {
        lastReceivedNs = nowNs;
    }

    long silenceNs(final long nowNs) {
        return nowNs - lastReceivedNs;
    }

    /** Whether so many heartbeats of the peer are missing that its connection may have died unnoticed. */
    boolean areMissing(final long nowNs) {
        return silenceNs(nowNs) > MISSED * peerIntervalNs;
    }

    /** {@return whether one is to be sent now} Then the next one is due after the interval. */
    boolean isDue(final long nowNs) {
        if (nowNs - nextNs < 0) {
            return false;
        }
        nextNs = nowNs + services.parameters().durations().heartbeatIntervalNs();
        return true;
    }

    /** Notes that a message of the peer was a heartbeat. */
    void onTold() {
        told++;
    }

    /**
     * {@return the number of messages since the last time that were heartbeats} Nothing comes of those, so that they
     * are no work, for which the conductor would stay awake.
     */
    int takeTold() {
        final int taken = told;
        told = 0;
        return taken;
    }

    /**
     * {@return whether the connection of a ready session is to be asked for its end now} It need not be in each cycle:
     * a peer says goodbye, and whatever else ends the connection fails what is sent or received.
     *
     * @param connections of the medium, which take turns.
     */
    boolean isLookDue(final long nowNs, final int connections) {
        if (nowNs - nextLookNs < 0) {
            return false;
        }
        nextLookNs = nowNs + Math.min(MAX_LOOK_INTERVAL_NS, LOOK_INTERVAL_NS * connections);
        return true;
    }

    /** The number of the next heartbeat. */
    long nextSequence() {
        return sequence++;
    }
}
