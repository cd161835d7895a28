package io.sluice.transport.kit;

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
import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers of a transport's control messages what an attacker would like to know.
 */
public final class CapturedMessages implements ControlMessageHandler {
    /** The place where a link's bytes are to be written. */
    public record Accepted(long ringAddress, int ringKey, byte[] queuePairAddress, boolean isSeenInMemory) {
    }

    /** The place where a link's feedback is to be written. */
    public record Offered(long linkId, long feedbackAddress, int feedbackKey, byte[] queuePairAddress) {
    }

    private final List<Long> subscriptionIds = new ArrayList<>();
    private final List<Integer> streamIds = new ArrayList<>();
    private final List<Long> linkIds = new ArrayList<>();
    private final List<Long> endsReceived = new ArrayList<>();
    private final List<LinkBrokenReason> breaks = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private long idHigh;
    private long idLow;
    private long processId;
    private String helloTexts = "";
    private String introducedName;
    private byte[] nonce;
    private byte[] digest;
    private Accepted accepted;
    private Offered offered;
    private RefuseReason refusal;
    private GoodbyeReason goodbye;
    private String text = "";

    public List<Long> subscriptionIds() {
        return subscriptionIds;
    }

    /** The subscription of a stream, or null while it is not known. */
    public Long subscriptionOf(final int streamId) {
        final int index = streamIds.indexOf(streamId);
        return index < 0 ? null : subscriptionIds.get(index);
    }

    public List<Long> linkIds() {
        return linkIds;
    }

    /** The last link that was accepted, or null. */
    public Accepted accepted() {
        return accepted;
    }

    /** The last link that was offered, or null. */
    public Offered offered() {
        return offered;
    }

    /** End positions that were confirmed. */
    public List<Long> endsReceived() {
        return endsReceived;
    }

    public List<LinkBrokenReason> breaks() {
        return breaks;
    }

    /** The names of the messages that came, in order. */
    public List<String> names() {
        return names;
    }

    /** The upper half of the id that the Hello told. */
    public long idHigh() {
        return idHigh;
    }

    /** The lower half of it. */
    public long idLow() {
        return idLow;
    }

    /** Id of the process, as the Hello told it, or 0. */
    public long processId() {
        return processId;
    }

    /** The names in the Hello, one behind the other. */
    public String helloTexts() {
        return helloTexts;
    }

    /** The client name in the Introduction; null before there is one. */
    public String introducedName() {
        return introducedName;
    }

    /** The nonce of the Challenge, or null. */
    public byte[] nonce() {
        return nonce;
    }

    /** The digest of the Answer, or null. */
    public byte[] digest() {
        return digest;
    }

    public RefuseReason refusal() {
        return refusal;
    }

    public GoodbyeReason goodbye() {
        return goodbye;
    }

    public String text() {
        return text;
    }

    @Override
    public void onSubscribe(final SubscribeDecoder subscribe) {
        names.add("Subscribe");
        subscriptionIds.add(subscribe.subscriptionId());
        streamIds.add(subscribe.streamId());
    }

    @Override
    public void onSetup(final SetupDecoder setup) {
        names.add("Setup");
        linkIds.add(setup.linkId());
        final byte[] address = new byte[setup.queuePairAddressLength()];
        setup.getQueuePairAddress(address, 0, address.length);
        offered = new Offered(setup.linkId(), setup.feedbackAddress(), (int) setup.feedbackKey(), address);
    }

    @Override
    public void onRefuse(final RefuseDecoder refuse) {
        names.add("Refuse");
        refusal = refuse.reason();
        text = refuse.text();
    }

    @Override
    public void onGoodbye(final GoodbyeDecoder message) {
        names.add("Goodbye");
        goodbye = message.reason();
        text = message.text();
    }

    @Override
    public void onHello(final HelloDecoder hello) {
        names.add("Hello");
        idHigh = hello.transportId().high();
        idLow = hello.transportId().low();
        processId = hello.processId();
        helloTexts = hello.clientName() + hello.endpoint();
    }

    @Override
    public void onIntroduction(final IntroductionDecoder introduction) {
        names.add("Introduction");
        processId = introduction.processId();
        introducedName = introduction.clientName();
    }

    @Override
    public void onChallenge(final ChallengeDecoder challenge) {
        names.add("Challenge");
        nonce = new byte[ControlDescriptor.NONCE_LENGTH];
        challenge.getNonce(nonce, 0, nonce.length);
    }

    @Override
    public void onAnswer(final AnswerDecoder answer) {
        names.add("Answer");
        digest = new byte[ControlDescriptor.DIGEST_LENGTH];
        answer.getDigest(digest, 0, digest.length);
    }

    @Override
    public void onUnsubscribe(final UnsubscribeDecoder unsubscribe) {
        names.add("Unsubscribe");
    }

    @Override
    public void onAccept(final AcceptDecoder accept) {
        names.add("Accept");
        final byte[] address = new byte[accept.queuePairAddressLength()];
        final boolean isSeenInMemory = accept.flags().memoryCompletion();
        accept.getQueuePairAddress(address, 0, address.length);
        accepted = new Accepted(accept.ringAddress(), (int) accept.ringKey(), address, isSeenInMemory);
    }

    @Override
    public void onEstablished(final EstablishedDecoder established) {
        names.add("Established");
    }

    @Override
    public void onHeartbeat(final HeartbeatDecoder heartbeat) {
        names.add("Heartbeat");
    }

    @Override
    public void onEndOfStream(final EndOfStreamDecoder endOfStream) {
        names.add("EndOfStream");
    }

    @Override
    public void onEndOfStreamReceived(final EndOfStreamReceivedDecoder endOfStreamReceived) {
        names.add("EndOfStreamReceived");
        endsReceived.add(endOfStreamReceived.receivedPosition());
    }

    @Override
    public void onLinkBroken(final LinkBrokenDecoder linkBroken) {
        names.add("LinkBroken");
        breaks.add(linkBroken.reason());
    }

    @Override
    public void onEvict(final EvictDecoder evict) {
        names.add("Evict");
    }

    @Override
    public void onCloseLink(final CloseLinkDecoder closeLink) {
        names.add("CloseLink");
    }

    @Override
    public void onBackPressure(final BackPressureDecoder backPressure) {
        names.add("BackPressure");
    }
}
