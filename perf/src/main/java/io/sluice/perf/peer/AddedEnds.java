package io.sluice.perf.peer;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The ends of streams that a process has added: their channels, as they tell them, and of which kind they are. One
 * thread.
 */
final class AddedEnds {
    private static final String OTHER_PROCESS = "of the other process";

    private final Set<String> channels = new LinkedHashSet<>();
    private final Set<String> publications = new LinkedHashSet<>();
    private final Set<String> subscriptions = new LinkedHashSet<>();

    void addPublication(final Object publication, final String channel) {
        channels.add(channel);
        publications.add(publication.getClass().getSimpleName());
    }

    void addSubscription(final Object subscription, final String channel) {
        channels.add(channel);
        subscriptions.add(subscription.getClass().getSimpleName());
    }

    /** Put them among the settings, with what the rig does with each. */
    void putInto(final Map<String, String> settings, final String publicationUse, final String subscriptionUse) {
        settings.put("channel", String.join(", ", channels));
        settings.put("publication", used(publications, publicationUse));
        settings.put("subscription", used(subscriptions, subscriptionUse));
    }

    private static String used(final Set<String> kinds, final String use) {
        return kinds.isEmpty() ? OTHER_PROCESS : String.join(", ", kinds) + ": " + use;
    }
}
