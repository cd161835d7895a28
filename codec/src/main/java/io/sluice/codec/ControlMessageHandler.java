package io.sluice.codec;

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
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.IntroductionDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;

/**
 * Takes the control messages that a {@link ControlMessageReader} found well-formed, on the thread that reads them. A
 * decoder is positioned before its first variable part, which like every part must be read in the order of the
 * schema; it is valid only until the method returns. Well-formed is not true: ids, epochs, addresses and positions are
 * still what the peer says, and texts may hold any character (see {@link ControlText#printable(String)}).
 */
public interface ControlMessageHandler {
    /**
     * Tells that the peer introduces itself and says what it asks of us.
     *
     * @param hello valid during the call
     */
    void onHello(HelloDecoder hello);

    /**
     * Tells that the peer asks for a proof that we hold the key.
     *
     * @param challenge valid during the call
     */
    void onChallenge(ChallengeDecoder challenge);

    /**
     * Hands over the peer's proof.
     *
     * @param answer valid during the call
     */
    void onAnswer(AnswerDecoder answer);

    /**
     * Tells that the peer has a subscription.
     *
     * @param subscribe valid during the call
     */
    void onSubscribe(SubscribeDecoder subscribe);

    /**
     * Tells that the peer's subscription is closed.
     *
     * @param unsubscribe valid during the call
     */
    void onUnsubscribe(UnsubscribeDecoder unsubscribe);

    /**
     * Tells that the publisher offers a link or a new epoch of one.
     *
     * @param setup valid during the call
     */
    void onSetup(SetupDecoder setup);

    /**
     * Tells that the subscriber takes the link.
     *
     * @param accept valid during the call
     */
    void onAccept(AcceptDecoder accept);

    /**
     * Tells that the subscriber does not take the link.
     *
     * @param refuse valid during the call
     */
    void onRefuse(RefuseDecoder refuse);

    /**
     * Tells that the publisher's queue pair is up.
     *
     * @param established valid during the call
     */
    void onEstablished(EstablishedDecoder established);

    /**
     * Tells that the peer is alive, and that its links stand at these positions.
     *
     * @param heartbeat valid during the call
     */
    void onHeartbeat(HeartbeatDecoder heartbeat);

    /**
     * Tells that the publisher writes nothing more.
     *
     * @param endOfStream valid during the call
     */
    void onEndOfStream(EndOfStreamDecoder endOfStream);

    /**
     * Tells that the subscriber has received all up to the end of the stream.
     *
     * @param endOfStreamReceived valid during the call
     */
    void onEndOfStreamReceived(EndOfStreamReceivedDecoder endOfStreamReceived);

    /**
     * Tells that an epoch of a link is over on the peer's side.
     *
     * @param linkBroken valid during the call
     */
    void onLinkBroken(LinkBrokenDecoder linkBroken);

    /**
     * Tells that the subscriber took a slow consumer out.
     *
     * @param evict valid during the call
     */
    void onEvict(EvictDecoder evict);

    /**
     * Tells that a link is over for good.
     *
     * @param closeLink valid during the call
     */
    void onCloseLink(CloseLinkDecoder closeLink);

    /**
     * Tells that the peer ends the control connection.
     *
     * @param goodbye valid during the call
     */
    void onGoodbye(GoodbyeDecoder goodbye);

    /**
     * Tells who holds the window back, as the subscriber says.
     *
     * @param backPressure valid during the call
     */
    void onBackPressure(BackPressureDecoder backPressure);

    /**
     * Tells that the peer has been proved to and tells its name.
     *
     * @param introduction valid during the call
     */
    void onIntroduction(IntroductionDecoder introduction);
}
