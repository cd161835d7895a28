package io.sluice.transport;

import io.sluice.transport.settings.PeerQuotas;

/**
 * How much of a {@link Context}'s transport one peer may take. One thread at a time, before the context is concluded.
 */
abstract sealed class ContextQuotas extends ContextPeers permits ContextTimeouts {
    private int sessionsPerHost = SystemProperties.count(
        Configuration.SESSIONS_PER_HOST_PROP, Configuration.SESSIONS_PER_HOST_DEFAULT, 1, Configuration.SESSIONS_MAX);
    private int subscriptionsPerHost = SystemProperties.count(
        Configuration.SUBSCRIPTIONS_PER_HOST_PROP, Configuration.SUBSCRIPTIONS_PER_HOST_DEFAULT, 1,
        Configuration.SUBSCRIPTIONS_MAX);
    private int linksPerSession = SystemProperties.count(
        Configuration.LINKS_PER_SESSION_PROP, Configuration.LINKS_PER_SESSION_DEFAULT, 1, Configuration.LINKS_MAX);
    private int linksPerHost = SystemProperties.count(
        Configuration.LINKS_PER_HOST_PROP, Configuration.LINKS_PER_HOST_DEFAULT, 1, Configuration.LINKS_MAX);
    private long ringLengthPerSession = SystemProperties.quantity(
        Configuration.RING_LENGTH_PER_SESSION_PROP, Configuration.RING_LENGTH_PER_SESSION_DEFAULT, Quantities::size,
        Configuration.WINDOW_MIN, Configuration.RING_LENGTH_MAX);
    private long ringLengthPerHost = SystemProperties.quantity(
        Configuration.RING_LENGTH_PER_HOST_PROP, Configuration.RING_LENGTH_PER_HOST_DEFAULT, Quantities::size,
        Configuration.WINDOW_MIN, Configuration.RING_LENGTH_MAX);
    private long ringLengthPerSubscription = SystemProperties.quantity(
        Configuration.RING_LENGTH_PER_SUBSCRIPTION_PROP, Configuration.RING_LENGTH_PER_SUBSCRIPTION_DEFAULT,
        Quantities::size, Configuration.WINDOW_MIN, Configuration.RING_LENGTH_MAX);
    private long logLengthPerSession = SystemProperties.quantity(
        Configuration.LOG_LENGTH_PER_SESSION_PROP, Configuration.LOG_LENGTH_PER_SESSION_DEFAULT, Quantities::size,
        Configuration.WINDOW_MIN, Configuration.LOG_LENGTH_MAX);
    private long logLengthPerHost = SystemProperties.quantity(
        Configuration.LOG_LENGTH_PER_HOST_PROP, Configuration.LOG_LENGTH_PER_HOST_DEFAULT, Quantities::size,
        Configuration.WINDOW_MIN, Configuration.LOG_LENGTH_MAX);
    private int grantedWindowLength = SystemProperties.size(
        Configuration.GRANTED_WINDOW_PROP, Configuration.GRANTED_WINDOW_DEFAULT, Configuration.WINDOW_MIN,
        Configuration.WINDOW_MAX);

    /**
     * Set the number of control connections that one host may have opened; over {@code sluice:ipc} one process.
     * @param value to use.
     * @return this.
     */
    public Context sessionsPerHost(final int value) {
        checkNotConcluded();
        sessionsPerHost = value;
        return self();
    }

    /**
     * {@return the number of control connections that one host may have opened; over {@code sluice:ipc} one process}
     */
    public int sessionsPerHost() {
        return sessionsPerHost;
    }

    /**
     * Set the number of subscriptions that all transports of one host may have announced to this one.
     * @param value to use.
     * @return this.
     */
    public Context subscriptionsPerHost(final int value) {
        checkNotConcluded();
        subscriptionsPerHost = value;
        return self();
    }

