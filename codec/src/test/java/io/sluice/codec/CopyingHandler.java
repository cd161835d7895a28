package io.sluice.codec;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.AcceptEncoder;
import io.sluice.codec.control.AnswerDecoder;
import io.sluice.codec.control.AnswerEncoder;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.BackPressureEncoder;
import io.sluice.codec.control.ChallengeDecoder;
import io.sluice.codec.control.ChallengeEncoder;
import io.sluice.codec.control.CloseLinkDecoder;
import io.sluice.codec.control.CloseLinkEncoder;
import io.sluice.codec.control.EndOfStreamDecoder;
import io.sluice.codec.control.EndOfStreamEncoder;
import io.sluice.codec.control.EndOfStreamReceivedDecoder;
import io.sluice.codec.control.EndOfStreamReceivedEncoder;
import io.sluice.codec.control.EstablishedDecoder;
import io.sluice.codec.control.EstablishedEncoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.EvictEncoder;
import io.sluice.codec.control.GoodbyeDecoder;
import io.sluice.codec.control.GoodbyeEncoder;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.HelloEncoder;
import io.sluice.codec.control.IntroductionDecoder;
import io.sluice.codec.control.IntroductionEncoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.LinkBrokenEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.RefuseEncoder;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SetupEncoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.SubscribeEncoder;
import io.sluice.codec.control.UnsubscribeDecoder;
import io.sluice.codec.control.UnsubscribeEncoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads every field of what it is handed and encodes it again, so that the two can be compared. */
final class CopyingHandler implements ControlMessageHandler {
    private final byte[] bytes = new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private byte[] copy;

    /** The message handed over last, encoded again; null before the first. */
    byte[] copy() {
        return copy;
    }

    private void keep(int encodedLength) {
        copy = Arrays.copyOf(bytes, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }

    @Override
    public void onHello(HelloDecoder hello) {
        HelloEncoder copy = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.processId(hello.processId())
            .livenessTimeoutNs(hello.livenessTimeoutNs())
            .heartbeatIntervalNs(hello.heartbeatIntervalNs())
            .protocolVersion(hello.protocolVersion())
            .oldestProtocolVersion(hello.oldestProtocolVersion())
            .authentication(hello.authentication());
        copy.transportId().high(hello.transportId().high()).low(hello.transportId().low());
        copy.clientName(hello.clientName());
        copy.endpoint(hello.endpoint());
        keep(copy.encodedLength());
    }

    @Override
    public void onIntroduction(IntroductionDecoder introduction) {
        IntroductionEncoder copy = new IntroductionEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.processId(introduction.processId());
        copy.clientName(introduction.clientName());
        copy.endpoint(introduction.endpoint());
        keep(copy.encodedLength());
    }

    @Override
    public void onChallenge(ChallengeDecoder challenge) {
        ChallengeEncoder copy = new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, header);
        byte[] nonce = new byte[ChallengeDecoder.nonceLength()];
        challenge.getNonce(nonce, 0, nonce.length);
        copy.putNonce(nonce, 0, nonce.length);
        copy.transportId().high(challenge.transportId().high()).low(challenge.transportId().low());
        keep(copy.encodedLength());
    }

    @Override
    public void onAnswer(AnswerDecoder answer) {
        AnswerEncoder copy = new AnswerEncoder().wrapAndApplyHeader(buffer, 0, header);
        byte[] digest = new byte[AnswerDecoder.digestLength()];
        answer.getDigest(digest, 0, digest.length);
        copy.putDigest(digest, 0, digest.length);
        keep(copy.encodedLength());
    }

    @Override
    public void onSubscribe(SubscribeDecoder subscribe) {
        SubscribeEncoder copy = new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.subscriptionId(subscribe.subscriptionId())
            .groupTag(subscribe.groupTag())
            .streamId(subscribe.streamId());
        copy.channel(subscribe.channel());
        keep(copy.encodedLength());
    }

    @Override
    public void onUnsubscribe(UnsubscribeDecoder unsubscribe) {
        UnsubscribeEncoder copy = new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.subscriptionId(unsubscribe.subscriptionId());
        keep(copy.encodedLength());
    }

    @Override
    public void onSetup(SetupDecoder setup) {
        SetupEncoder copy = new SetupEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(setup.linkId())
            .subscriptionId(setup.subscriptionId())
            .resumePosition(setup.resumePosition())
            .publicationPosition(setup.publicationPosition())
            .feedbackAddress(setup.feedbackAddress())
            .logAddress(setup.logAddress())
            .epoch(setup.epoch())
            .feedbackKey(setup.feedbackKey())
            .logKey(setup.logKey())
            .streamId(setup.streamId())
            .sessionId(setup.sessionId())
            .windowLength(setup.windowLength())
            .writesInFlight(setup.writesInFlight());
        copy.incarnation().high(setup.incarnation().high()).low(setup.incarnation().low());
        copy.flags().clear().resume(setup.flags().resume()).sharedLog(setup.flags().sharedLog())
            .memoryCompletion(setup.flags().memoryCompletion());
        byte[] queuePairAddress = new byte[setup.queuePairAddressLength()];
        setup.getQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        copy.putQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        byte[] logToken = new byte[setup.logTokenLength()];
        setup.getLogToken(logToken, 0, logToken.length);
        copy.putLogToken(logToken, 0, logToken.length);
        copy.channel(setup.channel());
        keep(copy.encodedLength());
    }

