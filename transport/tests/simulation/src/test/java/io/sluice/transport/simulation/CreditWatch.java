package io.sluice.transport.simulation;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.buffer.SendQueueLedger;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;

/**
 * Receives, send-queue slots and completions: what each side believes to have, against what the other side and the
 * device really have.
 */
final class CreditWatch {
    private CreditWatch() {
    }

    /** A link's sending end, alone. */
    static void check(final OutboundLink link, final long committed) {
        if (link.postedPosition() > committed) {
            throw new AssertionError("posted before committed: posted=" + link.postedPosition() + " committed="
                + committed);
        }
        if (link.breakReason() == null) {
            check("of data", Internals.ledger(link), link.parameters().queuePair());
        }
    }

    /** Check both ends of a link in the same epoch. */
    static void check(final OutboundLink sender, final InboundLink receiver) {
        if (sender.breakReason() != null || !receiver.isLive()) {
            return;
        }
        final OutboundLinkParameters parameters = sender.parameters();
        final long posted = Internals.writesTaken(sender);
        final long receives = Internals.receivesPosted(receiver);
        if (posted > receives || Internals.receivesKnown(sender) > receives) {
            throw new AssertionError("writes without receives: writes=" + posted + " receives=" + receives
                + " receives known=" + Internals.receivesKnown(sender));
        }
        final long inFlight = posted - Internals.writesDrained(receiver);
        if (inFlight > Math.min(parameters.limits().maxWritesInFlight(), parameters.ring().receiveDepth())) {
            throw new AssertionError("too many writes in flight=" + inFlight + " maxWritesInFlight="
                + parameters.limits().maxWritesInFlight() + " receiveDepth=" + parameters.ring().receiveDepth());
        }
        checkCell(sender, receiver);
        check("of feedback", Internals.ledger(receiver), receiver.epoch().queuePair());
    }

    /** Check that what the publication is told is true. */
    private static void checkCell(final OutboundLink sender, final InboundLink receiver) {
        final long reported = Internals.feedback(sender).getLongAcquire(FeedbackDescriptor.CONSUMED_POSITION_OFFSET);
        final long receives = Internals.feedback(sender).getLongAcquire(FeedbackDescriptor.RECEIVES_POSTED_OFFSET);
        if (reported > receiver.positions().consumed() || receives > Internals.receivesPosted(receiver)) {
            throw new AssertionError("reported what is not so: consumed=" + reported + ", really "
                + receiver.positions().consumed() + "; receives=" + receives + ", really "
                + Internals.receivesPosted(receiver));
        }
        final long posted =
            sender.parameters().ring().memoryCompletion() ? receiver.positions().received() : sender.postedPosition();
        // before the link joins, the subscription takes the publication's position of that time for received
        if (posted != OutboundLink.UNSET && receiver.positions().received() > posted) {
            throw new AssertionError(
                "received before posted: received=" + receiver.positions().received() + " posted=" + posted);
        }
    }

    private static void check(final String what, final SendQueueLedger ledger, final QueuePair queuePair) {
        final int slots = queuePair.attributes().maxSendWork();
        if (ledger.outstanding() > slots || ledger.outstanding() < 0) {
            throw new AssertionError(
                "send queue " + what + " overfull: outstanding=" + ledger.outstanding() + " slots=" + slots);
        }
        if (queuePair.state() == QueuePairState.READY_TO_SEND
            && ledger.outstanding() < Internals.slotsTaken(queuePair)) {
            throw new AssertionError("send queue " + what + ": slots counted free that are not: outstanding="
                + ledger.outstanding() + " really=" + Internals.slotsTaken(queuePair));
        }
    }

    static void check(final SimulatedProcess process, final CompletionQueue queue) {
        final long outstanding = Internals.outstanding(queue);
        final long committed = Internals.committed(queue);
        if (outstanding > queue.capacity() || committed > queue.capacity()) {
            throw new AssertionError("completion queue of process " + process.id() + " beyond its budget: outstanding="
                + outstanding + " possible=" + committed + " capacity=" + queue.capacity());
        }
    }
}
