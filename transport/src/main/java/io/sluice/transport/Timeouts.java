package io.sluice.transport;

import io.sluice.transport.settings.Durations;

/**
 * The intervals and timeouts of a transport, in nanoseconds. Immutable; any thread. Defaults are the system properties
 * of the same names, see {@link Configuration}.
 *
 * <p>An object of this class never changes: a method with a parameter returns a changed copy, which takes effect when
 * it is handed to {@link Context#timeouts(Timeouts)}.
 *
 * <pre>
 *   context.timeouts(new Timeouts().livenessTimeoutNs(20_000_000_000L));
 * </pre>
 *
 * <p>Values are checked, each by itself and against the others, when the context is concluded.
 */
public final class Timeouts {
    private final Durations durations;

    /**
     * The defaults.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public Timeouts() {
        this(new Durations(
            SystemProperties.quantity(
                Configuration.HEARTBEAT_INTERVAL_PROP, Configuration.HEARTBEAT_INTERVAL_DEFAULT_NS,
                Quantities::durationNs, Configuration.TIMEOUT_MIN_NS, Configuration.HEARTBEAT_INTERVAL_MAX_NS),
            SystemProperties.quantity(
                Configuration.LIVENESS_TIMEOUT_PROP, Configuration.LIVENESS_TIMEOUT_DEFAULT_NS,
                Quantities::durationNs, Configuration.LIVENESS_TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS),
            SystemProperties.timeoutNs(Configuration.RESUME_TIMEOUT_PROP, Configuration.RESUME_TIMEOUT_DEFAULT_NS),
            SystemProperties.timeoutNs(
                Configuration.HANDSHAKE_TIMEOUT_PROP, Configuration.HANDSHAKE_TIMEOUT_DEFAULT_NS),
            SystemProperties.timeoutNs(Configuration.LINGER_TIMEOUT_PROP, Configuration.LINGER_TIMEOUT_DEFAULT_NS),
            SystemProperties.timeoutNs(
                Configuration.DISCOVERY_INTERVAL_PROP, Configuration.DISCOVERY_INTERVAL_DEFAULT_NS),
            SystemProperties.timeoutNs(Configuration.UNBLOCK_TIMEOUT_PROP, Configuration.UNBLOCK_TIMEOUT_DEFAULT_NS)));
    }

    private Timeouts(final Durations durations) {
        this.durations = durations;
    }

    /**
     * Returns a copy of these timeouts with another time between heartbeats to peers.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to half of the liveness timeout.
     * @return the copy.
     */
    public Timeouts heartbeatIntervalNs(final long valueNs) {
        return new Timeouts(new Durations(
            valueNs, livenessTimeoutNs(), resumeTimeoutNs(), handshakeTimeoutNs(), lingerTimeoutNs(),
            discoveryIntervalNs(), unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time after which a silent peer is given up, and a broken image too.
     *
     * @param valueNs from {@link Configuration#LIVENESS_TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}; at
     *                least two heartbeat intervals, and the resume timeout.
     * @return the copy.
     */
    public Timeouts livenessTimeoutNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), valueNs, resumeTimeoutNs(), handshakeTimeoutNs(), lingerTimeoutNs(),
            discoveryIntervalNs(), unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time that a broken link gates its publication. A link that resumes
     * and breaks again has as long for all its breaks until it makes progress.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to the liveness timeout.
     * @return the copy.
     */
    public Timeouts resumeTimeoutNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), livenessTimeoutNs(), valueNs, handshakeTimeoutNs(), lingerTimeoutNs(),
            discoveryIntervalNs(), unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time for a whole handshake.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public Timeouts handshakeTimeoutNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), livenessTimeoutNs(), resumeTimeoutNs(), valueNs, lingerTimeoutNs(),
            discoveryIntervalNs(), unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time that a closed publication goes on delivering, where its
     * channel does not say.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public Timeouts lingerTimeoutNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), livenessTimeoutNs(), resumeTimeoutNs(), handshakeTimeoutNs(), valueNs,
            discoveryIntervalNs(), unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time between looks for new peers.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public Timeouts discoveryIntervalNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), livenessTimeoutNs(), resumeTimeoutNs(), handshakeTimeoutNs(), lingerTimeoutNs(),
            valueNs, unblockTimeoutNs()));
    }

    /**
     * Returns a copy of these timeouts with another time that a claim of a shared publication may stay open while
     * others wait for it.
     *
     * @param valueNs from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public Timeouts unblockTimeoutNs(final long valueNs) {
        return new Timeouts(new Durations(
            heartbeatIntervalNs(), livenessTimeoutNs(), resumeTimeoutNs(), handshakeTimeoutNs(), lingerTimeoutNs(),
            discoveryIntervalNs(), valueNs));
    }

    /** {@return the time between heartbeats to peers} */
    public long heartbeatIntervalNs() {
        return durations.heartbeatIntervalNs();
    }

    /** {@return the time after which a silent peer is given up, and a broken image too} */
    public long livenessTimeoutNs() {
        return durations.livenessTimeoutNs();
    }

    /** {@return the time that a broken link gates its publication} */
    public long resumeTimeoutNs() {
        return durations.resumeTimeoutNs();
    }

    /** {@return the time for a whole handshake} */
    public long handshakeTimeoutNs() {
        return durations.handshakeTimeoutNs();
    }

    /** {@return the time that a closed publication goes on delivering, where its channel does not say} */
    public long lingerTimeoutNs() {
        return durations.lingerTimeoutNs();
    }

    /** {@return the time between looks for new peers} */
    public long discoveryIntervalNs() {
        return durations.discoveryIntervalNs();
    }

    /** {@return the time that a claim of a shared publication may stay open while others wait for it} */
    public long unblockTimeoutNs() {
        return durations.unblockTimeoutNs();
    }

    /** The times that the control plane keeps. */
    Durations durations() {
        return durations;
    }

    void check() {
        Quantities.checkRange("heartbeatIntervalNs", heartbeatIntervalNs(), Configuration.TIMEOUT_MIN_NS,
            Configuration.HEARTBEAT_INTERVAL_MAX_NS);
        Quantities.checkRange("livenessTimeoutNs", livenessTimeoutNs(), Configuration.LIVENESS_TIMEOUT_MIN_NS,
            Configuration.TIMEOUT_MAX_NS);
        Quantities.checkTimeout("resumeTimeoutNs", resumeTimeoutNs());
        Quantities.checkTimeout("handshakeTimeoutNs", handshakeTimeoutNs());
        Quantities.checkTimeout("lingerTimeoutNs", lingerTimeoutNs());
        Quantities.checkTimeout("discoveryIntervalNs", discoveryIntervalNs());
        Quantities.checkTimeout("unblockTimeoutNs", unblockTimeoutNs());
        if (heartbeatIntervalNs() * 2 > livenessTimeoutNs()) {
            throw new IllegalArgumentException("a liveness timeout is at least two heartbeat intervals:"
                + " livenessTimeoutNs=" + livenessTimeoutNs() + " heartbeatIntervalNs=" + heartbeatIntervalNs()
                + SystemProperties.origin(
                    Configuration.LIVENESS_TIMEOUT_PROP, Configuration.HEARTBEAT_INTERVAL_PROP));
        }
        if (resumeTimeoutNs() > livenessTimeoutNs()) {
            throw new IllegalArgumentException("a broken link gates no longer than an image lives: resumeTimeoutNs="
                + resumeTimeoutNs() + " livenessTimeoutNs=" + livenessTimeoutNs()
                + SystemProperties.origin(Configuration.RESUME_TIMEOUT_PROP, Configuration.LIVENESS_TIMEOUT_PROP));
        }
    }

    @Override
    public String toString() {
        return "Timeouts{heartbeatIntervalNs=" + heartbeatIntervalNs() + " livenessTimeoutNs=" + livenessTimeoutNs()
            + " resumeTimeoutNs=" + resumeTimeoutNs() + " handshakeTimeoutNs=" + handshakeTimeoutNs()
            + " lingerTimeoutNs=" + lingerTimeoutNs() + " discoveryIntervalNs=" + discoveryIntervalNs()
            + " unblockTimeoutNs=" + unblockTimeoutNs() + "}";
    }
}
