package io.sluice.transport.settings;

/**
 * The share of a transport that one peer may take, so that none leaves the others without. A host is an address over
 * {@code sluice:rdma}, and a process over {@code sluice:ipc}; links of publications and of subscriptions are counted
 * each by themselves.
 *
 * @param ofSession                 of the peer of one control session.
 * @param ofHost                    of all transports of one host.
 * @param ringLengthPerSubscription bytes of receive rings of one subscription, and as many of earlier rings.
 * @param grantedWindowLength       bytes of the largest window that a subscription grants.
 */
public record PeerQuotas(
    SessionQuotas ofSession, HostQuotas ofHost, long ringLengthPerSubscription, int grantedWindowLength) {
    /** Quotas that keep nobody from anything. */
    public static final PeerQuotas NONE = new PeerQuotas(
        new SessionQuotas(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
        new HostQuotas(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE),
        Long.MAX_VALUE, Integer.MAX_VALUE);

    /**
     * {@return the quota that keeps a host with so many sessions from one more, for people; null when none does}
     *
     * @param sessions how many the host has, or would have.
     */
    public String problemOfSessions(final int sessions) {
        return sessions < ofHost.sessions() ? null : reached("sessionsPerHost", ofHost.sessions());
    }

    /**
     * {@return the quota that keeps a host with so many subscriptions from one more, for people; null when none does}
     *
     * @param subscriptions how many the host has, or would have.
     */
    public String problemOfSubscriptions(final int subscriptions) {
        return subscriptions < ofHost.subscriptions()
            ? null : reached("subscriptionsPerHost", ofHost.subscriptions());
    }

    /**
     * {@return the quota that keeps a peer with so many links from one more, for people; null when none does}
     *
     * @param perSession how many the peer has, or would have.
     * @param perHost    how many the host has, or would have.
     */
    public String problemOfLinks(final int perSession, final int perHost) {
        if (perSession >= ofSession.links()) {
            return reached("linksPerSession", ofSession.links());
        }
        return perHost < ofHost.links() ? null : reached("linksPerHost", ofHost.links());
    }

    /**
     * {@return the quota that a peer would exceed with so many bytes of rings, for people; null when none}
     *
     * @param perSession how many the peer has, or would have.
     * @param perHost    how many the host has, or would have.
     */
    public String problemOfRings(final long perSession, final long perHost) {
        if (perSession > ofSession.ringLength()) {
            return reached("ringLengthPerSession", ofSession.ringLength());
        }
        return perHost <= ofHost.ringLength() ? null : reached("ringLengthPerHost", ofHost.ringLength());
    }

    /**
     * {@return the quota that a subscription would exceed with so many bytes of rings, for people; null when none}
     *
     * @param ofSubscription bytes that it would have.
     */
    public String problemOfSubscription(final long ofSubscription) {
        return ofSubscription <= ringLengthPerSubscription
            ? null : reached("ringLengthPerSubscription", ringLengthPerSubscription);
    }

    /**
     * {@return the quota that a peer would exceed with so many bytes of registered logs, for people; null when none}
     *
     * @param perSession how many the peer has, or would have.
     * @param perHost    how many the host has, or would have.
     */
    public String problemOfLogs(final long perSession, final long perHost) {
        if (perSession > ofSession.logLength()) {
            return reached("logLengthPerSession", ofSession.logLength());
        }
        return perHost <= ofHost.logLength() ? null : reached("logLengthPerHost", ofHost.logLength());
    }

    private static String reached(final String name, final long value) {
        return "quota reached: " + name + "=" + value;
    }
}
