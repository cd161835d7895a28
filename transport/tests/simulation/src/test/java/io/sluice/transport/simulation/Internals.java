package io.sluice.transport.simulation;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.buffer.SendQueueLedger;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.stream.GatingConsumer;
import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.PublicationState;
import io.sluice.transport.stream.SubscriptionState;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Access to what no accessor tells, for the invariants: looked at between two steps, changed by deliberate mistakes
 * only.
 */
final class Internals {
    private static final Inside PUBLICATION = Inside.of(Publication.class, "state");
    private static final Inside SUBSCRIPTION = Inside.of(Subscription.class, "state");
    private static final Inside IMAGE = Inside.of(Image.class, "state");
    private static final Inside VIEWED_IMAGE = Inside.of("ImageView", "image");
    private static final Inside PUBLICATION_LINKS = Inside.of(PublicationState.class, "links", "links");
    private static final Inside PUBLICATION_LINK_ID = Inside.of("stream.PublicationLink", "id", "linkId");
    private static final Inside SUBSCRIPTION_LINK_ID = Inside.of("stream.SubscriptionLink", "id", "linkId");
    private static final Inside PUBLICATION_LINK_STATE = Inside.of("stream.PublicationLink", "standing", "state");
    private static final Inside PUBLICATION_LINK_EPOCH = Inside.of("stream.PublicationLink", "epochs", "current");
    private static final Inside PUBLICATION_EPOCH_PAIR = Inside.of("stream.PublicationEpoch", "queuePair");
    private static final Inside PUBLICATION_LINK_PEER =
        Inside.of("stream.PublicationLink", "id", "origin", "peerId");
    private static final Inside PUBLICATION_LINK_SUBSCRIPTION =
        Inside.of("stream.PublicationLink", "id", "subscriptionId");
    private static final Inside SUBSCRIPTION_LINKS = Inside.of(SubscriptionState.class, "links", "links");
    private static final Inside SUBSCRIPTION_ID = Inside.of(SubscriptionState.class, "subscriptionId");
    private static final Inside SUBSCRIPTION_PEER = Inside.of(SubscriptionState.class, "services", "id");
    private static final Inside SUBSCRIPTION_LINK_STATE = Inside.of("stream.SubscriptionLink", "standing", "state");
    private static final Inside SUBSCRIPTION_LINK_EPOCH = Inside.of("stream.SubscriptionLink", "epochs", "current");
    private static final Inside SESSION_ID = Inside.of("stream.SubscriptionLink", "image", "state", "sessionId");
    private static final Inside RECEIVED = Inside.of(ImagePositions.class, "received");
    private static final Inside WALKED = Inside.of(ImagePositions.class, "walked");
    private static final Inside CONSUMED = Inside.of(ImagePositions.class, "consumed");
    private static final Inside REPORTED = Inside.of(ImagePositions.class, "reported");
    private static final Inside RECEIVES_POSTED = Inside.of(InboundLink.class, "credits", "posted");
    private static final Inside RECEIVES_DRAINED = Inside.of(InboundLink.class, "credits", "drained");
    private static final Inside FEEDBACK_LEDGER = Inside.of(InboundLink.class, "feedback", "ledger");
    private static final Inside GATING = Inside.of(EventRing.class, "gatingSequences");
    private static final Inside CONSUMERS = Inside.of(Transport.class, "consumers", "running");
    private static final Inside PREDECESSORS = Inside.of("Consumers$Running", "consumer", "predecessors");
    private static final Inside GATING_CONSUMERS = Inside.of(SubscriptionState.class, "consumers", "consumers");
    private static final Inside CONSUMER_SEQUENCE = Inside.of(GatingConsumer.class, "sequence");
    private static final Inside RECLAIMED = Inside.of(EventRing.class, "reclaimedSequence", "get()");
    private static final Inside WRITES_POSTED = Inside.of(OutboundLink.class, "writesPosted");
    private static final Inside RECEIVES_KNOWN = Inside.of(OutboundLink.class, "receivesPosted");
    private static final Inside DATA_LEDGER = Inside.of(OutboundLink.class, "ledger");
    private static final Inside SENDS_POSTED = Inside.of("verbs.software.SoftwareQueuePair", "sendQueue", "posted");
    private static final Inside SENDS_FREED =
        Inside.of("verbs.software.SoftwareQueuePair", "sendQueue", "completions", "freed");
    private static final Inside QUEUES = Inside.of(SoftwareDevice.class, "objects", "completionQueues");
    private static final Inside OUTSTANDING = Inside.of("verbs.software.SoftwareCompletionQueue", "outstanding()");
    private static final Inside ARRIVED = Inside.of("verbs.software.SoftwareCompletionQueue", "arrived()");
    private static final Inside IS_ALIVE = Inside.of("verbs.software.SoftwareCompletionQueue", "isAlive()");
    private static final Inside DIE = Inside.of("verbs.software.SoftwareCompletionQueue", "die()");
    private static final Inside ATTENTION = Inside.of("verbs.software.SoftwareCompletionQueue", "attention");
    /** The bit of the queue's own constant DEAD. */
    private static final long HAS_OVERRUN = 1 << 1;
    private static final Inside SEND_COMPLETIONS = Inside.of(PublicationState.class, "sendCompletions", "queue");
    private static final Inside RECEIVE_COMPLETIONS =
        Inside.of(SubscriptionState.class, "queues", "receives", "queue");
    private static final Inside FEEDBACK_COMPLETIONS =
        Inside.of(SubscriptionState.class, "queues", "feedbacks", "queue");
    private static final Inside COMMITTED =
        Inside.of("verbs.software.SoftwareCompletionQueue", "members", "committed()");