    /** {@return the number of subscriptions that all transports of one host may have announced to this one} */
    public int subscriptionsPerHost() {
        return subscriptionsPerHost;
    }

    /**
     * Set the number of links with one peer transport, of publications and of subscriptions each.
     * @param value to use.
     * @return this.
     */
    public Context linksPerSession(final int value) {
        checkNotConcluded();
        linksPerSession = value;
        return self();
    }

    /** {@return the number of links with one peer transport, of publications and of subscriptions each} */
    public int linksPerSession() {
        return linksPerSession;
    }

    /**
     * Set the number of links with all transports of one host, of publications and of subscriptions each.
     * @param value to use.
     * @return this.
     */
    public Context linksPerHost(final int value) {
        checkNotConcluded();
        linksPerHost = value;
        return self();
    }

    /** {@return the number of links with all transports of one host, of publications and of subscriptions each} */
    public int linksPerHost() {
        return linksPerHost;
    }

    /**
     * Set the bytes of receive rings that one peer transport may have.
     * @param value to use.
     * @return this.
     */
    public Context ringLengthPerSession(final long value) {
        checkNotConcluded();
        ringLengthPerSession = value;
        return self();
    }

    /** {@return the bytes of receive rings that one peer transport may have} */
    public long ringLengthPerSession() {
        return ringLengthPerSession;
    }

    /**
     * Set the bytes of receive rings that all transports of one host may have.
     * @param value to use.
     * @return this.
     */
    public Context ringLengthPerHost(final long value) {
        checkNotConcluded();
        ringLengthPerHost = value;
        return self();
    }

    /** {@return the bytes of receive rings that all transports of one host may have} */
    public long ringLengthPerHost() {
        return ringLengthPerHost;
    }

    /**
     * Set the bytes of receive rings that one subscription may have, of all peers; as many again are for earlier rings
     * that consumers still read after their links have resumed.
     * @param value to use.
     * @return this.
     */
    public Context ringLengthPerSubscription(final long value) {
        checkNotConcluded();
        ringLengthPerSubscription = value;
        return self();
    }

    /** {@return the bytes of receive rings that one subscription may have, of all peers} */
    public long ringLengthPerSubscription() {
        return ringLengthPerSubscription;
    }

    /**
     * Set the bytes of logs that may be registered for links with one peer transport over {@code sluice:rdma}: the
     * window of the publication, for each link.
     * @param value to use.
     * @return this.
     */
    public Context logLengthPerSession(final long value) {
        checkNotConcluded();
        logLengthPerSession = value;
        return self();
    }

    /** {@return the bytes of logs that may be registered for links with one peer transport} */
    public long logLengthPerSession() {
        return logLengthPerSession;
    }

    /**
     * Set the bytes of logs that may be registered for links with all transports of one host over {@code sluice:rdma}:
     * the window of the publication, for each link.
     * @param value to use.
     * @return this.
     */
    public Context logLengthPerHost(final long value) {
        checkNotConcluded();
        logLengthPerHost = value;
        return self();
    }

    /** {@return the bytes of logs that may be registered for links with all transports of one host} */
    public long logLengthPerHost() {
        return logLengthPerHost;
    }

    /**
     * Set the largest window, in bytes, that subscriptions grant to a publication.
     * @param value to use.
     * @return this.
     */
    public Context grantedWindowLength(final int value) {
        checkNotConcluded();
        grantedWindowLength = value;
        return self();
    }

    /** {@return the largest window, in bytes, that subscriptions grant to a publication} */
    public int grantedWindowLength() {
        return grantedWindowLength;
    }

    @Override
    PeerQuotas quotas() {
        return new PeerQuotas(sessionsPerHost, subscriptionsPerHost, linksPerSession, linksPerHost,
            ringLengthPerSession, ringLengthPerHost, ringLengthPerSubscription, logLengthPerSession, logLengthPerHost,
            grantedWindowLength);
    }
}
