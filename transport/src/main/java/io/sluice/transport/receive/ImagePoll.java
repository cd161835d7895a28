package io.sluice.transport.receive;

/**
 * The polls of a subscription in INVOKER mode, whatever carries its messages: they hand what waits to the views of its
 * links. A class, not an interface: while one kind only is loaded, the JIT compiler binds its calls as it does those of
 * final methods. The thread that polls.
 */
public abstract class ImagePoll {
    /** Creates polls that have handed out nothing. */
    protected ImagePoll() {
    }

    /**
     * Hand waiting messages to their links' views. Only where views answer each message with
     * {@link io.sluice.transport.carrier.NextStep#CONTINUE}, which is not asked for.
     *
     * @param messageLimit messages to handle at most.
     * @return messages handled.
     */
    public abstract int poll(int messageLimit);

    /**
     * Hand waiting messages to their links' views, taking turns between the links, as the views answer.
     *
     * @param messageLimit messages to handle at most.
     * @return messages handled, an aborted one not counted.
     */
    public abstract int pollAll(int messageLimit);

    /**
     * Hand waiting messages of one link to a view, as that answers.
     *
     * @param link         whose messages are wanted.
     * @param view         of that link.
     * @param messageLimit messages to handle at most.
     * @return messages handled, an aborted one not counted; 0 when the view is closed.
     */
    public abstract int poll(InboundLink link, MessageView view, int messageLimit);
}