    private Internals() {
    }

    static PublicationState state(final Publication publication) {
        return (PublicationState) PUBLICATION.object(publication);
    }

    static SubscriptionState state(final Subscription subscription) {
        return (SubscriptionState) SUBSCRIPTION.object(subscription);
    }

    static InboundLink link(final Image image) {
        return ((ImageState) IMAGE.object(image)).link();
    }

    /** The image that the application sees of a link; null before there is one. */
    static Image image(final InboundLink link) {
        return link.view() == null ? null : (Image) VIEWED_IMAGE.object(link.view());
    }

    /** The links that a publication has or makes. */
    static List<Long> linkIds(final PublicationState state) {
        final List<Long> ids = new ArrayList<>();
        for (final Object link : (List<?>) PUBLICATION_LINKS.object(state)) {
            ids.add(PUBLICATION_LINK_ID.number(link));
        }
        return ids;
    }

    /** Whether these are the links that a publication has or makes. */
    static boolean hasLinks(final PublicationState state, final List<Long> ids) {
        final List<?> links = (List<?>) PUBLICATION_LINKS.object(state);
        boolean same = links.size() == ids.size();
        for (int i = 0; same && i < links.size(); i++) {
            same = PUBLICATION_LINK_ID.number(links.get(i)) == ids.get(i);
        }
        return same;
    }

    /** The ends of links that a publication has. */
    static List<?> links(final PublicationState state) {
        return (List<?>) PUBLICATION_LINKS.object(state);
    }

    /** The ends of links that a subscription has. */
    static List<?> links(final SubscriptionState state) {
        return (List<?>) SUBSCRIPTION_LINKS.object(state);
    }

    static Enum<?> publicationLinkState(final Object link) {
        return (Enum<?>) PUBLICATION_LINK_STATE.object(link);
    }

    static Enum<?> subscriptionLinkState(final Object link) {
        return (Enum<?>) SUBSCRIPTION_LINK_STATE.object(link);
    }

    /** The number of a publication's end's queue pair, or -1 while it has none. */
    static int queuePairOfPublication(final Object link) {
        final Object epoch = PUBLICATION_LINK_EPOCH.object(link);
        return epoch == null ? -1 : ((QueuePair) PUBLICATION_EPOCH_PAIR.object(epoch)).number();
    }

    /** The number of a subscription's end's queue pair, or -1 while it has none. */
    static int queuePairOfSubscription(final Object link) {
        final InboundEpoch epoch = epoch(link);
        return epoch == null ? -1 : epoch.queuePair().number();
    }

    /** The epoch that a subscription's end has for now, or has had last; null before the first. */
    static InboundEpoch epoch(final Object subscriptionLink) {
        return (InboundEpoch) SUBSCRIPTION_LINK_EPOCH.object(subscriptionLink);
    }

    /** Whether a publication's end is that of a link to a subscription. */
    static boolean isOfSubscription(final Object link, final SubscriptionState state) {
        return PUBLICATION_LINK_SUBSCRIPTION.number(link) == SUBSCRIPTION_ID.number(state)
            && PUBLICATION_LINK_PEER.object(link).equals(SUBSCRIPTION_PEER.object(state));
    }

    static int sessionIdOf(final Object subscriptionLink) {
        return (int) SESSION_ID.number(subscriptionLink);
    }

    /** The id that the publication has for a link. */
    static long linkId(final InboundLink link) {
        return SUBSCRIPTION_LINK_ID.number(link.owner());
    }

    static int sessionId(final InboundLink link) {
        return sessionIdOf(link.owner());
    }

    static long reported(final InboundLink link) {
        return REPORTED.number(link.positions());
    }

    /** Receives that the subscription has really posted in this epoch. */
    static long receivesPosted(final InboundLink link) {
        return RECEIVES_POSTED.number(link);
    }

