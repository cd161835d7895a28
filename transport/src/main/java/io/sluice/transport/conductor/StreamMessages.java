package io.sluice.transport.conductor;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.CloseLinkDecoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.EndOfStreamDecoder;
import io.sluice.codec.control.EndOfStreamReceivedDecoder;
import io.sluice.codec.control.EstablishedDecoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.PressureState;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.LinkMessages;
import io.sluice.transport.peer.PeerSubscription;
import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.stream.BreakReasons;
import io.sluice.transport.stream.PublicationContext;
import io.sluice.transport.stream.PublicationLink;
import io.sluice.transport.stream.Publications;
import io.sluice.transport.stream.SubscriptionLink;
import io.sluice.transport.stream.Subscriptions;

/**
 * Takes a peer's messages about links, whose structure was checked, to the links that they concern. What concerns
 * nobody (any more) is dropped: a peer may speak of a link that has just ended here. Conductor only.
 */
final class StreamMessages implements LinkMessages {
    private final Publications publications;
    private final Subscriptions subscriptions;
    private final Services services;

    StreamMessages(final Publications publications, final Subscriptions subscriptions, final Services services) {
        this.publications = publications;
        this.subscriptions = subscriptions;
        this.services = services;
    }

    @Override
    public void onSubscribe(final ConnectedPeer peer, final PeerSubscription subscription) {
        publications.onSubscribe(peer, subscription);
    }

    @Override
    public void onUnsubscribe(final ConnectedPeer peer, final long subscriptionId) {
        publications.onUnsubscribe(peer, subscriptionId);
    }

    @Override
    public void onSetup(final ConnectedPeer peer, final SetupDecoder setup) {
        subscriptions.onSetup(peer, setup);
    }

    @Override
    public void onAccept(final ConnectedPeer peer, final AcceptDecoder accept) {
        final PublicationLink link = publications.find(peer, accept.linkId());
        if (link != null && accept.epoch() <= link.epoch()) {
            link.attempts().onPeerBegun(accept.epoch());
        }
        if (link != null && link.epoch() == accept.epoch()) {
            link.onAccept(accept);
        }
    }

    @Override
    public void onRefuse(final ConnectedPeer peer, final RefuseDecoder refuse) {
        final PublicationLink link = publications.find(peer, refuse.linkId(), refuse.epoch());
        if (link != null) {
            link.attempts().onPeerQuiescent(refuse.epoch());
            link.onRefuse(refuse.reason(), ControlText.printable(refuse.text()));
        }
    }

    @Override
    public void onEstablished(final ConnectedPeer peer, final EstablishedDecoder established) {
        final SubscriptionLink link =
            subscriptions.find(peer, established.linkId(), established.epoch());
        if (link != null) {
            link.onEstablished(established.joinPosition());
        }
    }

    @Override
    public void onHeartbeat(final ConnectedPeer peer, final HeartbeatDecoder heartbeat) {
        for (final HeartbeatDecoder.LinksDecoder told : heartbeat.links()) {
            final SubscriptionLink link = told.role() == Role.PUBLICATION
                ? subscriptions.find(peer, told.linkId(), told.epoch()) : null;
            if (link != null) {
                link.onPublicationPosition(told.position());
            }
        }
    }

    @Override
    public void onEndOfStream(final ConnectedPeer peer, final EndOfStreamDecoder endOfStream) {
        final SubscriptionLink link =
            subscriptions.find(peer, endOfStream.linkId(), endOfStream.epoch());
        if (link != null) {
            link.onEndOfStream(endOfStream.endPosition());
        }
    }

    @Override
    public void onEndOfStreamReceived(final ConnectedPeer peer, final EndOfStreamReceivedDecoder received) {
        final PublicationLink link =
            publications.find(peer, received.linkId(), received.epoch());
        if (link != null) {
            link.delivery().onReceived(received.receivedPosition());
        }
    }

    @Override
    public void onLinkBroken(final ConnectedPeer peer, final LinkBrokenDecoder linkBroken) {
        if (linkBroken.role() == Role.SUBSCRIPTION) {
            final PublicationLink link = publications.find(peer, linkBroken.linkId());
            final BreakReason reason = BreakReasons.of(linkBroken.reason());
            if (link != null && reason == BreakReason.COMPLETION_QUEUE_OVERRUN) {
                publications.onOverrunAt(link);
            }
            if (link != null && linkBroken.epoch() <= link.epoch()) {
                link.attempts().onPeerBroken(
                    linkBroken.epoch(), linkBroken.flags().quiesced(), services.nowNs());
            }
            if (link != null && link.epoch() == linkBroken.epoch()) {
                link.onBrokenByPeer(reason);
            }
        } else {
            final SubscriptionLink link =
                subscriptions.find(peer, linkBroken.linkId(), linkBroken.epoch());
            if (link != null) {
                link.onBrokenByPeer(BreakReasons.of(linkBroken.reason()));
            }
        }
    }

    @Override
    public void onEvict(final ConnectedPeer peer, final EvictDecoder evict) {
        // in whichever epoch it was: it may have had to wait for a control connection
        final PublicationLink link = publications.find(peer, evict.linkId());
        if (link != null) {
            final long bytesBehind = evict.consumerBytesBehind();
            final String consumer = ControlText.printable(evict.consumerName());
            final PublicationContext publication = link.publication();
            publication.pressure().reports().onEviction(link.id().linkId(), new PeerEviction(
                consumer, link.id().peerName(), publication.options().streamId(),
                publication.options().session().sessionId(), bytesBehind,
                ControlText.printable(evict.text())), publication.pressure().listener());
        }
    }

    @Override
    public void onCloseLink(final ConnectedPeer peer, final CloseLinkDecoder closeLink) {
        if (closeLink.role() == Role.SUBSCRIPTION) {
            final PublicationLink link = publications.find(peer, closeLink.linkId());
            if (link != null && closeLink.reason() == CloseReason.CLOSED) {
                link.onUnsubscribed();
            } else if (link != null) {
                link.remove("given up by the peer");
            }
        } else {
            final SubscriptionLink link = subscriptions.find(peer, closeLink.linkId());
            if (link != null) {
                link.end().onClosedByPeer(closeLink.reason());
            } else {
                subscriptions.onClosedBeforeBegin(peer, closeLink.linkId());
            }
        }
    }

    @Override
    public void onBackPressure(final ConnectedPeer peer, final BackPressureDecoder backPressure) {
        final PublicationLink link =
            publications.find(peer, backPressure.linkId(), backPressure.epoch());
        if (link != null) {
            final boolean isClear = backPressure.state() == PressureState.CLEAR;
            link.publication().pressure().reports().onPressure(
                link.id().linkId(), isClear ? "" : ControlText.printable(backPressure.consumerName()));
        }
    }
}
