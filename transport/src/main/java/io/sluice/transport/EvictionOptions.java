package io.sluice.transport;

/**
 * The conditions under which a subscription with {@code slow=evict} takes out a consumer that holds others up.
 * Immutable; any thread. Defaults are the system properties {@link Configuration#EVICT_BEHIND_PROP},
 * {@link Configuration#EVICT_AFTER_PROP} and {@link Configuration#EVICT_TIMEOUT_PROP}; the channel may say otherwise.
 *
 * <p>An object of this class never changes: a method with a parameter returns a changed copy, which takes effect when
 * it is handed to {@link Context#eviction(EvictionOptions)}.
 *
 * <p>Values are checked when the context is concluded.
 */
public final class EvictionOptions {
    private final int evictBehindPercent;
    private final long evictAfterNs;
    private final long evictTimeoutNs;

    /**
     * The defaults.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public EvictionOptions() {
        this(
            SystemProperties.count(
                Configuration.EVICT_BEHIND_PROP, Configuration.EVICT_BEHIND_DEFAULT, 1, Configuration.EVICT_BEHIND_MAX),
            SystemProperties.timeoutNs(Configuration.EVICT_AFTER_PROP, Configuration.EVICT_AFTER_DEFAULT_NS),
            SystemProperties.timeoutNs(Configuration.EVICT_TIMEOUT_PROP, Configuration.EVICT_TIMEOUT_DEFAULT_NS));
    }

    private EvictionOptions(final int evictBehindPercent, final long evictAfterNs, final long evictTimeoutNs) {
        this.evictBehindPercent = evictBehindPercent;
        this.evictAfterNs = evictAfterNs;
        this.evictTimeoutNs = evictTimeoutNs;
    }

    /**
     * Returns a copy of these options with another distance behind at which a consumer is too slow.
     *
     * @param value in per cent of the ring or the window, from 1 to {@link Configuration#EVICT_BEHIND_MAX}.
     * @return the copy.
     */
    public EvictionOptions evictBehindPercent(final int value) {
        return new EvictionOptions(value, evictAfterNs, evictTimeoutNs);
    }

    /**
     * Returns a copy of these options with another time for which a consumer may be too slow and hold others up, before
     * it is evicted.
     *
     * @param valueNs in nanoseconds, from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public EvictionOptions evictAfterNs(final long valueNs) {
        return new EvictionOptions(evictBehindPercent, valueNs, evictTimeoutNs);
    }

    /**
     * Returns a copy of these options with another time that the handler of an evicted consumer may take to come back,
     * before memory is abandoned to it.
     *
     * @param valueNs in nanoseconds, from {@link Configuration#TIMEOUT_MIN_NS} to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public EvictionOptions evictTimeoutNs(final long valueNs) {
        return new EvictionOptions(evictBehindPercent, evictAfterNs, valueNs);
    }

    /** {@return the distance behind, in per cent of the ring or the window, from which on a consumer is too slow} */
    public int evictBehindPercent() {
        return evictBehindPercent;
    }

    /** {@return the time in nanoseconds for which a consumer may be too slow and hold others up} */
    public long evictAfterNs() {
        return evictAfterNs;
    }

    /** {@return the time in nanoseconds for which the handler of an evicted consumer may take to come back} */
    public long evictTimeoutNs() {
        return evictTimeoutNs;
    }

    void check() {
        Quantities.checkRange("evictBehindPercent", evictBehindPercent, 1, Configuration.EVICT_BEHIND_MAX);
        Quantities.checkTimeout("evictAfterNs", evictAfterNs);
        Quantities.checkTimeout("evictTimeoutNs", evictTimeoutNs);
    }

    @Override
    public String toString() {
        return "EvictionOptions{evictBehindPercent=" + evictBehindPercent + " evictAfterNs=" + evictAfterNs
            + " evictTimeoutNs=" + evictTimeoutNs + "}";
    }
}
