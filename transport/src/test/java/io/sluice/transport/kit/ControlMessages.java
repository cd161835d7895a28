package io.sluice.transport.kit;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.PrivateDataDescriptor;
import io.sluice.codec.control.AcceptEncoder;
import io.sluice.codec.control.AcceptPrivateDataEncoder;
import io.sluice.codec.control.AnswerEncoder;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.BackPressureEncoder;
import io.sluice.codec.control.ChallengeEncoder;
import io.sluice.codec.control.CloseLinkEncoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.ConnectPrivateDataEncoder;
import io.sluice.codec.control.ConnectionPurpose;
import io.sluice.codec.control.EndOfStreamEncoder;
import io.sluice.codec.control.EndOfStreamReceivedEncoder;
import io.sluice.codec.control.EstablishedEncoder;
import io.sluice.codec.control.EvictEncoder;
import io.sluice.codec.control.GoodbyeEncoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.HelloEncoder;
import io.sluice.codec.control.IntroductionEncoder;
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
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Well-formed control messages of a peer that is up to no good. One thread.
 */
public final class ControlMessages {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int PROVED_LENGTH =
        1 + 2 * ControlDescriptor.NONCE_LENGTH + 4 * Long.BYTES + Integer.BYTES;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final long idHigh;
    private final long idLow;

    public ControlMessages(final long idHigh, final long idLow) {
        this.idHigh = idHigh;
        this.idLow = idLow;
    }

    /** Private data of a connection request, as a transport would send it. */
    public byte[] privateData() {
        return privateData(
            PrivateDataDescriptor.MAGIC, ControlDescriptor.PROTOCOL_VERSION, ConnectPrivateDataEncoder.ENCODED_LENGTH,
            0);
    }

    /** Private data of a connection request. */
    public byte[] privateData(final int magic, final int version, final int ownLength, final int purpose) {
        final byte[] bytes = new byte[ConnectPrivateDataEncoder.ENCODED_LENGTH];
        new ConnectPrivateDataEncoder().wrap(new UnsafeBuffer(bytes), 0)
            .magic(magic).protocolVersion(version).ownLength(ownLength).transportIdHigh(idHigh).transportIdLow(idLow)
            .connectionId(0).epoch(0).purpose(ConnectionPurpose.get(purpose)).reserved(0).processId(4242);
        return bytes;
    }

    /** Private data of an acceptance, as a transport would send it. */
    public byte[] acceptance() {
        final byte[] bytes = new byte[AcceptPrivateDataEncoder.ENCODED_LENGTH];
        new AcceptPrivateDataEncoder().wrap(new UnsafeBuffer(bytes), 0)
            .magic(PrivateDataDescriptor.MAGIC).protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .ownLength(bytes.length).transportIdHigh(idHigh).transportIdLow(idLow)
            .connectionId(0).epoch(0).purpose(ConnectionPurpose.CONTROL).processId(4242);
        return bytes;
    }

    /** One of each, about a link, a subscription and a stream. */
    public List<byte[]> all(final long linkId, final long subscriptionId, final int streamId) {
        return List.of(
            hello(), challenge(), answer(), subscribe(subscriptionId, streamId, "sluice:ipc"),
            unsubscribe(subscriptionId), setup(linkId, subscriptionId, streamId, 65536, false, 1),
            accept(linkId, 1, 64, new byte[] {1, 2, 3}), refuse(linkId), established(linkId, 0), heartbeat(linkId),
            endOfStream(linkId, 4096), endOfStreamReceived(linkId, 4096), linkBroken(linkId, Role.PUBLICATION),
            linkBroken(linkId, Role.SUBSCRIPTION), evict(linkId, 1), closeLink(linkId, Role.PUBLICATION),
            closeLink(linkId, Role.SUBSCRIPTION), backPressure(linkId), introduction(), goodbye());
    }

    private byte[] take(final int encodedLength) {
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }

    public byte[] hello() {
        return hello("hostile");
    }

