package io.sluice.transport;

/**
 * Handles the messages of one SBE template and tells the poll how to go on, on the thread that polls the subscription;
 * see {@link ControlledMessageDispatcher}.
 *
 * @param <D> the template's decoder.
 */
@FunctionalInterface
public interface ControlledDecodedMessageHandler<D> {
    /**
     * A message. Decoder and header are valid until this method returns and must not be kept. What the message's
     * version did not have yet, the decoder gives as null values.
     *
     * @param message the registered decoder, wrapped around the message.
     * @param header  of the message.
     * @return how to go on; null is {@link ControlledFragmentHandler.Action#CONTINUE}.
     */
    ControlledFragmentHandler.Action onMessage(D message, Header header);
}
