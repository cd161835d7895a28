package io.sluice.transport;

import io.sluice.transport.settings.HostQuotas;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.SessionQuotas;

/**
 * The share of a transport that one peer may take, so that none leaves the others without. A host is an address over
 * {@code sluice:rdma}, and a process over {@code sluice:ipc}. Immutable; any thread. Defaults are the system properties
 * of the same names, see {@link Configuration}.
 *
 * <p>An object of this class never changes: a method with a parameter returns a changed copy, which takes effect when
 * it is handed to {@link Context#quotas(Quotas)}.
 *
 * <p>Values are checked when the context is concluded.
 */
public final class Quotas {
    private final PeerQuotas quotas;

    /**
     * The defaults.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public Quotas() {
        this(new PeerQuotas(
            new SessionQuotas(
                SystemProperties.count(Configuration.LINKS_PER_SESSION_PROP, Configuration.LINKS_PER_SESSION_DEFAULT, 1,
                    Configuration.LINKS_MAX),
                SystemProperties.length(
                    Configuration.RING_LENGTH_PER_SESSION_PROP,
                    Configuration.RING_LENGTH_PER_SESSION_DEFAULT,
                    Configuration.RING_LENGTH_MAX),
                SystemProperties.length(
                    Configuration.LOG_LENGTH_PER_SESSION_PROP,
                    Configuration.LOG_LENGTH_PER_SESSION_DEFAULT,
                    Configuration.LOG_LENGTH_MAX)),
            new HostQuotas(
                SystemProperties.count(Configuration.SESSIONS_PER_HOST_PROP, Configuration.SESSIONS_PER_HOST_DEFAULT, 1,
                    Configuration.SESSIONS_MAX),
                SystemProperties.count(Configuration.SUBSCRIPTIONS_PER_HOST_PROP,
                    Configuration.SUBSCRIPTIONS_PER_HOST_DEFAULT, 1, Configuration.SUBSCRIPTIONS_MAX),
                SystemProperties.count(Configuration.LINKS_PER_HOST_PROP, Configuration.LINKS_PER_HOST_DEFAULT, 1,
                    Configuration.LINKS_MAX),
                SystemProperties.length(
                    Configuration.RING_LENGTH_PER_HOST_PROP,
                    Configuration.RING_LENGTH_PER_HOST_DEFAULT,
                    Configuration.RING_LENGTH_MAX),
                SystemProperties.length(
                    Configuration.LOG_LENGTH_PER_HOST_PROP,
                    Configuration.LOG_LENGTH_PER_HOST_DEFAULT,
                    Configuration.LOG_LENGTH_MAX)),
            SystemProperties.length(
                Configuration.RING_LENGTH_PER_SUBSCRIPTION_PROP,
                Configuration.RING_LENGTH_PER_SUBSCRIPTION_DEFAULT,
                Configuration.RING_LENGTH_MAX),
            SystemProperties.size(Configuration.GRANTED_WINDOW_PROP, Configuration.GRANTED_WINDOW_DEFAULT,
                Configuration.WINDOW_MIN, Configuration.WINDOW_MAX)));
    }

    private Quotas(final PeerQuotas quotas) {
        this.quotas = quotas;
    }

    private Quotas with(final SessionQuotas ofSession) {
        return new Quotas(new PeerQuotas(
            ofSession, quotas.ofHost(), quotas.ringLengthPerSubscription(), quotas.grantedWindowLength()));
    }

    private Quotas with(final HostQuotas ofHost) {
        return new Quotas(new PeerQuotas(
            quotas.ofSession(), ofHost, quotas.ringLengthPerSubscription(), quotas.grantedWindowLength()));
    }

    /**
     * Returns a copy of these quotas with another number of control connections that one host may have opened; over
     * {@code sluice:ipc} one process.
     *
     * @param value from 1 to {@link Configuration#SESSIONS_MAX}.
     * @return the copy.
     */
    public Quotas sessionsPerHost(final int value) {
        final HostQuotas host = quotas.ofHost();
        return with(new HostQuotas(value, host.subscriptions(), host.links(), host.ringLength(), host.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of subscriptions that all transports of one host may have
     * announced.
     *
     * @param value from 1 to {@link Configuration#SUBSCRIPTIONS_MAX}.
     * @return the copy.
     */
    public Quotas subscriptionsPerHost(final int value) {
        final HostQuotas host = quotas.ofHost();
        return with(new HostQuotas(host.sessions(), value, host.links(), host.ringLength(), host.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of links with one peer transport, of publications and of
     * subscriptions each.
     *
     * @param value from 1 to {@link Configuration#LINKS_MAX}.
     * @return the copy.
     */
    public Quotas linksPerSession(final int value) {
        final SessionQuotas session = quotas.ofSession();
        return with(new SessionQuotas(value, session.ringLength(), session.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of links with all transports of one host, of publications and
     * of subscriptions each.
     *
     * @param value from 1 to {@link Configuration#LINKS_MAX}.
     * @return the copy.
     */
    public Quotas linksPerHost(final int value) {
        final HostQuotas host = quotas.ofHost();
        return with(new HostQuotas(
            host.sessions(), host.subscriptions(), value, host.ringLength(), host.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of bytes of receive rings that one peer transport may have.
     *
     * @param value from {@link Configuration#WINDOW_MIN} to {@link Configuration#RING_LENGTH_MAX}.
     * @return the copy.
     */
    public Quotas ringLengthPerSession(final long value) {
        final SessionQuotas session = quotas.ofSession();
        return with(new SessionQuotas(session.links(), value, session.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of bytes of receive rings that all transports of one host may
     * have.
     *
     * @param value from {@link Configuration#WINDOW_MIN} to {@link Configuration#RING_LENGTH_MAX}.
     * @return the copy.
     */
    public Quotas ringLengthPerHost(final long value) {
        final HostQuotas host = quotas.ofHost();
        return with(new HostQuotas(host.sessions(), host.subscriptions(), host.links(), value, host.logLength()));
    }

    /**
     * Returns a copy of these quotas with another number of bytes of receive rings that one subscription may have, of
     * all peers; as many again are for earlier rings that consumers still read after their links have resumed.
     *
     * @param value from {@link Configuration#WINDOW_MIN} to {@link Configuration#RING_LENGTH_MAX}.
     * @return the copy.
     */
    public Quotas ringLengthPerSubscription(final long value) {
        return new Quotas(
            new PeerQuotas(quotas.ofSession(), quotas.ofHost(), value, quotas.grantedWindowLength()));
    }

    /**
     * Returns a copy of these quotas with another number of bytes of logs that may be registered for links with one
     * peer transport over {@code sluice:rdma}: the window of the publication, for each link.
     *
     * @param value from {@link Configuration#WINDOW_MIN} to {@link Configuration#LOG_LENGTH_MAX}.
     * @return the copy.
     */
    public Quotas logLengthPerSession(final long value) {
        final SessionQuotas session = quotas.ofSession();
        return with(new SessionQuotas(session.links(), session.ringLength(), value));
    }

    /**
     * Returns a copy of these quotas with another number of bytes of logs that may be registered for links with all
     * transports of one host over {@code sluice:rdma}: the window of the publication, for each link.
     *
     * @param value from {@link Configuration#WINDOW_MIN} to {@link Configuration#LOG_LENGTH_MAX}.
     * @return the copy.
     */
    public Quotas logLengthPerHost(final long value) {
        final HostQuotas host = quotas.ofHost();
        return with(new HostQuotas(host.sessions(), host.subscriptions(), host.links(), host.ringLength(), value));
    }

    /**
     * Returns a copy of these quotas with another largest window that subscriptions grant to a publication.
     *
     * @param value in bytes, from {@link Configuration#WINDOW_MIN} to {@link Configuration#WINDOW_MAX}.
     * @return the copy.
     */
    public Quotas grantedWindowLength(final int value) {
        return new Quotas(
            new PeerQuotas(quotas.ofSession(), quotas.ofHost(), quotas.ringLengthPerSubscription(), value));
    }

    /**
     * {@return the number of control connections that one host may have opened; over {@code sluice:ipc} one process}
     */
    public int sessionsPerHost() {
        return quotas.ofHost().sessions();
    }

    /** {@return the number of subscriptions that all transports of one host may have announced} */
    public int subscriptionsPerHost() {
        return quotas.ofHost().subscriptions();
    }

    /** {@return the number of links with one peer transport, of publications and of subscriptions each} */
    public int linksPerSession() {
        return quotas.ofSession().links();
    }

    /** {@return the number of links with all transports of one host, of publications and of subscriptions each} */
    public int linksPerHost() {
        return quotas.ofHost().links();
    }

    /** {@return the bytes of receive rings that one peer transport may have} */
    public long ringLengthPerSession() {
        return quotas.ofSession().ringLength();
    }

    /** {@return the bytes of receive rings that all transports of one host may have} */
    public long ringLengthPerHost() {
        return quotas.ofHost().ringLength();
    }

    /** {@return the bytes of receive rings that one subscription may have, of all peers} */
    public long ringLengthPerSubscription() {
        return quotas.ringLengthPerSubscription();
    }

    /** {@return the bytes of logs that may be registered for links with one peer transport} */
    public long logLengthPerSession() {
        return quotas.ofSession().logLength();
    }

    /** {@return the bytes of logs that may be registered for links with all transports of one host} */
    public long logLengthPerHost() {
        return quotas.ofHost().logLength();
    }

    /** {@return the largest window, in bytes, that subscriptions grant to a publication} */
    public int grantedWindowLength() {
        return quotas.grantedWindowLength();
    }

    /** The quotas of a peer, for the control plane. */
    PeerQuotas peerQuotas() {
        return quotas;
    }

    void check() {
        Quantities.checkRange("sessionsPerHost", sessionsPerHost(), 1, Configuration.SESSIONS_MAX);
        Quantities.checkRange("subscriptionsPerHost", subscriptionsPerHost(), 1, Configuration.SUBSCRIPTIONS_MAX);
        Quantities.checkRange("linksPerSession", linksPerSession(), 1, Configuration.LINKS_MAX);
        Quantities.checkRange("linksPerHost", linksPerHost(), 1, Configuration.LINKS_MAX);
        Quantities.checkRange("ringLengthPerSession", ringLengthPerSession(), Configuration.WINDOW_MIN,
            Configuration.RING_LENGTH_MAX);
        Quantities.checkRange("ringLengthPerHost", ringLengthPerHost(), Configuration.WINDOW_MIN,
            Configuration.RING_LENGTH_MAX);
        Quantities.checkRange("ringLengthPerSubscription", ringLengthPerSubscription(), Configuration.WINDOW_MIN,
            Configuration.RING_LENGTH_MAX);
        Quantities.checkRange("logLengthPerSession", logLengthPerSession(), Configuration.WINDOW_MIN,
            Configuration.LOG_LENGTH_MAX);
        Quantities.checkRange("logLengthPerHost", logLengthPerHost(), Configuration.WINDOW_MIN,
            Configuration.LOG_LENGTH_MAX);
        Quantities.checkRange("grantedWindowLength", grantedWindowLength(), Configuration.WINDOW_MIN,
            Configuration.WINDOW_MAX);
    }

    @Override
    public String toString() {
        return "Quotas{sessionsPerHost=" + sessionsPerHost() + " subscriptionsPerHost=" + subscriptionsPerHost()
            + " linksPerHost=" + linksPerHost() + " linksPerSession=" + linksPerSession()
            + " ringLengthPerHost=" + ringLengthPerHost() + " ringLengthPerSession=" + ringLengthPerSession()
            + " ringLengthPerSubscription=" + ringLengthPerSubscription()
            + " logLengthPerHost=" + logLengthPerHost() + " logLengthPerSession=" + logLengthPerSession()
            + " grantedWindowLength=" + grantedWindowLength() + "}";
    }
}
