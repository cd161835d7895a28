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
import io.sluice.codec.control.MessageHeaderDecoder;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads one control message from bytes that a peer sent, and hands it to a {@link ControlMessageHandler} if it is
 * well-formed. Whatever the bytes are, it reads nothing outside them, allocates nothing and does not throw; what the
 * handler throws passes through.
 * <p>
 * The bytes are copied before they are looked at, because a peer may still write where they came from: the handler sees
 * the bytes that were checked. Checked are the whole structure (header, block, group and every variable part, each
 * against its bound in {@link ControlDescriptor}) and those values that no state of the transport could make right:
 * enum values, flags, epochs, counts, and positions that are not multiples of 32 within 0 to 2^62.
 * <p>
 * A message of a newer schema version is taken: longer blocks and entries, further variable parts at the end, unknown
 * flags, and unknown values of an enum that only informs (reasons, causes), which then read as {@code SBE_UNKNOWN}.
 * <p>
 * Not thread-safe: one reader per thread. It owns its copy of the message, which the next call overwrites.
 */
public final class ControlMessageReader {
    /** The message was well-formed and the handler has seen it. */
    public static final int OK = 0;

    /** The bytes end before the message does. */
    public static final int TRUNCATED = -1;

    /** A schema other than Sluice's: this is no control message of Sluice. */
    public static final int UNKNOWN_SCHEMA = -2;

    /** A schema version that was never given out. */
    public static final int UNKNOWN_VERSION = -3;

    /** A template that this version does not know: to be counted and ignored. */
    public static final int UNKNOWN_TEMPLATE = -4;

    /** The message, its block, a group's count or a variable part is longer than its bound, or a block too short. */
    public static final int BAD_LENGTH = -5;

    /** A value that is never right: of an enum, a flag, an epoch, a count or a position. */
    public static final int BAD_VALUE = -6;

