package io.sluice.transport.stream;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.AcceptEncoder;
import io.sluice.codec.control.BackPressureEncoder;
import io.sluice.codec.control.CloseLinkEncoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.EndOfStreamEncoder;
import io.sluice.codec.control.EndOfStreamReceivedEncoder;
import io.sluice.codec.control.EstablishedEncoder;
import io.sluice.codec.control.EvictEncoder;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.LinkBrokenEncoder;
import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.PressureCause;
import io.sluice.codec.control.PressureState;
import io.sluice.codec.control.RefuseEncoder;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.codec.control.SetupEncoder;
import io.sluice.codec.control.SubscribeEncoder;
import io.sluice.codec.control.UnsubscribeEncoder;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.ConsumerEviction;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes control messages about links into one reused buffer. Each method returns the message's length in
 * {@link #buffer()}. Conductor only.
 */
final class LinkEncoder {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Begin a heartbeat, whose links and length are the caller's. */
    HeartbeatEncoder heartbeat(final long sequence, final long timeNs) {
        return new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header).sequence(sequence).timeNs(timeNs);
    }

    int subscribe(final long subscriptionId, final int streamId, final long groupTag, final String channel) {
        final SubscribeEncoder encoder = new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.subscriptionId(subscriptionId).streamId(streamId)
            .groupTag(groupTag == FlowControl.NO_TAG ? SubscribeEncoder.groupTagNullValue() : groupTag);
        final byte[] channelBytes = ControlText.bounded(channel, ControlDescriptor.MAX_CHANNEL_LENGTH);
        encoder.putChannel(channelBytes, 0, channelBytes.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int unsubscribe(final long subscriptionId) {
        final UnsubscribeEncoder encoder = new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.subscriptionId(subscriptionId);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    /** Begin a setup, whose fields are the caller's. */
    SetupEncoder setup() {
        return new SetupEncoder().wrapAndApplyHeader(buffer, 0, header);
    }

    int accept(
        final long linkId,
        final long epoch,
        final long resumePosition,
        final InboundEpoch accepted,
        final boolean isLogShared) {
        final boolean isResumed = resumePosition != OutboundLink.UNSET;
        final AcceptEncoder encoder = new AcceptEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder
            .linkId(linkId)
            .receivedPosition(isResumed ? resumePosition : AcceptEncoder.receivedPositionNullValue())
            .ringAddress(accepted.ring().address())
            .epoch(epoch)
            .ringKey(accepted.ring().remoteKey() & 0xFFFF_FFFFL)
            .receiveDepth(accepted.receives().depth());
        encoder.flags().clear().resumed(isResumed).sharedLog(isLogShared)
            .memoryCompletion(accepted.memoryCompletion());
        final byte[] address = accepted.queuePair().localAddress();
        encoder.putQueuePairAddress(address, 0, address.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int refuse(final long linkId, final long epoch, final RefuseReason reason, final String text) {
        final RefuseEncoder encoder = new RefuseEncoder().wrapAndApplyHeader(buffer, 0, header);
        final byte[] bytes = ControlText.bounded(text, ControlDescriptor.MAX_TEXT_LENGTH);
        encoder.linkId(linkId).epoch(epoch).reason(reason).putText(bytes, 0, bytes.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int established(final long linkId, final long epoch, final long joinPosition) {
        final EstablishedEncoder encoder = new EstablishedEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.linkId(linkId).joinPosition(joinPosition).epoch(epoch);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int endOfStream(final long linkId, final long epoch, final long endPosition) {
        final EndOfStreamEncoder encoder = new EndOfStreamEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.linkId(linkId).endPosition(endPosition).epoch(epoch);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int endOfStreamReceived(final long linkId, final long epoch, final long receivedPosition) {
        final EndOfStreamReceivedEncoder encoder =
            new EndOfStreamReceivedEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.linkId(linkId).receivedPosition(receivedPosition).epoch(epoch);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int linkBroken(
        final long linkId, final long epoch, final Role role, final BreakReason reason, final long position) {
        final LinkBrokenEncoder encoder = new LinkBrokenEncoder().wrapAndApplyHeader(buffer, 0, header);
        final boolean known = position != OutboundLink.UNSET;
        final boolean subscription = role == Role.SUBSCRIPTION;
        encoder
            .linkId(linkId)
            .receivedPosition(known && subscription ? position : LinkBrokenEncoder.receivedPositionNullValue())
            .publicationPosition(known && !subscription ? position : LinkBrokenEncoder.publicationPositionNullValue())
            .epoch(epoch)
            .role(role)
            .reason(LinkBrokenReason.get((short) reason.ordinal()));
        encoder.flags().clear().quiesced(known && subscription);
        encoder.putText(new byte[0], 0, 0);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int backPressure(
        final long linkId,
        final long epoch,
        final long bytesBehind,
        final PressureGauge gauge,
        final String consumer) {
        final BackPressureEncoder encoder = new BackPressureEncoder().wrapAndApplyHeader(buffer, 0, header);
        final byte[] name = ControlText.bounded(consumer, ControlDescriptor.MAX_NAME_LENGTH);
        encoder.linkId(linkId).bytesBehind(bytesBehind).durationNs(gauge.durationNs()).epoch(epoch)
            .state(PressureState.get((short) gauge.state().ordinal()))
            .cause(PressureCause.get((short) gauge.cause().ordinal()))
            .putConsumerName(name, 0, name.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int evict(final long linkId, final long epoch, final long bytesBehind, final ConsumerEviction eviction) {
        final EvictEncoder encoder = new EvictEncoder().wrapAndApplyHeader(buffer, 0, header);
        final byte[] consumer = ControlText.bounded(eviction.consumer(), ControlDescriptor.MAX_NAME_LENGTH);
        final byte[] text = ControlText.bounded("dependants=" + eviction.dependants() + " eventsBehind="
            + eviction.eventsBehind() + " slowNs=" + eviction.slowNs(), ControlDescriptor.MAX_TEXT_LENGTH);
        encoder.linkId(linkId).consumerBytesBehind(bytesBehind).epoch(epoch)
            .putConsumerName(consumer, 0, consumer.length).putText(text, 0, text.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    int closeLink(final long linkId, final long epoch, final Role role, final CloseReason reason) {
        final CloseLinkEncoder encoder = new CloseLinkEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.linkId(linkId).epoch(epoch).role(role).reason(reason);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }
}
