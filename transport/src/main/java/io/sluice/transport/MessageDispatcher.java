package io.sluice.transport;

import io.sluice.transport.ControlledFragmentHandler.Action;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Takes SBE messages apart: looks at the message header, 8 bytes little-endian, and hands each message to the handler
 * that is registered for its schema id and template id, in the template's decoder. It is a {@link FragmentHandler}, to
 * be polled with, and a {@link MessageEventHandler}, to be a consumer of a subscription's ring:
 * <pre>{@code
 * MessageDispatcher dispatcher = new MessageDispatcher(unknown, errorHandler)
 *     .on(new TradeDecoder(), (trade, header) -> volume += trade.quantity())
 *     .on(new QuoteDecoder(), quotes::onQuote);
 * subscription.poll(dispatcher, 10);           // or, on a thread of its own:
 * graph.handleEventsWith(dispatcher);
 * }</pre>
 * A handler that needs the event itself, the end of a batch for example, calls {@link #onEvent} from its own. For
 * {@code controlledPoll} there is {@link ControlledMessageDispatcher}.
 * <p>
 * Any version of a template goes to the one decoder that is registered for it: of a newer message it skips what it
 * does not know, of an older one it gives null for what was added since. What has no handler is not lost: the default
 * handler gets foreign payloads, unknown templates and messages whose block is shorter than their version's fields,
 * and each is counted.
 * <p>
 * One thread: register before the first message, then use and read the counts on the thread that polls, or the
 * consumer's. It allocates nothing once registered. The decoders are the dispatcher's from then on: a graph is refused
 * when two dispatchers in it have one in common, elsewhere it is up to the application. They are generated with {@code
 * sbe.java.generate.interfaces=true}.
 * <p>
 * A handler may poll another subscription with its own dispatcher: what comes is handed to the handlers in further
 * decoders of the same classes, made by their public constructors without arguments when that is first needed, and the
 * handler's own message stays. Where there is no such constructor a {@link ReentrantCallException} says so.
 */
public final class MessageDispatcher implements FragmentHandler, MessageEventHandler {
    /** Length of the SBE message header in bytes: block length, template id, schema id and version. */
    public static final int HEADER_LENGTH = TemplateRoutes.HEADER_LENGTH;

    /** The template id of a payload that is too short for a message header. */
    public static final int NO_TEMPLATE_ID = MessageEvent.NO_MESSAGE_HEADER;

    private final TemplateRoutes routes;
    private final FragmentHandler defaultHandler;
    private final String name;

    /**
     * A dispatcher that knows no template yet.
     *
     * @param defaultHandler told of every message that no registered handler gets.
     * @param errorHandler   told when a registered handler reads beyond its message; nobody else is.
     */
    public MessageDispatcher(final FragmentHandler defaultHandler, final ErrorHandler errorHandler) {
        this("", defaultHandler, errorHandler);
    }

    /**
     * A dispatcher that knows no template yet, and has a name as a consumer.
     *
     * @param name           short, for names of threads, counters and errors; the empty text to be numbered.
     * @param defaultHandler told of every message that no registered handler gets.
     * @param errorHandler   told when a registered handler reads beyond its message.
     */
    public MessageDispatcher(
        final String name, final FragmentHandler defaultHandler, final ErrorHandler errorHandler) {
        this.name = Objects.requireNonNull(name, "name");
        this.defaultHandler = Objects.requireNonNull(defaultHandler, "defaultHandler");
        routes = new TemplateRoutes(Objects.requireNonNull(errorHandler, "errorHandler"));
    }

    /**
     * Register the handler of a template.
     *
     * @param decoder of the template, used for all its messages from now on but for those that a handler polls.
     * @param handler told of each of them.
     * @param <D>     the decoder.
     * @return this, for the next registration.
     * @throws IllegalArgumentException when the template already has a handler, or the decoder's fields cannot be read.
     */
    public <D extends MessageDecoderFlyweight> MessageDispatcher on(
        final D decoder, final DecodedMessageHandler<? super D> handler) {
        Objects.requireNonNull(handler, "handler");
        routes.add(Objects.requireNonNull(decoder, "decoder"), (wrapped, header) -> {
            handler.onMessage(wrapped, header);
            return Action.CONTINUE;
        });
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
        return length < HEADER_LENGTH ? NO_TEMPLATE_ID : TemplateRoutes.templateId(buffer, offset);
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        if (routes.dispatch(buffer, offset, length, header) == null) {
            defaultHandler.onFragment(buffer, offset, length, header);
        }
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
        if (routes.dispatch(event) == null) {
            defaultHandler.onFragment(event.buffer(), event.offset(), event.length(), event.header());
        }
    }

    /**
     * Messages that were handed to a registered handler.
     *
     * @return the count.
     */
    public long dispatchedCount() {
        return routes.dispatchedCount();
    }

    /**
     * Payloads that are shorter than a message header or of a schema without any registered template.
     *
     * @return the count.
     */
    public long foreignCount() {
        return routes.foreignCount();
    }

    /**
     * Messages of a schema with registered templates whose own template has no handler.
     *
     * @return the count.
     */
    public long unknownTemplateCount() {
        return routes.unknownTemplateCount();
    }

    /**
     * Messages with a block that is shorter than their version's fields or longer than the message, and messages that
     * their handler read beyond: with Agrona's bounds checks on, a group or a text that does not fit ends there, and
     * the error handler is told. With the checks switched off, handlers must check groups and texts themselves.
     *
     * @return the count.
     */
    public long malformedCount() {
        return routes.malformedCount();
    }

    /** The decoders that were registered, in no order. */
    List<MessageDecoderFlyweight> decoders() {
        return routes.decoders();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "MessageDispatcher{name=" + name + "}";
    }
}
