package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;


/**
 * Signs of life over one control connection: when the peer was heard of, and when it is to hear of this transport.
 * Conductor only.
 */
final class Heartbeats {
    /** In a row: as late as that a peer is on a busy machine seldom, and one whose connection has died always. */
    static final int MISSED = 3;

    private final Services services;
    private long peerIntervalNs;
    private long lastReceivedNs;
    private long nextNs;
    private long sequence;

    Heartbeats(final Services services) {
        this.services = services;
    }

    /** How often the peer means to be heard of, as it says; what it says is not trusted. */
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

    /** Number of the next one. */
    long nextSequence() {
        return sequence++;
    }
}
