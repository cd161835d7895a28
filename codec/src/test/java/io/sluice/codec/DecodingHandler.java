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
import java.util.function.Consumer;

/** Counts the messages that it is handed and does one thing with all of them. */
final class DecodingHandler implements ControlMessageHandler {
    private final Consumer<Object> action;
    private int count;

    /** Reads all of every message, by letting the decoder print itself. */
    DecodingHandler() {
        this(Object::toString);
    }

    DecodingHandler(Consumer<Object> action) {
        this.action = action;
    }

    int count() {
        return count;
    }

    private void decode(Object decoder) {
        count++;
        action.accept(decoder);
    }

    @Override
    public void onHello(HelloDecoder hello) {
        decode(hello);
    }

    @Override
    public void onIntroduction(IntroductionDecoder introduction) {
        decode(introduction);
    }

    @Override
    public void onChallenge(ChallengeDecoder challenge) {
        decode(challenge);
    }

    @Override
    public void onAnswer(AnswerDecoder answer) {
        decode(answer);
    }

    @Override
    public void onSubscribe(SubscribeDecoder subscribe) {
        decode(subscribe);
    }

    @Override
    public void onUnsubscribe(UnsubscribeDecoder unsubscribe) {
        decode(unsubscribe);
    }

    @Override
    public void onSetup(SetupDecoder setup) {
        decode(setup);
    }

    @Override
    public void onAccept(AcceptDecoder accept) {
        decode(accept);
    }

    @Override
    public void onRefuse(RefuseDecoder refuse) {
        decode(refuse);
    }

    @Override
    public void onEstablished(EstablishedDecoder established) {
        decode(established);
    }

    @Override
    public void onHeartbeat(HeartbeatDecoder heartbeat) {
        decode(heartbeat);
    }

    @Override
    public void onEndOfStream(EndOfStreamDecoder endOfStream) {
        decode(endOfStream);
    }

    @Override
    public void onEndOfStreamReceived(EndOfStreamReceivedDecoder endOfStreamReceived) {
        decode(endOfStreamReceived);
    }

    @Override
    public void onLinkBroken(LinkBrokenDecoder linkBroken) {
        decode(linkBroken);
    }

    @Override
    public void onEvict(EvictDecoder evict) {
        decode(evict);
    }

    @Override
    public void onCloseLink(CloseLinkDecoder closeLink) {
        decode(closeLink);
    }

    @Override
    public void onGoodbye(GoodbyeDecoder goodbye) {
        decode(goodbye);
    }

    @Override
    public void onBackPressure(BackPressureDecoder backPressure) {
        decode(backPressure);
    }
}
