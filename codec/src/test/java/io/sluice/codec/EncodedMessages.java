package io.sluice.codec;

import io.sluice.codec.control.AcceptEncoder;
import io.sluice.codec.control.AnswerEncoder;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.BackPressureEncoder;
import io.sluice.codec.control.ChallengeEncoder;
import io.sluice.codec.control.CloseLinkEncoder;
import io.sluice.codec.control.CloseReason;
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
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The messages of {@link GoldenMessage}, encoded by the generated codecs. */
final class EncodedMessages {
    private static final long ID_HIGH = 0x0123456789ABCDEFL;
    private static final long ID_LOW = -ID_HIGH;
    private static final long POSITION = 0x123456789AA0L;
    private static final byte[] OCTETS = new byte[32];
    private static final MessageHeaderEncoder HEADER = new MessageHeaderEncoder();

    static {
        for (int i = 0; i < OCTETS.length; i++) {
            OCTETS[i] = (byte) (0x20 + i);
        }
    }

    private EncodedMessages() {
    }

    static byte[] encode(GoldenMessage golden) {
        byte[] bytes = new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH];
        // What an encoder leaves out shows.
        Arrays.fill(bytes, (byte) 0xCC);
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        int length = MessageHeaderEncoder.ENCODED_LENGTH + encode(golden, buffer);
        return Arrays.copyOf(bytes, length);
    }

    private static int encode(GoldenMessage golden, MutableDirectBuffer buffer) {
        return switch (golden) {
            case HELLO -> hello(buffer);
            case CHALLENGE -> challenge(buffer);
            case ANSWER -> answer(buffer);
            case SUBSCRIBE -> subscribe(buffer);
            case UNSUBSCRIBE -> unsubscribe(buffer);
            case SETUP -> setup(buffer);
            case ACCEPT -> accept(buffer);
            case REFUSE -> refuse(buffer);
            case ESTABLISHED -> established(buffer);
            case HEARTBEAT -> heartbeat(buffer);
            case END_OF_STREAM -> endOfStream(buffer);
            case END_OF_STREAM_RECEIVED -> endOfStreamReceived(buffer);
            case LINK_BROKEN -> linkBroken(buffer);
            case EVICT -> evict(buffer);
            case CLOSE_LINK -> closeLink(buffer);
            case GOODBYE -> goodbye(buffer);
            case BACK_PRESSURE -> backPressure(buffer);
            case INTRODUCTION -> introduction(buffer);
        };
    }

    private static int hello(MutableDirectBuffer buffer) {
        HelloEncoder message = new HelloEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.processId(4242)
            .livenessTimeoutNs(0x2540BE400L)
            .heartbeatIntervalNs(100000000)
            .protocolVersion(1)
            .oldestProtocolVersion(1)
            .authentication(Authentication.HMAC_SHA256);
        message.transportId().high(ID_HIGH).low(ID_LOW);
        message.clientName("pricer");
        message.endpoint("10.0.0.1:40123");
        return message.encodedLength();
    }

    private static int introduction(MutableDirectBuffer buffer) {
        IntroductionEncoder message = new IntroductionEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.processId(4242);
        message.clientName("pricer");
        message.endpoint("10.0.0.1:40123");
        return message.encodedLength();
    }

    private static int challenge(MutableDirectBuffer buffer) {
        ChallengeEncoder message = new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.putNonce(OCTETS, 0, OCTETS.length);
        message.transportId().high(ID_HIGH).low(ID_LOW);
        return message.encodedLength();
    }

    private static int answer(MutableDirectBuffer buffer) {
        AnswerEncoder message = new AnswerEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.putDigest(OCTETS, 0, OCTETS.length);
        return message.encodedLength();
    }

    private static int subscribe(MutableDirectBuffer buffer) {
        SubscribeEncoder message = new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.subscriptionId(7)
            .groupTag(SubscribeEncoder.groupTagNullValue())
            .streamId(1001);
        message.channel("sluice:ipc?endpoint=prices");
        return message.encodedLength();
    }

    private static int unsubscribe(MutableDirectBuffer buffer) {
        UnsubscribeEncoder message = new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.subscriptionId(7);
        return message.encodedLength();
    }

    private static int setup(MutableDirectBuffer buffer) {
        SetupEncoder message = new SetupEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(0x1122334455667788L)
            .subscriptionId(7)
            .resumePosition(POSITION)
            .publicationPosition(FrameDescriptor.MAX_POSITION)
            .feedbackAddress(0xFFFF800000001000L)
            .logAddress(0x7F0000000000L)
            .epoch(3)
            .feedbackKey(0xFFFFFFFFL)
            .logKey(4096)
            .streamId(1001)
            .sessionId(-5)
            .windowLength(1048576)
            .writesInFlight(16);
        message.incarnation().high(ID_HIGH).low(ID_LOW);
        message.flags().clear().resume(true).sharedLog(true);
        message.putQueuePairAddress(new byte[] {1, 2, 3}, 0, 3);
        message.putLogToken(new byte[] {(byte) 0xFE}, 0, 1);
        message.channel("sluice:ipc?endpoint=kurs\u20ac");
        return message.encodedLength();
    }

    private static int accept(MutableDirectBuffer buffer) {
        AcceptEncoder message = new AcceptEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(0x1122334455667788L)
            .receivedPosition(AcceptEncoder.receivedPositionNullValue())
            .ringAddress(0x7F0000002000L)
            .epoch(0xFFFFFFFEL)
            .ringKey(0x80000001L)
            .receiveDepth(64);
        message.flags().clear().resumed(true);
        message.putQueuePairAddress(new byte[] {9, 8}, 0, 2);
        return message.encodedLength();
    }

    private static int refuse(MutableDirectBuffer buffer) {
        RefuseEncoder message = new RefuseEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .epoch(1)
            .reason(RefuseReason.CLOSING);
        message.text("closing");
        return message.encodedLength();
    }

    private static int established(MutableDirectBuffer buffer) {
        EstablishedEncoder message = new EstablishedEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .joinPosition(POSITION)
            .epoch(1);
        return message.encodedLength();
    }

    private static int heartbeat(MutableDirectBuffer buffer) {
        HeartbeatEncoder message = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.sequence(99)
            .timeNs(-1);
        message.linksCount(2)
            .next().linkId(2).position(POSITION).epoch(1).role(Role.PUBLICATION)
            .next().linkId(3).position(0).epoch(4).role(Role.SUBSCRIPTION);
        return message.encodedLength();
    }

    private static int endOfStream(MutableDirectBuffer buffer) {
        EndOfStreamEncoder message = new EndOfStreamEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .endPosition(POSITION)
            .epoch(1);
        return message.encodedLength();
    }

    private static int endOfStreamReceived(MutableDirectBuffer buffer) {
        EndOfStreamReceivedEncoder message = new EndOfStreamReceivedEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .receivedPosition(POSITION)
            .epoch(1);
        return message.encodedLength();
    }

    private static int linkBroken(MutableDirectBuffer buffer) {
        LinkBrokenEncoder message = new LinkBrokenEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .receivedPosition(POSITION)
            .publicationPosition(LinkBrokenEncoder.publicationPositionNullValue())
            .epoch(1)
            .role(Role.SUBSCRIPTION)
            .reason(LinkBrokenReason.COMPLETION_QUEUE_OVERRUN);
        message.flags().clear().quiesced(true);
        message.text("overrun");
        return message.encodedLength();
    }

    private static int evict(MutableDirectBuffer buffer) {
        EvictEncoder message = new EvictEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .consumerBytesBehind(65536)
            .epoch(1);
        message.consumerName("journal");
        message.text("");
        return message.encodedLength();
    }

    private static int closeLink(MutableDirectBuffer buffer) {
        CloseLinkEncoder message = new CloseLinkEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .epoch(1)
            .role(Role.PUBLICATION)
            .reason(CloseReason.LEFT_BEHIND);
        return message.encodedLength();
    }

    private static int goodbye(MutableDirectBuffer buffer) {
        GoodbyeEncoder message = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.reason(GoodbyeReason.VERSION_MISMATCH);
        message.text("version 2");
        return message.encodedLength();
    }

    private static int backPressure(MutableDirectBuffer buffer) {
        BackPressureEncoder message = new BackPressureEncoder().wrapAndApplyHeader(buffer, 0, HEADER);
        message.linkId(2)
            .bytesBehind(4096)
            .durationNs(1500)
            .epoch(1)
            .state(PressureState.PRESSURED)
            .cause(PressureCause.RING_FULL);
        message.consumerName("journal");
        return message.encodedLength();
    }
}
