package io.sluice.transport.connection;

import io.sluice.codec.ControlMessageHandler;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.AnswerDecoder;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.ChallengeDecoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.CloseLinkDecoder;
import io.sluice.codec.control.EndOfStreamDecoder;
import io.sluice.codec.control.EndOfStreamReceivedDecoder;
import io.sluice.codec.control.EstablishedDecoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.GoodbyeDecoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.IntroductionDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.PressureState;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.status.BreakReason;

/**
 * Takes a peer's messages, whose structure was checked, to whom they concern. What concerns nobody (any more) is
 * dropped: a peer may speak of a link that has just ended here. Conductor only.
 */
final class SessionMessages implements ControlMessageHandler {
    private final ControlSession session;
    private final Conductor conductor;
    private final Services services;

    SessionMessages(final ControlSession session, final Conductor conductor) {
        this.session = session;
        this.conductor = conductor;
        services = conductor.services();
    }

    @Override
    public void onHello(final HelloDecoder hello) {
        session.onHello(hello);
    }

    @Override
    public void onChallenge(final ChallengeDecoder challenge) {
        session.onChallenge(challenge);
    }

    @Override
    public void onAnswer(final AnswerDecoder answer) {
        session.onAnswer(answer);
    }

    @Override
    public void onIntroduction(final IntroductionDecoder introduction) {
        if (session.checkReady("Introduction")) {
            session.onIntroduction(introduction);
        }
    }

    @Override
    public void onSubscribe(final SubscribeDecoder subscribe) {
        if (session.checkReady("Subscribe")) {
            final long subscriptionId = subscribe.subscriptionId();
            final int streamId = subscribe.streamId();
            final long groupTag = subscribe.groupTag() == SubscribeDecoder.groupTagNullValue()
                ? FlowControl.NO_TAG : subscribe.groupTag();
            conductor.publications().onSubscribe(session, new RemoteSubscription(
                subscriptionId, streamId, RendezvousName.of(subscribe.channel()), groupTag));
        }
    }

    @Override
    public void onUnsubscribe(final UnsubscribeDecoder unsubscribe) {
        if (session.checkReady("Unsubscribe")) {
            conductor.publications().onUnsubscribe(session, unsubscribe.subscriptionId());
        }
    }

    @Override
    public void onSetup(final SetupDecoder setup) {
        if (session.checkReady("Setup")) {
            conductor.subscriptions().onSetup(session, setup);
        }
    }

    @Override
    public void onAccept(final AcceptDecoder accept) {
        if (session.checkReady("Accept")) {
            final PublicationLink link = conductor.publications().find(session, accept.linkId());
            if (link != null && accept.epoch() <= link.epoch()) {
                link.attempts().onPeerBegun(accept.epoch());
            }
            if (link != null && link.epoch() == accept.epoch()) {
                link.onAccept(accept);
            }
        }
    }

    @Override
    public void onRefuse(final RefuseDecoder refuse) {
        if (session.checkReady("Refuse")) {
            final PublicationLink link = conductor.publications().find(session, refuse.linkId(), refuse.epoch());
            if (link != null) {
                link.attempts().onPeerQuiescent(refuse.epoch());
                link.onRefuse(refuse.reason(), ControlText.printable(refuse.text()));
            }
        }
    }

    @Override
    public void onEstablished(final EstablishedDecoder established) {
        if (session.checkReady("Established")) {
            final SubscriptionLink link =
                conductor.subscriptions().find(session, established.linkId(), established.epoch());
            if (link != null) {
                link.onEstablished(established.joinPosition());
            }
        }
    }

    @Override
    public void onHeartbeat(final HeartbeatDecoder heartbeat) {
        if (session.checkReady("Heartbeat")) {
            for (final HeartbeatDecoder.LinksDecoder told : heartbeat.links()) {
                final SubscriptionLink link = told.role() == Role.PUBLICATION
                    ? conductor.subscriptions().find(session, told.linkId(), told.epoch()) : null;
                if (link != null) {
                    link.onPublicationPosition(told.position());
                }
            }
        }
    }