    @Override
    public void onAccept(AcceptDecoder accept) {
        AcceptEncoder copy = new AcceptEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(accept.linkId())
            .receivedPosition(accept.receivedPosition())
            .ringAddress(accept.ringAddress())
            .epoch(accept.epoch())
            .ringKey(accept.ringKey())
            .receiveDepth(accept.receiveDepth());
        copy.flags().clear().resumed(accept.flags().resumed()).sharedLog(accept.flags().sharedLog())
            .memoryCompletion(accept.flags().memoryCompletion());
        byte[] queuePairAddress = new byte[accept.queuePairAddressLength()];
        accept.getQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        copy.putQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        keep(copy.encodedLength());
    }

    @Override
    public void onRefuse(RefuseDecoder refuse) {
        RefuseEncoder copy = new RefuseEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(refuse.linkId())
            .epoch(refuse.epoch())
            .reason(refuse.reason());
        copy.text(refuse.text());
        keep(copy.encodedLength());
    }

    @Override
    public void onEstablished(EstablishedDecoder established) {
        EstablishedEncoder copy = new EstablishedEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(established.linkId())
            .joinPosition(established.joinPosition())
            .epoch(established.epoch());
        keep(copy.encodedLength());
    }

    @Override
    public void onHeartbeat(HeartbeatDecoder heartbeat) {
        HeartbeatEncoder copy = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.sequence(heartbeat.sequence())
            .timeNs(heartbeat.timeNs());
        HeartbeatDecoder.LinksDecoder links = heartbeat.links();
        HeartbeatEncoder.LinksEncoder copies = copy.linksCount(links.count());
        while (links.hasNext()) {
            links.next();
            copies.next().linkId(links.linkId()).position(links.position()).epoch(links.epoch()).role(links.role());
        }
        keep(copy.encodedLength());
    }

    @Override
    public void onEndOfStream(EndOfStreamDecoder endOfStream) {
        EndOfStreamEncoder copy = new EndOfStreamEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(endOfStream.linkId())
            .endPosition(endOfStream.endPosition())
            .epoch(endOfStream.epoch());
        keep(copy.encodedLength());
    }

    @Override
    public void onEndOfStreamReceived(EndOfStreamReceivedDecoder endOfStreamReceived) {
        EndOfStreamReceivedEncoder copy = new EndOfStreamReceivedEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(endOfStreamReceived.linkId())
            .receivedPosition(endOfStreamReceived.receivedPosition())
            .epoch(endOfStreamReceived.epoch());
        keep(copy.encodedLength());
    }

    @Override
    public void onLinkBroken(LinkBrokenDecoder linkBroken) {
        LinkBrokenEncoder copy = new LinkBrokenEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(linkBroken.linkId())
            .receivedPosition(linkBroken.receivedPosition())
            .publicationPosition(linkBroken.publicationPosition())
            .epoch(linkBroken.epoch())
            .role(linkBroken.role())
            .reason(linkBroken.reason());
        copy.flags().clear().quiesced(linkBroken.flags().quiesced());
        copy.text(linkBroken.text());
        keep(copy.encodedLength());
    }

    @Override
    public void onEvict(EvictDecoder evict) {
        EvictEncoder copy = new EvictEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(evict.linkId())
            .consumerBytesBehind(evict.consumerBytesBehind())
            .epoch(evict.epoch());
        copy.consumerName(evict.consumerName());
        copy.text(evict.text());
        keep(copy.encodedLength());
    }

    @Override
    public void onCloseLink(CloseLinkDecoder closeLink) {
        CloseLinkEncoder copy = new CloseLinkEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(closeLink.linkId())
            .epoch(closeLink.epoch())
            .role(closeLink.role())
            .reason(closeLink.reason());
        keep(copy.encodedLength());
    }

    @Override
    public void onGoodbye(GoodbyeDecoder goodbye) {
        GoodbyeEncoder copy = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.reason(goodbye.reason());
        copy.text(goodbye.text());
        keep(copy.encodedLength());
    }

    @Override
    public void onBackPressure(BackPressureDecoder backPressure) {
        BackPressureEncoder copy = new BackPressureEncoder().wrapAndApplyHeader(buffer, 0, header);
        copy.linkId(backPressure.linkId())
            .bytesBehind(backPressure.bytesBehind())
            .durationNs(backPressure.durationNs())
            .epoch(backPressure.epoch())
            .state(backPressure.state())
            .cause(backPressure.cause());
        copy.consumerName(backPressure.consumerName());
        keep(copy.encodedLength());
    }
}
