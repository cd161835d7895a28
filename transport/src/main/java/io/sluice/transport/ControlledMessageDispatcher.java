package io.sluice.transport;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * A {@link MessageDispatcher} whose handlers tell the poll how to go on, to be polled with {@link
 * Subscription#controlledPoll}:
 * <pre>{@code
 * ControlledMessageDispatcher dispatcher = new ControlledMessageDispatcher(unknown, errorHandler)
 *     .on(new TradeDecoder(), (trade, header) -> store.hasRoom() ? store.add(trade) : Action.ABORT);
 * subscription.controlledPoll(dispatcher, 10);
 * }</pre>
 * A message that was aborted is dispatched, and counted, again when it comes again. All else is as there, threads
 * included.
 */
public final class ControlledMessageDispatcher implements ControlledFragmentHandler {
    private final TemplateRoutes routes;
    private final ControlledFragmentHandler defaultHandler;

    /**
     * A dispatcher that knows no template yet.
     *
     * @param defaultHandler told of every message that no registered handler gets; it directs the poll, too.
     * @param errorHandler   told when a registered handler reads beyond its message, which then counts as consumed.
     */
    public ControlledMessageDispatcher(
        final ControlledFragmentHandler defaultHandler, final ErrorHandler errorHandler) {
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
    public <D extends MessageDecoderFlyweight> ControlledMessageDispatcher on(
        final D decoder, final ControlledDecodedMessageHandler<? super D> handler) {
        Objects.requireNonNull(handler, "handler");
        routes.add(Objects.requireNonNull(decoder, "decoder"), (wrapped, header) -> {
            final Action action = handler.onMessage(wrapped, header);
            return action == null ? Action.CONTINUE : action;
        });
        return this;
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final Action action = routes.dispatch(buffer, offset, length, header);
        return action == null ? defaultHandler.onFragment(buffer, offset, length, header) : action;
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
     * Messages that are shorter than they say; see {@link MessageDispatcher#malformedCount()}.
     *
     * @return the count.
     */
    public long malformedCount() {
        return routes.malformedCount();
    }

    @Override
    public String toString() {
        return "ControlledMessageDispatcher{dispatchedCount=" + dispatchedCount() + "}";
    }
}
