package io.sluice.transport.conductor;

import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.LinkMessages;
import io.sluice.transport.peer.Links;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.stream.Publications;
import io.sluice.transport.stream.Subscriptions;
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
    public void onReady(final ConnectedPeer peer) {
        subscriptions.announceAll(peer);
    }

    @Override
    public void onLost(final ConnectedPeer peer, final boolean isPeerGone) {
        publications.onPeerLost(peer, isPeerGone);
        subscriptions.onPeerLost(peer, isPeerGone);
    }

    @Override
    public void onGoodbye(final ConnectedPeer peer) {
        publications.onPeerLost(peer, true);
    }

    @Override
    public void onBroken(final ConnectedPeer peer, final BreakReason reason) {
        publications.onBroken(peer, reason);
        subscriptions.onBroken(peer, reason);
    }

    @Override
    public void onOverrun(final ConnectedPeer peer) {
        publications.onOverrun(peer);
        subscriptions.onOverrun(peer);
    }

    /**
     * Tells every publication and subscription. The news concerns none of them when they have heard it before, or when
     * the queue has been replaced already.
     */
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
    public void sendHeartbeats(final ConnectedPeer peer) {
        publications.sendHeartbeats(peer);
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
