package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.TransportCounter;
import java.util.List;

/**
 * The delivery of what a publication has offered, to all its links, when it is closed:
 * <pre>
 *   open ──begin──→ delivering ──deliverEnd, or expire──→ end ──→ over
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>open</td><td>the publication is closed</td><td>any</td></tr>
 *   <tr><td>delivering</td><td>each link that was ever connected has everything or is gone, which is a loss if it is
 *     owed something; or the linger is over</td><td>conductor</td></tr>
 * </table>
 * Conductor only; the publication's links own it.
 */
final class PublicationDelivery {
    private final Services services;
    private final List<PublicationLink> links;
    private final SendLog log;
    /**
     * Whether the publication is closed and delivers what is left: a link that goes now while it is owed something is a
     * loss.
     */
    private boolean isDelivering;
    /** Whether the delivery is over, by success or by the linger: nobody is owed anything from then on. */
    private boolean isOver;
    /**
     * Whether a link went, or was given up, before it had received everything. Never taken back: the close has not
     * drained then.
     */
    private boolean hasLost;

    /**
     * Creates a delivery that has not begun.
     *
     * @param services of the transport.
     * @param links    all of them, a list that changes.
     * @param log      whose tail is what everybody is to have.
     */
    PublicationDelivery(final Services services, final List<PublicationLink> links, final SendLog log) {
        this.services = services;
        this.links = links;
        this.log = log;
    }

    /**
     * Whether something was offered that a link has not consumed as far as is known, and should have. A link that has
     * not joined is owed nothing: its stream begins when it does. What is known may be a report too old, so that a loss
     * is told rather once too often.
     */
    boolean isOwed(final PublicationLink link) {
        final OutboundLink outbound = link.outbound();
        return !isOver && !link.delivery().isReceived() && outbound != null
            && outbound.joinPosition() != OutboundLink.UNSET && outbound.consumedPosition() < log.tail();
    }

    /** Starts the delivery to all of what was offered, when nothing more is. */
    void begin() {
        isDelivering = true;
    }

    /**
     * {@return true when nobody is waited for any more} Announces the end of the stream where everything is posted. All
     * links are asked in each duty cycle, also behind one that is not ready: the slowest must not keep the others from
     * hearing of the end.
     */
    boolean deliverEnd() {
        boolean all = true;
        for (final PublicationLink link : links) {
            all &= link.deliverEnd(log.tail());
        }
        return all;
    }

    /**
     * {@return whether every link has received everything, those included that have gone meanwhile} Known when {@link
     * #deliverEnd} is true, and not before.
     */
    boolean hasDelivered() {
        return !hasLost;
    }

    /**
     * Counts the links that have not received everything when the linger is over, each once: that they are closed next
     * is not counted again.
     */
    void expire() {
        for (final PublicationLink link : links) {
            if (!link.delivery().isReceived()) {
                onLost();
            }
        }
    }

    /** Ends the delivery: links that go from now on have received everything, or were counted. */
    void end() {
        isDelivering = false;
        isOver = true;
    }

    /** Counts a link that is gone for good before it has received everything. */
    void onGone(final PublicationLink link) {
        if (isDelivering && isOwed(link)) {
            onLost();
        }
    }

    private void onLost() {
        hasLost = true;
        services.counters().increment(TransportCounter.LINGER_EXPIRED);
    }
}
