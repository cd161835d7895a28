package io.sluice.transport;

import io.sluice.transport.ControlledMessageHandler.Action;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Which decoder and handler an SBE message goes to, and what became of all of them: what the dispatchers share. One
 * thread.
 */
final class TemplateRoutes {
    /** Length of the SBE message header in bytes: block length, template id, schema id and version. */
    static final int HEADER_LENGTH = 4 * Short.BYTES;

    private static final int TEMPLATE_ID_OFFSET = Short.BYTES;
    private static final int SCHEMA_ID_OFFSET = 2 * Short.BYTES;
    private static final int VERSION_OFFSET = 3 * Short.BYTES;

    private final Int2ObjectHashMap<Route> routes = new Int2ObjectHashMap<>();
    private final IntHashSet schemaIds = new IntHashSet();
    private final ErrorHandler errorHandler;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private long dispatchedCount;
    private long foreignCount;
    private long unknownTemplateCount;
    private long malformedCount;

    TemplateRoutes(final ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
    }

    void add(final MessageDecoderFlyweight decoder, final Handling handling) {
        final int schemaId = decoder.sbeSchemaId();
        final int templateId = decoder.sbeTemplateId();
        final Route route = new Route(decoder, handling, BlockLengths.ofDecoder(decoder));
        if (routes.putIfAbsent(key(schemaId, templateId), route) != null) {
            throw new IllegalArgumentException(
                "the template already has a handler: schemaId=" + schemaId + " templateId=" + templateId);
        }
        schemaIds.add(schemaId);
    }

    /** Hand a payload to its handler; null when it is for the default handler. */
    Action dispatch(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        if (length < HEADER_LENGTH) {
            foreignCount++;
            return null;
        }
        return dispatch(unsignedShort(buffer, offset), templateId(buffer, offset),
            unsignedShort(buffer, offset + SCHEMA_ID_OFFSET), unsignedShort(buffer, offset + VERSION_OFFSET),
            buffer, offset, length, header);
    }

    /** The same for an event: the poller has read the message header already. */
    Action dispatch(final MessageEvent event) {
        if (event.templateId() == MessageEvent.NO_MESSAGE_HEADER) {
            foreignCount++;
            return null;
        }
        return dispatch(event.blockLength(), event.templateId(), event.schemaId(), event.version(),
            event.buffer(), event.offset(), event.length(), event.header());
    }

    private Action dispatch(
        final int blockLength, final int templateId, final int schemaId, final int version,
        final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final Route route = routes.get(key(schemaId, templateId));
        if (route == null) {
            if (schemaIds.contains(schemaId)) {
                unknownTemplateCount++;
            } else {
                foreignCount++;
            }
            return null;
        }
        if (blockLength > length - HEADER_LENGTH || blockLength < route.blockLengths.of(version)) {
            malformedCount++;
            return null;
        }
        // of exactly the message's length, so that a decoder cannot read beyond it
        message.wrap(buffer, offset, length);
        try {
            dispatchedCount++;
            route.decoder.wrap(message, HEADER_LENGTH, blockLength, version);
            return route.handling.handle(header);
        } catch (final ArrayIndexOutOfBoundsException | StringIndexOutOfBoundsException ex) {
            // buffers do not throw these: it is a mistake of the handler's own
            throw ex;
        } catch (final IndexOutOfBoundsException ex) {
            onReadBeyond(ex, schemaId, templateId, version, length);
            return Action.CONTINUE;
        }
    }

    /** A group or variable part that claims to be longer than the message, or a mistake of the handler's own. */
    private void onReadBeyond(
        final IndexOutOfBoundsException cause, final int schemaId, final int templateId, final int version,
        final int length) {
        malformedCount++;
        errorHandler.onError(new TransportException("a handler read beyond its message: schemaId=" + schemaId
            + " templateId=" + templateId + " version=" + version + " length=" + length, cause));
    }

    long dispatchedCount() {
        return dispatchedCount;
    }

    long foreignCount() {
        return foreignCount;
    }

    long unknownTemplateCount() {
        return unknownTemplateCount;
    }

    long malformedCount() {
        return malformedCount;
    }

    /** The template id of a payload that has a message header. */
    static int templateId(final DirectBuffer buffer, final int offset) {
        return unsignedShort(buffer, offset + TEMPLATE_ID_OFFSET);
    }

    private static int key(final int schemaId, final int templateId) {
        return schemaId << Short.SIZE | templateId;
    }

    private static int unsignedShort(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** What a template's handler does with its decoder, which is wrapped around the message. */
    @FunctionalInterface
    interface Handling {
        /** Handle the message; never null. */
        Action handle(Header header);
    }

    private record Route(MessageDecoderFlyweight decoder, Handling handling, BlockLengths blockLengths) {
    }
}
