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
     * Hears that the peer introduces itself and says what it asks of us.
     *
     * @param hello valid during the call
     */
    void onHello(HelloDecoder hello);

    /**
     * Hears that the peer asks for a proof that we hold the key.
     *
     * @param challenge valid during the call
     */
    void onChallenge(ChallengeDecoder challenge);

    /**
     * Hears the peer's proof.
     *
     * @param answer valid during the call
     */
    void onAnswer(AnswerDecoder answer);

    /**
     * Hears that the peer has a subscription.
     *
     * @param subscribe valid during the call
     */
    void onSubscribe(SubscribeDecoder subscribe);

    /**
     * Hears that the peer's subscription is closed.
     *
     * @param unsubscribe valid during the call
     */
    void onUnsubscribe(UnsubscribeDecoder unsubscribe);

    /**
     * Hears that the publisher offers a link or a new epoch of one.
     *
     * @param setup valid during the call
     */
    void onSetup(SetupDecoder setup);

    /**
     * Hears that the subscriber takes the link.
     *
     * @param accept valid during the call
     */
    void onAccept(AcceptDecoder accept);

    /**
     * Hears that the subscriber does not take the link.
     *
     * @param refuse valid during the call
     */
    void onRefuse(RefuseDecoder refuse);

    /**
     * Hears that the publisher's queue pair is up.
     *
     * @param established valid during the call
     */
    void onEstablished(EstablishedDecoder established);

    /**
     * Hears that the peer is alive, and that its links stand at these positions.
     *
     * @param heartbeat valid during the call
     */
    void onHeartbeat(HeartbeatDecoder heartbeat);

    /**
     * Hears that the publisher writes nothing more.
     *
     * @param endOfStream valid during the call
     */
    void onEndOfStream(EndOfStreamDecoder endOfStream);

    /**
     * Hears that the subscriber has received all up to the end of the stream.
     *
     * @param endOfStreamReceived valid during the call
     */
    void onEndOfStreamReceived(EndOfStreamReceivedDecoder endOfStreamReceived);

    /**
     * Hears that an epoch of a link is over on the peer's side.
     *
     * @param linkBroken valid during the call
     */
    void onLinkBroken(LinkBrokenDecoder linkBroken);

    /**
     * Hears that the subscriber took a slow consumer out.
     *
     * @param evict valid during the call
     */
    void onEvict(EvictDecoder evict);

    /**
     * Hears that a link is over for good.
     *
     * @param closeLink valid during the call
     */
    void onCloseLink(CloseLinkDecoder closeLink);

    /**
     * Hears that the peer ends the control connection.
     *
     * @param goodbye valid during the call
     */
    void onGoodbye(GoodbyeDecoder goodbye);

    /**
     * Hears from the subscriber who holds the window back.
     *
     * @param backPressure valid during the call
     */
    void onBackPressure(BackPressureDecoder backPressure);

    /**
     * Hears that the peer has been proved to and tells its name.
     *
     * @param introduction valid during the call
     */
    void onIntroduction(IntroductionDecoder introduction);
}
