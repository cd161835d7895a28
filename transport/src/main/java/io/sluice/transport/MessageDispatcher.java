package io.sluice.transport;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Takes SBE messages apart: looks at the message header, 8 bytes little-endian, and hands each message to the handler
 * that is registered for its schema id and template id, in the template's decoder. It is a {@link MessageHandler}, to
 * be polled with:
 * <pre>{@code
 * MessageDispatcher dispatcher = new MessageDispatcher(unknown, errorHandler)
 *     .on(new TradeDecoder(), (trade, header) -> volume += trade.quantity())
 *     .on(new QuoteDecoder(), quotes::onQuote);
 * subscription.poll(dispatcher, 10);
 * }</pre>
 * Any version of a template goes to the one decoder that is registered for it: of a newer message it skips what it
 * does not know, of an older one it gives null for what was added since. What has no handler is not lost: the default
 * handler gets foreign payloads, unknown templates and messages whose block is shorter than their version's fields,
 * and each is counted.
 * <p>
 * One thread: register before the first poll, then use and read the counts on the thread that polls. It allocates
 * nothing once registered. The decoders are the dispatcher's from then on. They are generated with {@code
 * sbe.java.generate.interfaces=true}.
 */
public final class MessageDispatcher implements MessageHandler {
    /** Length of the SBE message header in bytes: block length, template id, schema id and version. */
    public static final int HEADER_LENGTH = 4 * Short.BYTES;

    /** The template id of a payload that is too short for a message header. */
    public static final int NO_TEMPLATE_ID = -1;

    private static final int TEMPLATE_ID_OFFSET = Short.BYTES;
    private static final int SCHEMA_ID_OFFSET = 2 * Short.BYTES;
    private static final int VERSION_OFFSET = 3 * Short.BYTES;

    private final Int2ObjectHashMap<Route<?>> routes = new Int2ObjectHashMap<>();
    private final IntHashSet schemaIds = new IntHashSet();
    private final MessageHandler defaultHandler;
    private final ErrorHandler errorHandler;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private long dispatchedCount;
    private long foreignCount;
    private long unknownTemplateCount;
    private long malformedCount;

    /**
     * A dispatcher that knows no template yet.
     *
     * @param defaultHandler told of every message that no registered handler gets.
     * @param errorHandler   told when a registered handler reads beyond its message.
     */
    public MessageDispatcher(final MessageHandler defaultHandler, final ErrorHandler errorHandler) {
        this.defaultHandler = defaultHandler;
        this.errorHandler = errorHandler;
    }

    /**
     * Register the handler of a template.
     *
     * @param decoder of the template, used for all its messages from now on.
     * @param handler told of each of them.
     * @param <D>     the decoder.
     * @return this, for the next registration.
     * @throws IllegalArgumentException when the template already has a handler, or the decoder's fields cannot be read.
     */
    public <D extends MessageDecoderFlyweight> MessageDispatcher on(
        final D decoder, final DecodedMessageHandler<? super D> handler) {
        final int schemaId = decoder.sbeSchemaId();
        final int templateId = decoder.sbeTemplateId();
        final Route<D> route = new Route<>(decoder, handler);
        if (routes.putIfAbsent(key(schemaId, templateId), route) != null) {
            throw new IllegalArgumentException(
                "the template already has a handler: schemaId=" + schemaId + " templateId=" + templateId);
        }
        schemaIds.add(schemaId);
        return this;
    }

    /**
     * The template id of a payload, if it is an SBE message. Stateless; any thread.
     *
     * @param buffer that holds the payload.
     * @param offset where it begins.
     * @param length of the payload in bytes.
     * @return the second number of its header, or {@link #NO_TEMPLATE_ID} when it has less than {@link #HEADER_LENGTH}
     *     bytes.
     */
    public static int templateId(final DirectBuffer buffer, final int offset, final int length) {
        return length < HEADER_LENGTH ? NO_TEMPLATE_ID : unsignedShort(buffer, offset + TEMPLATE_ID_OFFSET);
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int templateId = templateId(buffer, offset, length);
        if (templateId == NO_TEMPLATE_ID) {
            foreignCount++;
            defaultHandler.onMessage(buffer, offset, length, header);
            return;
        }
        final int schemaId = unsignedShort(buffer, offset + SCHEMA_ID_OFFSET);
        final Route<?> route = routes.get(key(schemaId, templateId));
        if (route == null) {
            if (schemaIds.contains(schemaId)) {
                unknownTemplateCount++;
            } else {
                foreignCount++;
            }
            defaultHandler.onMessage(buffer, offset, length, header);
            return;
        }
        final int blockLength = unsignedShort(buffer, offset);
        final int version = unsignedShort(buffer, offset + VERSION_OFFSET);
        if (blockLength > length - HEADER_LENGTH || blockLength < route.blockLengths.of(version)) {
            malformedCount++;
            defaultHandler.onMessage(buffer, offset, length, header);
            return;
        }
        // of exactly the message's length, so that a decoder cannot read beyond it
        message.wrap(buffer, offset, length);
        try {
            dispatchedCount++;
            route.handle(message, blockLength, version, header);
        } catch (final IndexOutOfBoundsException ex) {
            onReadBeyond(ex, schemaId, templateId, version, length);
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

    /**
     * Messages that were handed to a registered handler.
     *
     * @return the count.
     */
    public long dispatchedCount() {
        return dispatchedCount;
    }

    /**
     * Payloads that are shorter than a message header or of a schema without any registered template.
     *
     * @return the count.
     */
    public long foreignCount() {
        return foreignCount;
    }

    /**
     * Messages of a schema with registered templates whose own template has no handler.
     *
     * @return the count.
     */
    public long unknownTemplateCount() {
        return unknownTemplateCount;
    }

    /**
     * Messages with a block that is shorter than their version's fields or longer than the message, and messages that
     * their handler read beyond: with Agrona's bounds checks on, a group or a text that does not fit ends there, and
     * the error handler is told. With the checks switched off, handlers must check groups and texts themselves.
     *
     * @return the count.
     */
    public long malformedCount() {
        return malformedCount;
    }

    private static int key(final int schemaId, final int templateId) {
        return schemaId << Short.SIZE | templateId;
    }

    private static int unsignedShort(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static final class Route<D extends MessageDecoderFlyweight> {
        private final D decoder;
        private final DecodedMessageHandler<? super D> handler;
        private final BlockLengths blockLengths;

        Route(final D decoder, final DecodedMessageHandler<? super D> handler) {
            this.decoder = decoder;
            this.handler = handler;
            blockLengths = BlockLengths.ofDecoder(decoder);
        }

        void handle(final DirectBuffer buffer, final int blockLength, final int version, final Header header) {
            decoder.wrap(buffer, HEADER_LENGTH, blockLength, version);
            handler.onMessage(decoder, header);
        }
    }
}