    @Override
    public void onEndOfStream(final EndOfStreamDecoder endOfStream) {
        if (session.checkReady("EndOfStream")) {
            final SubscriptionLink link =
                conductor.subscriptions().find(session, endOfStream.linkId(), endOfStream.epoch());
            if (link != null) {
                link.onEndOfStream(endOfStream.endPosition());
            }
        }
    }

    @Override
    public void onEndOfStreamReceived(final EndOfStreamReceivedDecoder endOfStreamReceived) {
        if (session.checkReady("EndOfStreamReceived")) {
            final PublicationLink link =
                conductor.publications().find(session, endOfStreamReceived.linkId(), endOfStreamReceived.epoch());
            if (link != null) {
                link.onEndOfStreamReceived(endOfStreamReceived.receivedPosition());
            }
        }
    }

    @Override
    public void onLinkBroken(final LinkBrokenDecoder linkBroken) {
        if (!session.checkReady("LinkBroken")) {
            return;
        }
        if (linkBroken.role() == Role.SUBSCRIPTION) {
            final PublicationLink link = conductor.publications().find(session, linkBroken.linkId());
            final BreakReason reason = BreakReasons.of(linkBroken.reason());
            if (link != null && reason == BreakReason.COMPLETION_QUEUE_OVERRUN) {
                link.publication().onOverrunAt(link);
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
                conductor.subscriptions().find(session, linkBroken.linkId(), linkBroken.epoch());
            if (link != null) {
                link.onBrokenByPeer(BreakReasons.of(linkBroken.reason()));
            }
        }
    }

    @Override
    public void onEvict(final EvictDecoder evict) {
        if (session.checkReady("Evict")) {
            // in whichever epoch it was: it may have had to wait for a control connection
            final PublicationLink link = conductor.publications().find(session, evict.linkId());
            if (link != null) {
                final long bytesBehind = evict.consumerBytesBehind();
                final String consumer = ControlText.printable(evict.consumerName());
                link.publication().pressure().reports().onEviction(
                    link, consumer, bytesBehind, ControlText.printable(evict.text()));
            }
        }
    }

    @Override
    public void onCloseLink(final CloseLinkDecoder closeLink) {
        if (!session.checkReady("CloseLink")) {
            return;
        }
        if (closeLink.role() == Role.SUBSCRIPTION) {
            final PublicationLink link = conductor.publications().find(session, closeLink.linkId());
            if (link != null && closeLink.reason() == CloseReason.CLOSED) {
                link.onUnsubscribed();
            } else if (link != null) {
                link.remove("given up by the peer");
            }
        } else {
            final SubscriptionLink link = conductor.subscriptions().find(session, closeLink.linkId());
            if (link != null) {
                link.onClosedByPeer(closeLink.reason());
            } else {
                conductor.subscriptions().onClosedBeforeBegin(session, closeLink.linkId());
            }
        }
    }

    @Override
    public void onGoodbye(final GoodbyeDecoder goodbye) {
        final GoodbyeReason reason = goodbye.reason();
        if (reason == GoodbyeReason.AUTHENTICATION_FAILED || reason == GoodbyeReason.NOT_ALLOWED) {
            session.onRefusedBy(reason, goodbye.text());
        } else if (reason != GoodbyeReason.CLOSED) {
            session.tell("closed by the peer: " + reason, ControlText.printable(goodbye.text()));
        }
        // before it has proved itself a peer speaks for nobody but itself, whatever name it has given
        final boolean isProved = session.isReady();
        session.close();
        if (isProved) {
            conductor.onGoodbye(session, reason == GoodbyeReason.CLOSED);
        }
    }

    @Override
    public void onBackPressure(final BackPressureDecoder backPressure) {
        if (session.checkReady("BackPressure")) {
            final PublicationLink link =
                conductor.publications().find(session, backPressure.linkId(), backPressure.epoch());
            if (link != null) {
                final boolean isClear = backPressure.state() == PressureState.CLEAR;
                link.publication().pressure().reports().onPressure(
                    link, isClear ? "" : ControlText.printable(backPressure.consumerName()));
            }
        }
    }
}
