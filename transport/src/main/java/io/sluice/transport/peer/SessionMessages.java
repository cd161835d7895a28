package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageHandler;
import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.AnswerDecoder;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.ChallengeDecoder;
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
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;

/**
 * Takes a peer's messages, whose structure was checked, to the handshake or, once its session is ready, to the links.
 * Conductor only; owned by the session, and holds nothing that is to be freed.
 */
final class SessionMessages implements ControlMessageHandler {
    private final ConnectedPeer peer;
    private final Links links;
    private final LinkMessages messages;
    private final PeerHandshake handshake;
    private final Heartbeats heartbeats;
    private final SessionEnd end;

    /**
     * Creates the way of one session's messages.
     *
     * @param peer       that sends them, as links have it.
     * @param links      that a ready peer's messages are for.
     * @param handshake  with the peer, which what comes before is for.
     * @param heartbeats of the peer.
     * @param end        for a peer that speaks too early, or says goodbye.
     */
    SessionMessages(
        final ConnectedPeer peer,
        final Links links,
        final PeerHandshake handshake,
        final Heartbeats heartbeats,
        final SessionEnd end) {
        this.peer = peer;
        this.links = links;
        messages = links.messages();
        this.handshake = handshake;
        this.heartbeats = heartbeats;
        this.end = end;
    }

    /**
     * Whether the peer may send what only a ready session may. A peer that speaks of links before its proof breaks the
     * protocol, and false says that its session is closed now: the message is to be dropped.
     */
    private boolean checkReady(final String messageName) {
        if (!peer.isReady()) {
            end.protocolError("unexpected " + messageName + " before the handshake is over");
        }
        return peer.isReady();
    }

    @Override
    public void onHello(final HelloDecoder hello) {
        handshake.onHello(hello);
    }

    @Override
    public void onChallenge(final ChallengeDecoder challenge) {
        handshake.onChallenge(challenge);
    }

    @Override
    public void onAnswer(final AnswerDecoder answer) {
        handshake.onAnswer(answer);
    }

    @Override
    public void onIntroduction(final IntroductionDecoder introduction) {
        if (checkReady("Introduction")) {
            handshake.onIntroduction(introduction);
        }
    }

    @Override
    public void onSubscribe(final SubscribeDecoder subscribe) {
        if (checkReady("Subscribe")) {
            final long subscriptionId = subscribe.subscriptionId();
            final int streamId = subscribe.streamId();
            final long groupTag = subscribe.groupTag() == SubscribeDecoder.groupTagNullValue()
                ? ControlDescriptor.NO_GROUP_TAG : subscribe.groupTag();
            messages.onSubscribe(peer, new PeerSubscription(
                subscriptionId, streamId, RendezvousName.of(subscribe.channel()), groupTag));
        }
    }

    @Override
    public void onUnsubscribe(final UnsubscribeDecoder unsubscribe) {
        if (checkReady("Unsubscribe")) {
            messages.onUnsubscribe(peer, unsubscribe.subscriptionId());
        }
    }

    @Override
    public void onSetup(final SetupDecoder setup) {
        if (checkReady("Setup")) {
            messages.onSetup(peer, setup);
        }
    }

    @Override
    public void onAccept(final AcceptDecoder accept) {
        if (checkReady("Accept")) {
            messages.onAccept(peer, accept);
        }
    }

    @Override
    public void onRefuse(final RefuseDecoder refuse) {
        if (checkReady("Refuse")) {
            messages.onRefuse(peer, refuse);
        }
    }

    @Override
    public void onEstablished(final EstablishedDecoder established) {
        if (checkReady("Established")) {
            messages.onEstablished(peer, established);
        }
    }

    @Override
    public void onHeartbeat(final HeartbeatDecoder heartbeat) {
        if (checkReady("Heartbeat")) {
            heartbeats.onTold();
            messages.onHeartbeat(peer, heartbeat);
        }
    }

    @Override
    public void onEndOfStream(final EndOfStreamDecoder endOfStream) {
        if (checkReady("EndOfStream")) {
            messages.onEndOfStream(peer, endOfStream);
        }
    }

    @Override
    public void onEndOfStreamReceived(final EndOfStreamReceivedDecoder endOfStreamReceived) {
        if (checkReady("EndOfStreamReceived")) {
            messages.onEndOfStreamReceived(peer, endOfStreamReceived);
        }
    }

    @Override
    public void onLinkBroken(final LinkBrokenDecoder linkBroken) {
        if (checkReady("LinkBroken")) {
            messages.onLinkBroken(peer, linkBroken);
        }
    }

    @Override
    public void onEvict(final EvictDecoder evict) {
        if (checkReady("Evict")) {
            messages.onEvict(peer, evict);
        }
    }

    @Override
    public void onCloseLink(final CloseLinkDecoder closeLink) {
        if (checkReady("CloseLink")) {
            messages.onCloseLink(peer, closeLink);
        }
    }

    @Override
    public void onBackPressure(final BackPressureDecoder backPressure) {
        if (checkReady("BackPressure")) {
            messages.onBackPressure(peer, backPressure);
        }
    }

    @Override
    public void onGoodbye(final GoodbyeDecoder goodbye) {
        // before it has proved itself a peer speaks for nobody but itself, whatever name it has given
        final boolean isProved = peer.isReady();
        final GoodbyeReason reason = goodbye.reason();
        end.onGoodbye(reason, goodbye.text());
        if (isProved && reason == GoodbyeReason.CLOSED) {
            links.onGoodbye(peer);
        }
    }
}
