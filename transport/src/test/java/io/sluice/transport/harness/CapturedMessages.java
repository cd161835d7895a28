package io.sluice.transport.harness;

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
    /** Where a link's bytes are to be written. */
    public record Accepted(long ringAddress, int ringKey, byte[] queuePairAddress, boolean isSeenInMemory) {
    }

    private final List<Long> subscriptionIds = new ArrayList<>();
    private final List<Integer> streamIds = new ArrayList<>();
    private final List<Long> linkIds = new ArrayList<>();
    private final List<Long> endsReceived = new ArrayList<>();
    private final List<LinkBrokenReason> breaks = new ArrayList<>();
    private Accepted accepted;
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

    /** End positions that were confirmed. */
    public List<Long> endsReceived() {
        return endsReceived;
    }

    public List<LinkBrokenReason> breaks() {
        return breaks;
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
        subscriptionIds.add(subscribe.subscriptionId());
        streamIds.add(subscribe.streamId());
    }

    @Override
    public void onSetup(final SetupDecoder setup) {
        linkIds.add(setup.linkId());
    }

    @Override
    public void onRefuse(final RefuseDecoder refuse) {
        refusal = refuse.reason();
        text = refuse.text();
    }

    @Override
    public void onGoodbye(final GoodbyeDecoder message) {
        goodbye = message.reason();
        text = message.text();
    }

    @Override
    public void onHello(final HelloDecoder hello) {
    }

    @Override
    public void onChallenge(final ChallengeDecoder challenge) {
    }

    @Override
    public void onAnswer(final AnswerDecoder answer) {
    }

    @Override
    public void onUnsubscribe(final UnsubscribeDecoder unsubscribe) {
    }

    @Override
    public void onAccept(final AcceptDecoder accept) {
        final byte[] address = new byte[accept.queuePairAddressLength()];
        final boolean isSeenInMemory = accept.flags().memoryCompletion();
        accept.getQueuePairAddress(address, 0, address.length);
        accepted = new Accepted(accept.ringAddress(), (int) accept.ringKey(), address, isSeenInMemory);
    }

    @Override
    public void onEstablished(final EstablishedDecoder established) {
    }

    @Override
    public void onHeartbeat(final HeartbeatDecoder heartbeat) {
    }

    @Override
    public void onEndOfStream(final EndOfStreamDecoder endOfStream) {
    }

    @Override
    public void onEndOfStreamReceived(final EndOfStreamReceivedDecoder endOfStreamReceived) {
        endsReceived.add(endOfStreamReceived.receivedPosition());
    }

    @Override
    public void onLinkBroken(final LinkBrokenDecoder linkBroken) {
        breaks.add(linkBroken.reason());
    }

    @Override
    public void onEvict(final EvictDecoder evict) {
    }

    @Override
    public void onCloseLink(final CloseLinkDecoder closeLink) {
    }

    @Override
    public void onBackPressure(final BackPressureDecoder backPressure) {
    }
}