    public byte[] hello(final String clientName) {
        return hello(ControlDescriptor.PROTOCOL_VERSION, ControlDescriptor.PROTOCOL_VERSION, clientName);
    }

    public byte[] hello(final int oldestVersion, final int version) {
        return hello(oldestVersion, version, "hostile");
    }

    private byte[] hello(final int oldestVersion, final int version, final String clientName) {
        final HelloEncoder message = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.processId(4242).livenessTimeoutNs(1_000_000_000L).heartbeatIntervalNs(100_000_000L)
            .protocolVersion(version).oldestProtocolVersion(oldestVersion).authentication(Authentication.NONE);
        message.transportId().high(idHigh).low(idLow);
        message.clientName(clientName).endpoint("ipc/default");
        return take(message.encodedLength());
    }

    public byte[] helloWithAuthentication() {
        final HelloEncoder message = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.processId(4242).livenessTimeoutNs(1_000_000_000L).heartbeatIntervalNs(100_000_000L)
            .protocolVersion(ControlDescriptor.PROTOCOL_VERSION)
            .oldestProtocolVersion(ControlDescriptor.PROTOCOL_VERSION).authentication(Authentication.HMAC_SHA256);
        message.transportId().high(idHigh).low(idLow);
        message.clientName("hostile").endpoint("ipc/default");
        return take(message.encodedLength());
    }

    public byte[] introduction() {
        final IntroductionEncoder message = new IntroductionEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.processId(4242).clientName("hostile").endpoint("ipc/default");
        return take(message.encodedLength());
    }

    public byte[] challenge() {
        return challenge(new byte[ControlDescriptor.NONCE_LENGTH]);
    }

    public byte[] challenge(final byte[] nonce) {
        final ChallengeEncoder message = new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.putNonce(nonce, 0, ControlDescriptor.NONCE_LENGTH);
        message.transportId().high(idHigh).low(idLow);
        return take(message.encodedLength());
    }

    public byte[] answer() {
        return answer(new byte[ControlDescriptor.DIGEST_LENGTH]);
    }

    public byte[] answer(final byte[] digest) {
        final AnswerEncoder message = new AnswerEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.putDigest(digest, 0, ControlDescriptor.DIGEST_LENGTH);
        return take(message.encodedLength());
    }

    public byte[] subscribe(final long subscriptionId, final int streamId, final String channel) {
        final SubscribeEncoder message = new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.subscriptionId(subscriptionId).groupTag(SubscribeEncoder.groupTagNullValue()).streamId(streamId);
        message.channel(channel);
        return take(message.encodedLength());
    }

    public byte[] unsubscribe(final long subscriptionId) {
        return take(new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .subscriptionId(subscriptionId).encodedLength());
    }

