package io.sluice.transport;

/**
 * The times of a {@link Context}: intervals and timeouts in nanoseconds. One thread at a time, before the context is
 * concluded.
 */
abstract sealed class ContextTimeouts extends ContextQuotas permits Context {
    private long heartbeatIntervalNs = SystemProperties.quantity(
        Configuration.HEARTBEAT_INTERVAL_PROP, Configuration.HEARTBEAT_INTERVAL_DEFAULT_NS, Quantities::durationNs,
        Configuration.TIMEOUT_MIN_NS, Configuration.HEARTBEAT_INTERVAL_MAX_NS);
    private long livenessTimeoutNs = SystemProperties.quantity(
        Configuration.LIVENESS_TIMEOUT_PROP, Configuration.LIVENESS_TIMEOUT_DEFAULT_NS, Quantities::durationNs,
        Configuration.LIVENESS_TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
    private long resumeTimeoutNs = SystemProperties.timeoutNs(
        Configuration.RESUME_TIMEOUT_PROP, Configuration.RESUME_TIMEOUT_DEFAULT_NS);
    private long handshakeTimeoutNs = SystemProperties.timeoutNs(
        Configuration.HANDSHAKE_TIMEOUT_PROP, Configuration.HANDSHAKE_TIMEOUT_DEFAULT_NS);
    private long lingerTimeoutNs = SystemProperties.timeoutNs(
        Configuration.LINGER_TIMEOUT_PROP, Configuration.LINGER_TIMEOUT_DEFAULT_NS);
    private long discoveryIntervalNs = SystemProperties.timeoutNs(
        Configuration.DISCOVERY_INTERVAL_PROP, Configuration.DISCOVERY_INTERVAL_DEFAULT_NS);
    private long moderationPeriodNs = SystemProperties.quantity(
        Configuration.MODERATION_PERIOD_PROP, Configuration.MODERATION_PERIOD_DEFAULT_NS, Quantities::durationNs, 0,
        Configuration.MODERATION_PERIOD_MAX_NS);
    private long unblockTimeoutNs = SystemProperties.timeoutNs(
        Configuration.UNBLOCK_TIMEOUT_PROP, Configuration.UNBLOCK_TIMEOUT_DEFAULT_NS);
    private long evictAfterNs = SystemProperties.timeoutNs(
        Configuration.EVICT_AFTER_PROP, Configuration.EVICT_AFTER_DEFAULT_NS);
    private long evictTimeoutNs = SystemProperties.timeoutNs(
        Configuration.EVICT_TIMEOUT_PROP, Configuration.EVICT_TIMEOUT_DEFAULT_NS);

    /**
     * Set the time in nanoseconds between heartbeats to peers.
     * @param value to use.
     * @return this.
     */
    public Context heartbeatIntervalNs(final long value) {
        checkNotConcluded();
        heartbeatIntervalNs = value;
        return self();
    }

    /** {@return the time in nanoseconds between heartbeats to peers} */
    public long heartbeatIntervalNs() {
        return heartbeatIntervalNs;
    }

    /**
     * Set the time in nanoseconds after which a silent peer is given up, and a broken image too.
     * @param value to use.
     * @return this.
     */
    public Context livenessTimeoutNs(final long value) {
        checkNotConcluded();
        livenessTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds after which a silent peer is given up, and a broken image too} */
    public long livenessTimeoutNs() {
        return livenessTimeoutNs;
    }

    /**
     * Set the time in nanoseconds that a broken link gates its publication; shorter than the liveness timeout. A link
     * that resumes and breaks again has as long for all its breaks until it makes progress.
     * @param value to use.
     * @return this.
     */
    public Context resumeTimeoutNs(final long value) {
        checkNotConcluded();
        resumeTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds that a broken link gates its publication; less than the liveness timeout} */
    public long resumeTimeoutNs() {
        return resumeTimeoutNs;
    }

    /**
     * Set the time in nanoseconds for each step of a handshake.
     * @param value to use.
     * @return this.
     */
    public Context handshakeTimeoutNs(final long value) {
        checkNotConcluded();
        handshakeTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds for each step of a handshake} */
    public long handshakeTimeoutNs() {
        return handshakeTimeoutNs;
    }

    /**
     * Set the time in nanoseconds that a closed publication goes on delivering.
     * @param value to use.
     * @return this.
     */
    public Context lingerTimeoutNs(final long value) {
        checkNotConcluded();
        lingerTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds that a closed publication goes on delivering} */
    public long lingerTimeoutNs() {
        return lingerTimeoutNs;
    }

    /**
     * Set the time in nanoseconds between looks for new peers.
     * @param value to use.
     * @return this.
     */
    public Context discoveryIntervalNs(final long value) {
        checkNotConcluded();
        discoveryIntervalNs = value;
        return self();
    }

    /** {@return the time in nanoseconds between looks for new peers} */
    public long discoveryIntervalNs() {
        return discoveryIntervalNs;
    }

    /**
     * Set the time in nanoseconds, up to a millisecond, for which a poller stays away from the shared log of a dense
     * stream each time it has caught up, as long as that makes the stream faster; 0 not to. An idle strategy that
     * sleeps meanwhile may add its own time.
     * @param value to use.
     * @return this.
     */
    public Context moderationPeriodNs(final long value) {
        checkNotConcluded();
        moderationPeriodNs = value;
        return self();
    }

    /** {@return the time in nanoseconds for which a poller stays away from the shared log of a dense stream} */
    public long moderationPeriodNs() {
        return moderationPeriodNs;
    }

    /**
     * Set the time in nanoseconds that a claim of a shared publication may stay open while others wait for it.
     * @param value to use.
     * @return this.
     */
    public Context unblockTimeoutNs(final long value) {
        checkNotConcluded();
        unblockTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds that a claim of a shared publication may stay open while others wait for it} */
    public long unblockTimeoutNs() {
        return unblockTimeoutNs;
    }

    /**
     * Set the time in nanoseconds for which a consumer may be too slow and hold others up, with {@code slow=evict}.
     * @param value to use.
     * @return this.
     */
    public Context evictAfterNs(final long value) {
        checkNotConcluded();
        evictAfterNs = value;
        return self();
    }

    /** {@return the time in nanoseconds for which a consumer may be too slow and hold others up} */
    public long evictAfterNs() {
        return evictAfterNs;
    }

    /**
     * Set the time in nanoseconds for which the handler of an evicted consumer may take to come back.
     * @param value to use.
     * @return this.
     */
    public Context evictTimeoutNs(final long value) {
        checkNotConcluded();
        evictTimeoutNs = value;
        return self();
    }

    /** {@return the time in nanoseconds for which the handler of an evicted consumer may take to come back} */
    public long evictTimeoutNs() {
        return evictTimeoutNs;
    }
}
