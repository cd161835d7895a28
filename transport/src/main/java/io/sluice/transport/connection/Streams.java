package io.sluice.transport.connection;

import io.sluice.transport.status.BreakReason;
import io.sluice.verbs.CompletionQueue;
import java.util.ArrayList;

/** Takes what happens to peers and devices to the publications and subscriptions that it concerns. Conductor only. */
final class Streams implements Links {
    private final Publications publications;
    private final Subscriptions subscriptions;
    private final StreamMessages messages;

    Streams(final Publications publications, final Subscriptions subscriptions, final Services services) {
        this.publications = publications;
        this.subscriptions = subscriptions;
        messages = new StreamMessages(publications, subscriptions, services);
    }

    @Override
    public LinkMessages messages() {
        return messages;
    }

    @Override
    public void onReady(final ControlSession session) {
        subscriptions.announceAll(session);
    }

    @Override
    public void onLost(final ControlSession session, final boolean isPeerGone) {
        publications.onSessionLost(session, isPeerGone);
        subscriptions.onSessionLost(session, isPeerGone);
    }

    @Override
    public void onGoodbye(final ControlSession session) {
        publications.onSessionLost(session, true);
    }

    @Override
    public void onBroken(final ControlSession session, final BreakReason reason) {
        publications.onBroken(session, reason);
        subscriptions.onBroken(session, reason);
    }

    @Override
    public void onOverrun(final ControlSession session) {
        publications.onOverrun(session);
        subscriptions.onOverrun(session);
    }

    /** Told again, or of a queue that has been replaced already, it concerns nobody. */
    @Override
    public void onOverrun(final CompletionQueue overrun) {
        new ArrayList<>(publications.all()).forEach(publication -> publication.onOverrun(overrun));
        new ArrayList<>(subscriptions.all()).forEach(subscription -> subscription.onOverrun(overrun));
    }

    @Override
    public void onWaysChanged(final Medium medium) {
        publications.onWaysChanged(medium);
        subscriptions.onWaysChanged(medium);
    }

    @Override
    public void sendHeartbeats(final ControlSession session) {
        publications.sendHeartbeats(session);
    }

    @Override
    public boolean areOfBothKinds() {
        return !publications.all().isEmpty() && !subscriptions.all().isEmpty();
    }

    @Override
    public boolean isMet(final String rendezvous) {
        return subscriptions.hasLink(rendezvous);
    }
}
