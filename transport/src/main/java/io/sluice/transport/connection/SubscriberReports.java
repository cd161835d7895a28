package io.sluice.transport.connection;

import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.status.TransportCounter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the subscribers of a publication say of their consumers: who holds them back, and whom they have taken out. It
 * is advice; the windows decide. Conductor only.
 */
final class SubscriberReports {
    /** Of one link: more than anybody has consumers. A peer that says more is counted, and no listener waits for it. */
    static final int MAX_EVICTIONS_TOLD = SubscriptionLinkNotices.MAX_EVICTIONS_WAITING;

    private static final class Report {
        private String consumer = "";
        private int evictions;
    }

    private final PublicationState publication;
    private final Map<PublicationLink, Report> reports = new HashMap<>();

    SubscriberReports(final PublicationState publication) {
        this.publication = publication;
    }

    /** Forget the links that have gone. */
    void retain(final List<PublicationLink> links) {
        reports.keySet().retainAll(links);
    }

    /** {@return who holds a subscriber back, as it says; empty when it says nothing} */
    String consumer(final PublicationLink link) {
        final Report report = reports.get(link);
        return report == null ? "" : report.consumer;
    }

    /** A consumer holds a subscriber back; or nobody does any more: empty. */
    void onPressure(final PublicationLink link, final String consumer) {
        report(link).consumer = consumer;
    }

    /** A subscriber has taken a consumer out. */
    void onEviction(final PublicationLink link, final String consumer, final long bytesBehind, final String text) {
        final Services services = publication.services();
        services.counters().increment(TransportCounter.PEER_CONSUMERS_EVICTED);
        final boolean isTold = report(link).evictions++ < MAX_EVICTIONS_TOLD && services.listeners().tell(
            publication.pressure().listener(), new PeerEviction(
                consumer, link.peer(), publication.streamId(), publication.sessionId(), bytesBehind, text));
        if (!isTold) {
            services.counters().increment(TransportCounter.BACK_PRESSURE_UNREPORTED);
        }
    }

    private Report report(final PublicationLink link) {
        return reports.computeIfAbsent(link, ignored -> new Report());
    }
}
