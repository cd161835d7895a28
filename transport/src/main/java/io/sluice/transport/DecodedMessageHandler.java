package io.sluice.transport;

/**
 * Handles the messages of one SBE template, on the thread that polls the subscription; see {@link MessageDispatcher}.
 *
 * @param <D> the template's decoder.
 */
@FunctionalInterface
public interface DecodedMessageHandler<D> {
    /**
     * Handles a message. Decoder and header are valid until this method returns and must not be kept. What the
     * message's version did not have yet, the decoder gives as null values.
     *
     * @param message the registered decoder, wrapped around the message.
     * @param header  of the message.
     */
    void onMessage(D message, Header header);
}
