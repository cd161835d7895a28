package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageHandler;
import io.sluice.codec.ControlText;
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
 * Takes a peer's messages, whose structure was checked, to its session or, once that is ready, to the links.
 * Conductor only.
 */
final class SessionMessages implements ControlMessageHandler {
    /** A session, as far as messages concern it: what arrives before it is ready is its own. */
    interface Session extends ConnectedPeer {
        /** See {@link ControlSession#onHello}. */
        void onHello(HelloDecoder hello);

        /** See {@link ControlSession#onChallenge}. */
        void onChallenge(ChallengeDecoder challenge);

        /** See {@link ControlSession#onAnswer}. */
        void onAnswer(AnswerDecoder answer);

        /** See {@link ControlSession#onIntroduction}. */
        void onIntroduction(IntroductionDecoder introduction);

        /** {@return whether the peer may send what only a ready session may; else the session is closed now} */
        boolean checkReady(String messageName);

        /** {@return the signs of life of the peer} */
        Heartbeats heartbeats();

        /** The peer has hung up on this transport for who it is. */
        void onRefusedBy(GoodbyeReason reason, String text);

        /** Tells the application why the connection ends. */
        void tell(String what, String text);

        /** Ends the session without a word; idempotent. */
        void close();
    }

    private final Session session;
    private final Links links;
    private final LinkMessages messages;

    SessionMessages(final Session session, final Links links) {
        this.session = session;
        this.links = links;
        messages = links.messages();
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
                ? ControlDescriptor.NO_GROUP_TAG : subscribe.groupTag();
            messages.onSubscribe(session, new PeerSubscription(
                subscriptionId, streamId, RendezvousName.of(subscribe.channel()), groupTag));
        }
    }

    @Override
    public void onUnsubscribe(final UnsubscribeDecoder unsubscribe) {
        if (session.checkReady("Unsubscribe")) {
            messages.onUnsubscribe(session, unsubscribe.subscriptionId());
        }
    }

    @Override
    public void onSetup(final SetupDecoder setup) {
        if (session.checkReady("Setup")) {
            messages.onSetup(session, setup);
        }
    }

    @Override
    public void onAccept(final AcceptDecoder accept) {
        if (session.checkReady("Accept")) {
            messages.onAccept(session, accept);
        }
    }

    @Override
    public void onRefuse(final RefuseDecoder refuse) {
        if (session.checkReady("Refuse")) {
            messages.onRefuse(session, refuse);
        }
    }

    @Override
    public void onEstablished(final EstablishedDecoder established) {
        if (session.checkReady("Established")) {
            messages.onEstablished(session, established);
        }
    }

    @Override
    public void onHeartbeat(final HeartbeatDecoder heartbeat) {
        if (session.checkReady("Heartbeat")) {
            session.heartbeats().onTold();
            messages.onHeartbeat(session, heartbeat);
        }
    }

    @Override
    public void onEndOfStream(final EndOfStreamDecoder endOfStream) {
        if (session.checkReady("EndOfStream")) {
            messages.onEndOfStream(session, endOfStream);
        }
    }

    @Override
    public void onEndOfStreamReceived(final EndOfStreamReceivedDecoder endOfStreamReceived) {
        if (session.checkReady("EndOfStreamReceived")) {
            messages.onEndOfStreamReceived(session, endOfStreamReceived);
        }
    }

    @Override
    public void onLinkBroken(final LinkBrokenDecoder linkBroken) {
        if (session.checkReady("LinkBroken")) {
            messages.onLinkBroken(session, linkBroken);
        }
    }

    @Override
    public void onEvict(final EvictDecoder evict) {
        if (session.checkReady("Evict")) {
            messages.onEvict(session, evict);
        }
    }

    @Override
    public void onCloseLink(final CloseLinkDecoder closeLink) {
        if (session.checkReady("CloseLink")) {
            messages.onCloseLink(session, closeLink);
        }
    }

    @Override
    public void onBackPressure(final BackPressureDecoder backPressure) {
        if (session.checkReady("BackPressure")) {
            messages.onBackPressure(session, backPressure);
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
        if (isProved && reason == GoodbyeReason.CLOSED) {
            links.onGoodbye(session);
        }
    }
}
