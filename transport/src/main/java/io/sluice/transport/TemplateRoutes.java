package io.sluice.transport;

import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * The decoder and handler that each SBE message goes to, and what became of all of them: what the dispatchers share. A
 * handler may poll another subscription with its own dispatcher: what that hands out has decoders of its own, so that
 * the handler's message stays. One thread.
 */
final class TemplateRoutes {
    /** Length of the SBE message header in bytes: block length, template id, schema id and version. */
    static final int HEADER_LENGTH = 4 * Short.BYTES;

    private static final int TEMPLATE_ID_OFFSET = Short.BYTES;
    private static final int SCHEMA_ID_OFFSET = 2 * Short.BYTES;
    private static final int VERSION_OFFSET = 3 * Short.BYTES;

    private final Int2ObjectHashMap<Route<?>> routes = new Int2ObjectHashMap<>();
    private final IntHashSet schemaIds = new IntHashSet();
    private final ErrorHandler errorHandler;
    /** The buffers that decoders are wrapped around, one for each handler that is under way. */
    private final List<UnsafeBuffer> messages = new ArrayList<>(List.of(new UnsafeBuffer(0, 0)));
    private int depth;
    private long dispatchedCount;
    private long foreignCount;
    private long unknownTemplateCount;
    private long malformedCount;

    TemplateRoutes(final ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
    }

    <D extends MessageDecoderFlyweight> void add(final D decoder, final Handling<? super D> handling) {
        final int schemaId = decoder.sbeSchemaId();
        final int templateId = decoder.sbeTemplateId();
        final Route<D> route = new Route<>(decoder, handling);
        if (routes.putIfAbsent(key(schemaId, templateId), route) != null) {
            throw new IllegalArgumentException(
                "the template already has a handler: schemaId=" + schemaId + " templateId=" + templateId);
        }
        schemaIds.add(schemaId);
    }

    /** The decoders that were added, without those that were made for handlers inside of handlers. */
    List<MessageDecoderFlyweight> decoders() {
        final List<MessageDecoderFlyweight> added = new ArrayList<>();
        routes.values().forEach(route -> added.add(route.decoders.getFirst()));
        return added;
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

    /**
     * Hands an event's message to its handler; null when it is for the default handler. The poller has read the message
     * header already.
     */
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
        final Route<?> route = routes.get(key(schemaId, templateId));
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
        route.prepare(depth);
        if (depth == messages.size()) {
            messages.add(new UnsafeBuffer(0, 0));
        }
        // of exactly the message's length, so that a decoder cannot read beyond it
        final UnsafeBuffer message = messages.get(depth);
        message.wrap(buffer, offset, length);
        depth++;
        try {
            dispatchedCount++;
            return route.handle(depth - 1, message, blockLength, version, header);
        } catch (final ArrayIndexOutOfBoundsException | StringIndexOutOfBoundsException ex) {
            // buffers do not throw these: it is a mistake of the handler's own
            throw ex;
        } catch (final IndexOutOfBoundsException ex) {
            onReadBeyond(ex, schemaId, templateId, version, length);
            return Action.CONTINUE;
        } finally {
            depth--;
        }
    }

    /**
     * Counts and reports a read beyond the message: of a group or variable part that claims to be longer than it, or by
     * a mistake of the handler's own.
     */
    private void onReadBeyond(
        final IndexOutOfBoundsException cause, final int schemaId, final int templateId, final int version,
        final int length) {
        malformedCount++;
        errorHandler.onError(new TransportException(ErrorKind.MESSAGE_MISREAD,
            "a handler read beyond its message: schemaId=" + schemaId + " templateId=" + templateId
                + " version=" + version + " length=" + length, cause));
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

    /** Handles a template's messages, by a decoder that is wrapped around the message. */
    @FunctionalInterface
    interface Handling<D> {
        /** Handle the message; never null. */
        Action handle(D decoder, Header header);
    }

    /** A template's handler with its decoders, the first of which was registered. */
    private static final class Route<D extends MessageDecoderFlyweight> {
        private final List<D> decoders = new ArrayList<>();
        private final Handling<? super D> handling;
        private final BlockLengths blockLengths;

        Route(final D decoder, final Handling<? super D> handling) {
            decoders.add(decoder);
            this.handling = handling;
            blockLengths = BlockLengths.ofDecoder(decoder);
        }

        /** Makes a decoder for so many handlers under way, before anything is counted or changed. */
        void prepare(final int depth) {
            while (decoders.size() <= depth) {
                decoders.add(another(decoders.getFirst()));
            }
        }

        Action handle(
            final int depth, final UnsafeBuffer message, final int blockLength, final int version,
            final Header header) {
            final D decoder = decoders.get(depth);
            decoder.wrap(message, HEADER_LENGTH, blockLength, version);
            return handling.handle(decoder, header);
        }

        @SuppressWarnings("unchecked")
        private static <D> D another(final D decoder) {
            try {
                return (D) decoder.getClass().getConstructor().newInstance();
            } catch (final ReflectiveOperationException ex) {
                throw new ReentrantCallException("a handler of a message dispatcher polls with the same dispatcher,"
                    + " and there is no second decoder for what comes: give the decoder's class a public constructor"
                    + " without arguments, or poll with another dispatcher: decoder=" + decoder.getClass().getName(),
                    ex);
            }
        }
    }
}
