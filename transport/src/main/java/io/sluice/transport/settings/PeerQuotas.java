package io.sluice.transport.settings;

/**
 * How much of a transport one peer may take, so that none leaves the others without. A host is an address over
 * {@code sluice:rdma}, and a process over {@code sluice:ipc}; links of publications and of subscriptions are counted
 * each by themselves.
 *
 * @param sessionsPerHost           control connections that one host has opened.
 * @param subscriptionsPerHost      subscriptions that all transports of one host have announced.
 * @param linksPerSession           links with one peer transport.
 * @param linksPerHost              links with all transports of one host.
 * @param ringLengthPerSession      bytes of receive rings for one peer transport.
 * @param ringLengthPerHost         bytes of receive rings for all transports of one host.
 * @param ringLengthPerSubscription bytes of receive rings of one subscription, and as many of earlier rings.
 * @param logLengthPerSession       bytes of logs that are registered for links with one peer transport, once for
 *                                  each link.
 * @param logLengthPerHost          bytes of logs that are registered for links with all transports of one host.
 * @param grantedWindowLength       bytes of the largest window that a subscription grants.
 */
public record PeerQuotas(
    int sessionsPerHost,
    int subscriptionsPerHost,
    int linksPerSession,
    int linksPerHost,
    long ringLengthPerSession,
    long ringLengthPerHost,
    long ringLengthPerSubscription,
    long logLengthPerSession,
    long logLengthPerHost,
    int grantedWindowLength) {
    /** Quotas that keep nobody from anything. */
    public static final PeerQuotas NONE = new PeerQuotas(
        Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE,
        Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);

    /**
     * {@return which quota keeps a host with so many sessions from one more, for people; null when none does}
     *
     * @param ofHost how many the host has, or would have.
     */
    public String problemOfSessions(final int ofHost) {
        return ofHost < sessionsPerHost ? null : reached("sessionsPerHost", sessionsPerHost);
    }

    /**
     * {@return which quota keeps a host with so many subscriptions from one more, for people; null when none does}
     *
     * @param ofHost how many the host has, or would have.
     */
    public String problemOfSubscriptions(final int ofHost) {
        return ofHost < subscriptionsPerHost ? null : reached("subscriptionsPerHost", subscriptionsPerHost);
    }

    /**
     * {@return which quota keeps a peer with so many links from one more, for people; null when none does}
     *
     * @param ofSession how many the peer has, or would have.
     * @param ofHost    how many the host has, or would have.
     */
    public String problemOfLinks(final int ofSession, final int ofHost) {
        if (ofSession >= linksPerSession) {
            return reached("linksPerSession", linksPerSession);
        }
        return ofHost < linksPerHost ? null : reached("linksPerHost", linksPerHost);
    }

    /**
     * {@return which quota a peer would exceed with so many bytes of rings, for people; null when none}
     *
     * @param ofSession how many the peer has, or would have.
     * @param ofHost    how many the host has, or would have.
     */
    public String problemOfRings(final long ofSession, final long ofHost) {
        if (ofSession > ringLengthPerSession) {
            return reached("ringLengthPerSession", ringLengthPerSession);
        }
        return ofHost <= ringLengthPerHost ? null : reached("ringLengthPerHost", ringLengthPerHost);
    }

    /**
     * {@return which quota a subscription would exceed with so many bytes of rings, for people; null when none}
     *
     * @param ofSubscription bytes that it would have.
     */
    public String problemOfSubscription(final long ofSubscription) {
        return ofSubscription <= ringLengthPerSubscription
            ? null : reached("ringLengthPerSubscription", ringLengthPerSubscription);
    }

    /**
     * {@return which quota a peer would exceed with so many bytes of registered logs, for people; null when none}
     *
     * @param ofSession how many the peer has, or would have.
     * @param ofHost    how many the host has, or would have.
     */
    public String problemOfLogs(final long ofSession, final long ofHost) {
        if (ofSession > logLengthPerSession) {
            return reached("logLengthPerSession", logLengthPerSession);
        }
        return ofHost <= logLengthPerHost ? null : reached("logLengthPerHost", logLengthPerHost);
    }

    private static String reached(final String name, final long value) {
        return "quota reached: " + name + "=" + value;
    }
}