    /** Writes whose completions the subscription has drained in this epoch. */
    static long writesDrained(final InboundLink link) {
        return RECEIVES_POSTED.number(link) - link.epoch().receives().depth() + RECEIVES_DRAINED.number(link);
    }

    static SendQueueLedger ledger(final InboundLink link) {
        return (SendQueueLedger) FEEDBACK_LEDGER.object(link);
    }

    /** Whether a consumer of a subscription's ring does not gate it any more. */
    static boolean hasLeft(final SubscriptionState state, final int consumer) {
        final Object gating = ((List<?>) GATING_CONSUMERS.object(state)).get(consumer);
        return ((Sequence) CONSUMER_SEQUENCE.object(gating)).get() == EventRing.LEFT;
    }

    /** The number of consumers of a subscription's ring that have been told to leave. */
    static int evicted(final SubscriptionState state) {
        int evicted = 0;
        for (final Object consumer : (List<?>) GATING_CONSUMERS.object(state)) {
            evicted += ((GatingConsumer) consumer).progress().isEvicted() ? 1 : 0;
        }
        return evicted;
    }

    /** The last event of a ring whose bytes were given back. */
    static long reclaimed(final EventRing ring) {
        return RECLAIMED.number(ring);
    }

    static long writesPosted(final OutboundLink link) {
        return WRITES_POSTED.number(link);
    }

    static void writesPosted(final OutboundLink link, final long writes) {
        WRITES_POSTED.set(link, writes);
    }

    /** Writes that its device has taken. */
    static long writesTaken(final OutboundLink link) {
        return SENDS_POSTED.number(link.parameters().queuePair());
    }

    /** Receives that the peer is known to have posted. */
    static long receivesKnown(final OutboundLink link) {
        return RECEIVES_KNOWN.number(link);
    }

    static SendQueueLedger ledger(final OutboundLink link) {
        return (SendQueueLedger) DATA_LEDGER.object(link);
    }

    /** Slots of its send queue that a device takes for taken. */
    static long slotsTaken(final QueuePair queuePair) {
        return SENDS_POSTED.number(queuePair) - SENDS_FREED.number(queuePair);
    }

    static CompletionQueue[] completionQueues(final SoftwareDevice device) {
        return (CompletionQueue[]) QUEUES.object(device);
    }

    /** Completions that wait in a queue, or may come any moment. */
    static long outstanding(final CompletionQueue queue) {
        return OUTSTANDING.number(queue);
    }

    /** Completions that the queue pairs of a queue can have at once. */
    static long committed(final CompletionQueue queue) {
        return COMMITTED.number(queue);
    }

    /** Completions that wait in a queue. */
    static long arrived(final CompletionQueue queue) {
        return ARRIVED.number(queue);
    }

    /** Whether a queue is neither closed nor has it overrun. */
    static boolean isAlive(final CompletionQueue queue) {
        return IS_ALIVE.number(queue) != 0;
    }

    /** Whether a queue has overrun, also when it was closed since. */
    static boolean hasOverrun(final CompletionQueue queue) {
        return (ATTENTION.number(queue) & HAS_OVERRUN) != 0;
    }

    /** A queue has overrun, so its device says. */
    static void overrun(final CompletionQueue queue) {
        DIE.number(queue);
    }

    /** Whether a publication's writes complete at a queue. */
    static boolean completesAt(final PublicationState state, final CompletionQueue queue) {
        return SEND_COMPLETIONS.object(state) == queue;
    }

    /** Whether a subscription's receives or feedback complete at a queue. */
    static boolean completesAt(final SubscriptionState state, final CompletionQueue queue) {
        return RECEIVE_COMPLETIONS.object(state) == queue || FEEDBACK_COMPLETIONS.object(state) == queue;
    }

    static void received(final ImagePositions positions, final long position) {
        RECEIVED.set(positions, position);
    }

    static void walked(final ImagePositions positions, final long position) {
        WALKED.set(positions, position);
    }

    static void consumed(final ImagePositions positions, final long position) {
        CONSUMED.set(positions, position);
    }

    static void reported(final ImagePositions positions, final long position) {
        REPORTED.set(positions, position);
    }

    static void receivesKnown(final OutboundLink link, final long receives) {
        RECEIVES_KNOWN.set(link, receives);
    }

    static Sequence[] gatingSequences(final EventRing ring) {
        return (Sequence[]) GATING.object(ring);
    }

    /** Let no handler of a transport's graphs wait for any other. */
    static void forgetPredecessors(final Transport transport) {
        for (final Object running : (List<?>) CONSUMERS.object(transport)) {
            Arrays.fill((Sequence[]) PREDECESSORS.object(running), new Sequence(Long.MAX_VALUE - 1));
        }
    }

    static AtomicBuffer feedback(final OutboundLink link) {
        return link.parameters().feedbackRegion().buffer();
    }
}
