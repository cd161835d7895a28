package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.status.TransportCounter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Keeps what the subscribers of a publication say of their consumers: who holds them back, and whom they have taken
 * out. The reports are advice; the windows decide. Conductor only.
 */
public final class SubscriberReports {
    /**
     * The most evictions told of one link: more than anybody has consumers. A peer that says more is counted, and no
     * listener waits for it.
     */
    static final int MAX_EVICTIONS_TOLD = SubscriptionLinkNotices.MAX_EVICTIONS_WAITING;

    private static final class Report {
        private String consumer = "";
        private int evictions;
    }

    private final Services services;
    private final int streamId;
    private final int sessionId;
    private final Map<Long, Report> reports = new HashMap<>();

    /**
     * Creates reports without any yet.
     *
     * @param services  of the transport.
     * @param streamId  of the publication.
     * @param sessionId of the publication.
     */
    SubscriberReports(final Services services, final int streamId, final int sessionId) {
        this.services = services;
        this.streamId = streamId;
        this.sessionId = sessionId;
    }

    /** Forget the links that have gone. */
    void retain(final Set<Long> linkIds) {
        reports.keySet().retainAll(linkIds);
    }

    /** {@return the consumer that holds a subscriber back, as the subscriber says; empty when it says nothing} */
    String consumer(final long linkId) {
        final Report report = reports.get(linkId);
        return report == null ? "" : report.consumer;
    }

    /**
     * Notes that a consumer holds a subscriber back, or, when its name is empty, that nobody does any more.
     *
     * @param linkId   that the peer has told.
     * @param consumer that lags, as the peer says.
     */
    public void onPressure(final long linkId, final String consumer) {
        report(linkId).consumer = consumer;
    }

    /**
     * Counts a consumer that a subscriber has taken out, and tells a listener, unless that is null.
     *
     * @param linkId   that the peer has told.
     * @param eviction to tell.
     * @param listener of the publication.
     */
    public void onEviction(final long linkId, final PeerEviction eviction, final BackPressureListener listener) {
        services.counters().increment(TransportCounter.PEER_CONSUMERS_EVICTED);
        final boolean isTold =
            report(linkId).evictions++ < MAX_EVICTIONS_TOLD && services.listeners().tell(listener, eviction);
        if (!isTold) {
            services.counters().increment(TransportCounter.BACK_PRESSURE_UNREPORTED);
        }
    }

    private Report report(final long linkId) {
        return reports.computeIfAbsent(linkId, ignored -> new Report());
    }
}
