package io.sluice.transport;

import java.util.ArrayList;
import java.util.List;

/** The publications and subscriptions of a transport that are not closed. The transport's lock guards it. */
final class OpenStreams {
    private final SharedPublications shared = new SharedPublications();
    private final OpenSessions sessions = new OpenSessions();
    private final List<Subscription> subscriptions = new ArrayList<>();

    /** The publications that handles share. */
    SharedPublications shared() {
        return shared;
    }

    /** The sessions of all publications. */
    OpenSessions sessions() {
        return sessions;
    }

    /** The subscriptions, not to be modified; closed ones may be among them. */
    List<Subscription> subscriptions() {
        return subscriptions;
    }

    void add(final Subscription subscription) {
        subscriptions.removeIf(other -> other.isReleased() && !other.isPolledHere());
        subscriptions.add(subscription);
    }
}