    public byte[] setup(
        final long linkId,
        final long subscriptionId,
        final int streamId,
        final int windowLength,
        final boolean isResumed,
        final long epoch) {
        final SetupEncoder message = new SetupEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).subscriptionId(subscriptionId)
            .resumePosition(isResumed ? 4096 : SetupEncoder.resumePositionNullValue())
            .publicationPosition(0).feedbackAddress(0x7F00_0000_1000L).logAddress(SetupEncoder.logAddressNullValue())
            .epoch(epoch).feedbackKey(0xDEAD_BEEFL).logKey(0).streamId(streamId).sessionId(sessionId())
            .windowLength(windowLength).writesInFlight(16);
        message.incarnation().high(idHigh).low(idLow);
        message.flags().clear().resume(isResumed).sharedLog(true);
        message.putQueuePairAddress(new byte[] {1, 2, 3}, 0, 3);
        message.putLogToken(new byte[] {4, 5, 6, 7}, 0, 4);
        message.channel("sluice:ipc");
        return take(message.encodedLength());
    }

    /** A link that makes sense: its queue pair, log and feedback cell exist. */
    public byte[] setup(
        final long linkId,
        final long subscriptionId,
        final int streamId,
        final QueuePair queuePair,
        final MemoryRegion log,
        final MemoryRegion feedbackCell,
        final boolean isShared) {
        final SetupEncoder message = setupOf(
            linkId, subscriptionId, streamId, queuePair, (int) log.length(), feedbackCell, 0, 1);
        message.flags().sharedLog(isShared).memoryCompletion(isShared);
        final byte[] token = isShared ? log.shareToken() : new byte[0];
        message.putLogToken(token, 0, token.length);
        message.channel("sluice:ipc");
        return take(message.encodedLength());
    }

    /** A link that makes sense, of any epoch and position, its log copied; all but the first epoch resume. */
    public byte[] setup(
        final long linkId,
        final long subscriptionId,
        final int streamId,
        final QueuePair queuePair,
        final int windowLength,
        final MemoryRegion feedbackCell,
        final long publicationPosition,
        final long epoch) {
        final SetupEncoder message = setupOf(
            linkId, subscriptionId, streamId, queuePair, windowLength, feedbackCell, publicationPosition, epoch);
        message.putLogToken(new byte[0], 0, 0);
        message.channel("sluice:ipc");
        return take(message.encodedLength());
    }

    private SetupEncoder setupOf(
        final long linkId,
        final long subscriptionId,
        final int streamId,
        final QueuePair queuePair,
        final int windowLength,
        final MemoryRegion feedbackCell,
        final long publicationPosition,
        final long epoch) {
        final SetupEncoder message = new SetupEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).subscriptionId(subscriptionId).resumePosition(SetupEncoder.resumePositionNullValue())
            .publicationPosition(publicationPosition).feedbackAddress(feedbackCell.address())
            .logAddress(SetupEncoder.logAddressNullValue()).epoch(epoch)
            .feedbackKey(feedbackCell.remoteKey() & 0xFFFF_FFFFL).logKey(0).streamId(streamId).sessionId(sessionId())
            .windowLength(windowLength).writesInFlight(16);
        message.incarnation().high(idHigh).low(idLow);
        message.flags().clear().resume(epoch > 1);
        final byte[] address = queuePair.localAddress();
        message.putQueuePairAddress(address, 0, address.length);
        return message;
    }

    /** Each peer's own: a second publication of a session that has not ended is refused. */
    private int sessionId() {
        return Long.hashCode(idLow) - Integer.MAX_VALUE;
    }

    /**
     * Answer a transport's challenge as a peer with the key that connected would.
     *
     * @param binding what the connection is made of.
     */
    public byte[] proof(
        final String key, final CapturedMessages challenge, final byte[] nonce, final byte[] binding) {
        final byte[] bytes = ByteBuffer.allocate(PROVED_LENGTH + binding.length).order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 'C').put(challenge.nonce()).put(nonce)
            .putLong(challenge.idHigh()).putLong(challenge.idLow()).putLong(idHigh).putLong(idLow)
            .putInt(ControlDescriptor.PROTOCOL_VERSION).put(binding).array();
        try {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), ALGORITHM));
            return mac.doFinal(bytes);
        } catch (final GeneralSecurityException ex) {
            throw new AssertionError(ex);
        }
    }

    /** The key of the frames in a link's log. */
    public long frameKey() {
        return idLow;
    }

    public byte[] accept(final long linkId, final long epoch, final int receiveDepth, final byte[] queuePairAddress) {
        final AcceptEncoder message = new AcceptEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).receivedPosition(AcceptEncoder.receivedPositionNullValue())
            .ringAddress(0x7F00_0000_2000L).epoch(epoch).ringKey(0xBAAD_F00DL).receiveDepth(receiveDepth);
        message.flags().clear();
        message.putQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        return take(message.encodedLength());
    }

    /** An Accept as if an earlier epoch were resumed. */
    public byte[] acceptResumed(final long linkId, final long epoch) {
        return acceptResumed(linkId, epoch, 4096, new byte[] {1, 2, 3});
    }

    /** An accept that resumes an earlier epoch from a position on, with a queue pair. */
    public byte[] acceptResumed(
        final long linkId, final long epoch, final long receivedPosition, final byte[] queuePairAddress) {
        final AcceptEncoder message = new AcceptEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).receivedPosition(receivedPosition).ringAddress(0x7F00_0000_2000L).epoch(epoch)
            .ringKey(0xBAAD_F00DL).receiveDepth(64);
        message.flags().clear().resumed(true);
        message.putQueuePairAddress(queuePairAddress, 0, queuePairAddress.length);
        return take(message.encodedLength());
    }

    public byte[] refuse(final long linkId) {
        return refuse(linkId, RefuseReason.PROTOCOL);
    }

    public byte[] refuse(final long linkId, final RefuseReason reason) {
        return refuse(linkId, reason, "\u0007no\n");
    }

    public byte[] refuse(final long linkId, final RefuseReason reason, final String text) {
        final RefuseEncoder message = new RefuseEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).epoch(1).reason(reason).text(text);
        return take(message.encodedLength());
    }

    public byte[] established(final long linkId, final long joinPosition) {
        return established(linkId, joinPosition, 1);
    }

    public byte[] established(final long linkId, final long joinPosition, final long epoch) {
        return take(new EstablishedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .linkId(linkId).joinPosition(joinPosition).epoch(epoch).encodedLength());
    }

    public byte[] heartbeat(final long linkId) {
        final HeartbeatEncoder message = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.sequence(99).timeNs(-1);
        message.linksCount(2)
            .next().linkId(linkId).position(1L << 40).epoch(1).role(Role.PUBLICATION)
            .next().linkId(-linkId).position(0).epoch(4).role(Role.SUBSCRIPTION);
        return take(message.encodedLength());
    }

    public byte[] endOfStream(final long linkId, final long endPosition) {
        return take(new EndOfStreamEncoder().wrapAndApplyHeader(buffer, 0, header)
            .linkId(linkId).endPosition(endPosition).epoch(1).encodedLength());
    }

    public byte[] endOfStreamReceived(final long linkId, final long position) {
        return take(new EndOfStreamReceivedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .linkId(linkId).receivedPosition(position).epoch(1).encodedLength());
    }

    public byte[] linkBroken(final long linkId, final Role role) {
        return linkBroken(linkId, role, 1, LinkBrokenReason.BAD_FRAME);
    }

    /** A LinkBroken of an epoch, for a reason. */
    public byte[] linkBroken(
        final long linkId, final Role role, final long epoch, final LinkBrokenReason reason) {
        final LinkBrokenEncoder message = new LinkBrokenEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).receivedPosition(LinkBrokenEncoder.receivedPositionNullValue())
            .publicationPosition(LinkBrokenEncoder.publicationPositionNullValue()).epoch(epoch).role(role)
            .reason(reason);
        message.flags().clear().quiesced(true);
        message.text("%s%n");
        return take(message.encodedLength());
    }

    public byte[] evict(final long linkId, final long epoch) {
        final EvictEncoder message = new EvictEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).consumerBytesBehind(65536).epoch(epoch).consumerName("nobody").text("");
        return take(message.encodedLength());
    }

    public byte[] closeLink(final long linkId, final Role role) {
        return take(new CloseLinkEncoder().wrapAndApplyHeader(buffer, 0, header)
            .linkId(linkId).epoch(1).role(role).reason(CloseReason.ADMINISTRATIVE).encodedLength());
    }

    public byte[] goodbye() {
        return goodbye(GoodbyeReason.NOT_ALLOWED);
    }

    public byte[] goodbye(final GoodbyeReason reason) {
        final GoodbyeEncoder message = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.reason(reason).text("go away");
        return take(message.encodedLength());
    }

    public byte[] backPressure(final long linkId) {
        final BackPressureEncoder message = new BackPressureEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.linkId(linkId).bytesBehind(1).durationNs(1).epoch(1).state(PressureState.PRESSURED)
            .cause(PressureCause.RING_FULL).consumerName("nobody");
        return take(message.encodedLength());
    }
}