    /** A message of this schema version is followed by further bytes. */
    public static final int TRAILING_BYTES = -7;

    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH]);
    private final UnsafeBuffer message = new UnsafeBuffer(copy, 0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final HelloDecoder hello = new HelloDecoder();
    private final ChallengeDecoder challenge = new ChallengeDecoder();
    private final AnswerDecoder answer = new AnswerDecoder();
    private final SubscribeDecoder subscribe = new SubscribeDecoder();
    private final UnsubscribeDecoder unsubscribe = new UnsubscribeDecoder();
    private final SetupDecoder setup = new SetupDecoder();
    private final AcceptDecoder accept = new AcceptDecoder();
    private final RefuseDecoder refuse = new RefuseDecoder();
    private final EstablishedDecoder established = new EstablishedDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();
    private final EndOfStreamDecoder endOfStream = new EndOfStreamDecoder();
    private final EndOfStreamReceivedDecoder endOfStreamReceived = new EndOfStreamReceivedDecoder();
    private final LinkBrokenDecoder linkBroken = new LinkBrokenDecoder();
    private final EvictDecoder evict = new EvictDecoder();
    private final CloseLinkDecoder closeLink = new CloseLinkDecoder();
    private final GoodbyeDecoder goodbye = new GoodbyeDecoder();
    private final BackPressureDecoder backPressure = new BackPressureDecoder();
    private final IntroductionDecoder introduction = new IntroductionDecoder();
    private final ControlMessageHandler handler;

    /**
     * A reader for one thread.
     *
     * @param handler takes the messages
     */
    public ControlMessageReader(final ControlMessageHandler handler) {
        this.handler = handler;
    }

    /**
     * Checks one message and, if it is well-formed, hands it to the handler.
     *
     * @param buffer holds the message; may change meanwhile
     * @param offset of the message header in the buffer
     * @param length bytes of the message, as received
     * @return {@link #OK}, or the negative reason for which the handler was not called; {@link #TRUNCATED} also if the
     *         range does not lie within the buffer
     */
    public int read(final DirectBuffer buffer, final int offset, final int length) {
        if (offset < 0 || length < MessageHeaderDecoder.ENCODED_LENGTH || offset > buffer.capacity() - length) {
            return TRUNCATED;
        }
        if (length > ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH) {
            return BAD_LENGTH;
        }
        copy.putBytes(0, buffer, offset, length);
        message.wrap(copy, 0, length);
        header.wrap(message, 0);
        final int result = ControlMessageStructure.check(message, header);
        return result == OK ? dispatch(header.templateId(), header.blockLength(), header.version()) : result;
    }

    /**
     * The name of a result of {@link #read(DirectBuffer, int, int)}.
     *
     * @param result any number
     * @return the name of the constant, or "UNKNOWN"
     */
    public static String resultString(final int result) {
        return switch (result) {
            case OK -> "OK";
            case TRUNCATED -> "TRUNCATED";
            case UNKNOWN_SCHEMA -> "UNKNOWN_SCHEMA";
            case UNKNOWN_VERSION -> "UNKNOWN_VERSION";
            case UNKNOWN_TEMPLATE -> "UNKNOWN_TEMPLATE";
            case BAD_LENGTH -> "BAD_LENGTH";
            case BAD_VALUE -> "BAD_VALUE";
            case TRAILING_BYTES -> "TRAILING_BYTES";
            default -> "UNKNOWN";
        };
    }

    private int dispatch(final int templateId, final int blockLength, final int version) {
        return switch (templateId) {
            case HelloDecoder.TEMPLATE_ID -> onHello(blockLength, version);
            case ChallengeDecoder.TEMPLATE_ID -> onChallenge(blockLength, version);
            case AnswerDecoder.TEMPLATE_ID -> onAnswer(blockLength, version);
            case SubscribeDecoder.TEMPLATE_ID -> onSubscribe(blockLength, version);
            case UnsubscribeDecoder.TEMPLATE_ID -> onUnsubscribe(blockLength, version);
            case SetupDecoder.TEMPLATE_ID -> onSetup(blockLength, version);
            case AcceptDecoder.TEMPLATE_ID -> onAccept(blockLength, version);
            case RefuseDecoder.TEMPLATE_ID -> onRefuse(blockLength, version);
            case EstablishedDecoder.TEMPLATE_ID -> onEstablished(blockLength, version);
            case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(blockLength, version);
            case EndOfStreamDecoder.TEMPLATE_ID -> onEndOfStream(blockLength, version);
            case EndOfStreamReceivedDecoder.TEMPLATE_ID -> onEndOfStreamReceived(blockLength, version);
            case LinkBrokenDecoder.TEMPLATE_ID -> onLinkBroken(blockLength, version);
            case EvictDecoder.TEMPLATE_ID -> onEvict(blockLength, version);
            case CloseLinkDecoder.TEMPLATE_ID -> onCloseLink(blockLength, version);
            case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(blockLength, version);
            case BackPressureDecoder.TEMPLATE_ID -> onBackPressure(blockLength, version);
            case IntroductionDecoder.TEMPLATE_ID -> onIntroduction(blockLength, version);
            default -> UNKNOWN_TEMPLATE;
        };
    }

    private int onHello(final int blockLength, final int version) {
        hello.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(hello)) {
            return BAD_VALUE;
        }
        handler.onHello(hello);
        return OK;
    }

    private int onChallenge(final int blockLength, final int version) {
        challenge.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        handler.onChallenge(challenge);
        return OK;
    }

    private int onAnswer(final int blockLength, final int version) {
        answer.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        handler.onAnswer(answer);
        return OK;
    }

    private int onSubscribe(final int blockLength, final int version) {
        subscribe.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        handler.onSubscribe(subscribe);
        return OK;
    }

    private int onUnsubscribe(final int blockLength, final int version) {
        unsubscribe.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        handler.onUnsubscribe(unsubscribe);
        return OK;
    }

    private int onSetup(final int blockLength, final int version) {
        setup.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(setup)) {
            return BAD_VALUE;
        }
        handler.onSetup(setup);
        return OK;
    }

    private int onAccept(final int blockLength, final int version) {
        accept.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(accept)) {
            return BAD_VALUE;
        }
        handler.onAccept(accept);
        return OK;
    }

    private int onRefuse(final int blockLength, final int version) {
        refuse.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(refuse)) {
            return BAD_VALUE;
        }
        handler.onRefuse(refuse);
        return OK;
    }

    private int onEstablished(final int blockLength, final int version) {
        established.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(established)) {
            return BAD_VALUE;
        }
        handler.onEstablished(established);
        return OK;
    }

    private int onHeartbeat(final int blockLength, final int version) {
        heartbeat.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(heartbeat)) {
            return BAD_VALUE;
        }
        heartbeat.sbeRewind();
        handler.onHeartbeat(heartbeat);
        return OK;
    }

    private int onEndOfStream(final int blockLength, final int version) {
        endOfStream.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(endOfStream)) {
            return BAD_VALUE;
        }
        handler.onEndOfStream(endOfStream);
        return OK;
    }

    private int onEndOfStreamReceived(final int blockLength, final int version) {
        endOfStreamReceived.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(endOfStreamReceived)) {
            return BAD_VALUE;
        }
        handler.onEndOfStreamReceived(endOfStreamReceived);
        return OK;
    }

    private int onLinkBroken(final int blockLength, final int version) {
        linkBroken.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(linkBroken)) {
            return BAD_VALUE;
        }
        handler.onLinkBroken(linkBroken);
        return OK;
    }

    private int onEvict(final int blockLength, final int version) {
        evict.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(evict)) {
            return BAD_VALUE;
        }
        handler.onEvict(evict);
        return OK;
    }

    private int onCloseLink(final int blockLength, final int version) {
        closeLink.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(closeLink)) {
            return BAD_VALUE;
        }
        handler.onCloseLink(closeLink);
        return OK;
    }

    private int onGoodbye(final int blockLength, final int version) {
        goodbye.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(goodbye)) {
            return BAD_VALUE;
        }
        handler.onGoodbye(goodbye);
        return OK;
    }

    private int onBackPressure(final int blockLength, final int version) {
        backPressure.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        if (!ControlMessageValues.areLegal(backPressure)) {
            return BAD_VALUE;
        }
        handler.onBackPressure(backPressure);
        return OK;
    }

    private int onIntroduction(final int blockLength, final int version) {
        introduction.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, blockLength, version);
        handler.onIntroduction(introduction);
        return OK;
    }
}
