package io.sluice.transport.stream;

import io.sluice.transport.agent.Tasks;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.flight.LinkName;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.ReceiverCommands;

/**
 * The image of a subscription's link, on its way past the image handlers:
 * <pre>
 *   unknown ──join──→ available ──end──→ unavailable
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>unknown</td><td>the publisher says where the link begins</td><td>conductor</td></tr>
 *   <tr><td>available</td><td>the consumers have passed the end, or the subscription is closed</td>
 *     <td>polling, callback</td></tr>
 * </table>
 * Once available it stays known to the application: the link resumes, and ends by way of the consumers. Conductor only;
 * handlers are called on the callback thread. The link owns it, and the application keeps its {@link ImageState}.
 */
final class ShownImage {
    private final ImageState state;
    private final InboundLink inbound;
    private final ReceiverCommands commands;
    private final SubscriptionImages handlers;
    private final Tasks tasks;
    private final FlightEvents flight;
    private final LinkName name;
    private boolean available;
    private boolean hasEnded;

    /**
     * Creates an image that the application does not know yet.
     *
     * @param context  of the link.
     * @param name     of the link, in recordings.
     * @param state    that the application is to see.
     * @param handlers told of it.
     */
    ShownImage(
        final SubscriptionContext context, final LinkName name, final ImageState state,
        final SubscriptionImages handlers) {
        this.name = name;
        this.state = state;
        this.handlers = handlers;
        inbound = state.link();
        commands = context.commands();
        tasks = context.services().tasks();
        flight = context.services().flight();
    }

    /**
     * Shows the image to the application: its messages are handed out when the image handler has returned.
     *
     * @param position at which its first message begins.
     * @param refused  run on the polling thread when that position cannot be.
     */
    void join(final long position, final Runnable refused) {
        available = true;
        state.joinPosition(position);
        commands.join(inbound, position, refused);
        flight.imageAvailable(name, position);
        tasks.callBack(() -> handlers.onAvailable(state));
    }

    /** {@return whether the application knows it, or did} */
    boolean isAvailable() {
        return available;
    }

    /** Tells the polling thread where the stream ends; the application sees it when it was found good there. */
    void announceEnd(final long endPosition) {
        commands.end(inbound, endPosition, () -> tasks.execute(() -> state.endOfStreamPosition(endPosition)));
    }

    /** {@return the end of the stream, or {@link InboundLink#NO_END} while it was not found good} */
    long endPosition() {
        return state.endOfStreamPosition();
    }

    /** Ends the stream where it was received. */
    void endAtReceived() {
        commands.endAtReceived(inbound);
    }

    /**
     * Calls the handler of its end.
     *
     * @param then run behind it on the callback thread, also when the handler throws.
     */
    void end(final Runnable then) {
        if (!hasEnded) {
            hasEnded = true;
            flight.imageUnavailable(name, inbound.positions().consumed());
        }
        tasks.callBack(() -> {
            try {
                handlers.onUnavailable(state);
            } finally {
                then.run();
            }
        });
    }

    /** {@return the part that the application sees} */
    ImageState state() {
        return state;
    }
}
