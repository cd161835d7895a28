package io.sluice.codec;

import static io.sluice.codec.ControlDescriptor.MAX_CHANNEL_LENGTH;
import static io.sluice.codec.ControlDescriptor.MAX_ENDPOINT_LENGTH;
import static io.sluice.codec.ControlDescriptor.MAX_HEARTBEAT_LINKS;
import static io.sluice.codec.ControlDescriptor.MAX_LOG_TOKEN_LENGTH;
import static io.sluice.codec.ControlDescriptor.MAX_NAME_LENGTH;
import static io.sluice.codec.ControlDescriptor.MAX_QUEUE_PAIR_ADDRESS_LENGTH;
import static io.sluice.codec.ControlDescriptor.MAX_TEXT_LENGTH;

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
import io.sluice.codec.control.GroupSizeEncodingDecoder;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.IntroductionDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.MessageHeaderDecoder;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.codec.control.SubscribeDecoder;
import io.sluice.codec.control.UnsubscribeDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Walks a control message from its header to its end: every length against the bytes that are there and against its own
 * bound, before anything uses it. It looks at no values. Stateless; any thread may call it.
 */
final class ControlMessageStructure {
    /** The oldest schema version: every template has this one or a later one. */
    private static final int OLDEST_SCHEMA_VERSION = 1;

    /** Bytes of the length before each variable part, and of each of the two numbers before a group. */
    private static final int LENGTH_LENGTH = Short.BYTES;

    /** Block length of each template in this schema version, and the bounds of its variable parts in order. */
    private static final Template[] TEMPLATES = {
        null,
        new Template(HelloDecoder.BLOCK_LENGTH, MAX_NAME_LENGTH, MAX_ENDPOINT_LENGTH),
        new Template(ChallengeDecoder.BLOCK_LENGTH),
        new Template(AnswerDecoder.BLOCK_LENGTH),
        new Template(SubscribeDecoder.BLOCK_LENGTH, MAX_CHANNEL_LENGTH),
        new Template(UnsubscribeDecoder.BLOCK_LENGTH),
        new Template(SetupDecoder.BLOCK_LENGTH,
            MAX_QUEUE_PAIR_ADDRESS_LENGTH, MAX_LOG_TOKEN_LENGTH, MAX_CHANNEL_LENGTH),
        new Template(AcceptDecoder.BLOCK_LENGTH, MAX_QUEUE_PAIR_ADDRESS_LENGTH),
        new Template(RefuseDecoder.BLOCK_LENGTH, MAX_TEXT_LENGTH),
        new Template(EstablishedDecoder.BLOCK_LENGTH),
        new Template(HeartbeatDecoder.BLOCK_LENGTH),
        new Template(EndOfStreamDecoder.BLOCK_LENGTH),
        new Template(EndOfStreamReceivedDecoder.BLOCK_LENGTH),
        new Template(LinkBrokenDecoder.BLOCK_LENGTH, MAX_TEXT_LENGTH),
        new Template(EvictDecoder.BLOCK_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH),
        new Template(CloseLinkDecoder.BLOCK_LENGTH),
        new Template(GoodbyeDecoder.BLOCK_LENGTH, MAX_TEXT_LENGTH),
        new Template(BackPressureDecoder.BLOCK_LENGTH, MAX_NAME_LENGTH),
        new Template(IntroductionDecoder.BLOCK_LENGTH, MAX_NAME_LENGTH, MAX_ENDPOINT_LENGTH),
    };

    private ControlMessageStructure() {
    }

    /**
     * Checks a whole message.
     *
     * @param message exactly the message, at least as long as its header
     * @param header  wrapped around the beginning of the message
     * @return one of the results of {@link ControlMessageReader}
     */
    static int check(final DirectBuffer message, final MessageHeaderDecoder header) {
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID) {
            return ControlMessageReader.UNKNOWN_SCHEMA;
        }
        final int version = header.version();
        if (version < OLDEST_SCHEMA_VERSION) {
            return ControlMessageReader.UNKNOWN_VERSION;
        }
        final int templateId = header.templateId();
        if (templateId == 0 || templateId >= TEMPLATES.length) {
            return ControlMessageReader.UNKNOWN_TEMPLATE;
        }
        final Template template = TEMPLATES[templateId];
        final boolean isNewer = version > MessageHeaderDecoder.SCHEMA_VERSION;
        final int blockLength = header.blockLength();
        if (!isLegalBlock(blockLength, template.blockLength, isNewer)) {
            return ControlMessageReader.BAD_LENGTH;
        }
        final int groupOffset = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        final int end = templateId == HeartbeatDecoder.TEMPLATE_ID
            ? endOfLinks(message, groupOffset, isNewer)
            : endOfVariableParts(message, groupOffset, template.bounds);
        if (end < 0) {
            return end;
        }
        return end == message.capacity() || isNewer ? ControlMessageReader.OK : ControlMessageReader.TRAILING_BYTES;
    }

    private static boolean isLegalBlock(final int blockLength, final int knownLength, final boolean isNewer) {
        return blockLength == knownLength || isNewer && blockLength > knownLength;
    }

    /** The end of the heartbeat's group, or a negative result. */
    private static int endOfLinks(final DirectBuffer message, final int offset, final boolean isNewer) {
        if (offset + GroupSizeEncodingDecoder.ENCODED_LENGTH > message.capacity()) {
            return ControlMessageReader.TRUNCATED;
        }
        final int entryLength = unsignedShort(message, offset);
        final int count = unsignedShort(message, offset + LENGTH_LENGTH);
        if (count > MAX_HEARTBEAT_LINKS
            || !isLegalBlock(entryLength, HeartbeatDecoder.LinksDecoder.sbeBlockLength(), isNewer)) {
            return ControlMessageReader.BAD_LENGTH;
        }
        final int end = offset + GroupSizeEncodingDecoder.ENCODED_LENGTH + count * entryLength;
        return end <= message.capacity() ? end : ControlMessageReader.TRUNCATED;
    }

    /** The end of the last variable part, or a negative result. */
    private static int endOfVariableParts(final DirectBuffer message, final int offset, final int[] bounds) {
        int end = offset;
        for (final int bound : bounds) {
            if (end + LENGTH_LENGTH > message.capacity()) {
                return ControlMessageReader.TRUNCATED;
            }
            final int length = unsignedShort(message, end);
            if (length > bound) {
                return ControlMessageReader.BAD_LENGTH;
            }
            end += LENGTH_LENGTH + length;
        }
        return end <= message.capacity() ? end : ControlMessageReader.TRUNCATED;
    }

    private static int unsignedShort(final DirectBuffer message, final int offset) {
        return message.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static final class Template {
        private final int blockLength;
        private final int[] bounds;

        Template(final int blockLength, final int... bounds) {
            this.blockLength = blockLength;
            this.bounds = bounds;
        }
    }
}
