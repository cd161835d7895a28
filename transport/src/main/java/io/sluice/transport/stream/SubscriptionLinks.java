package io.sluice.transport.stream;

import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The links of one subscription: which there are, the numbers that they are given, and the bytes of their rings. Made
 * with the subscription on the application's thread; afterwards the conductor's, but for {@link #count()}.
 */
public final class SubscriptionLinks implements SubscriptionLink.Owner {
    /** The most links of one subscription: a bound on what peers can make us allocate; twice what one host may have. */
    static final int MAX_LINKS = 4096;

    private final SubscriptionContext context;
    private final LinkSetups setups;
    private final List<SubscriptionLink> links = new ArrayList<>();
    /** The listener of all links' images; set before the conductor knows the subscription. */
    private SubscriptionImages images;
    private int nextIndex;
    /** The number of the next epoch of any link, so that completions of one that is over are known for stale (005). */
    private int nextGeneration = 1;
    private volatile int count;

    /**
     * Creates a subscription's links, of which there are none yet.
     *
     * @param context of each link.
     * @param setups  of all of them; whoever releases the subscription's queues waits for these.
     */
    SubscriptionLinks(final SubscriptionContext context, final LinkSetups setups) {
        this.context = context;
        this.setups = setups;
    }

    /** Sets the listener that is told of images, before the first link is begun. */
    void images(final SubscriptionImages newImages) {
        images = newImages;
    }

    /** Makes a link and begins its first epoch. Values of the request were checked before. */
    void begin(final ConnectedPeer peer, final SetupRequest request) {
        final SubscriptionLinkId id = new SubscriptionLinkId(
            peer.origin(), request.linkId(), request.publication().incarnation(), request.log().position(),
            request.log().windowLength(), allocateIndex(), request.log().isShared(), isShared(request));
        final SubscriptionLink link = new SubscriptionLink(context, this, id, images, peer, request);
        links.add(link);
        count = links.size();
        context.owner().onLinkAdded(link.id().origin());
        link.begin(request);
    }

    @Override
    public void onGone(final SubscriptionLink link) {
        if (links.remove(link)) {
            count = links.size();
            context.owner().onLinkGone(link.id().origin());
        }
    }

    /** {@return all links, a list that changes; not to be changed by the caller} */
    public List<SubscriptionLink> all() {
        return links;
    }

    /** {@return the number of links} Any thread. */
    public int count() {
        return count;
    }

    /** {@return the link that a peer's request is about; null when there is none, so that one may be made} */
    SubscriptionLink find(final PeerOrigin origin, final long linkId) {
        SubscriptionLink known = null;
        for (final SubscriptionLink link : links) {
            if (link.id().linkId() == linkId && link.id().origin().equals(origin)) {
                known = link;
            }
        }
        return known;
    }

    /** {@return whether a link that is asked for would read the publication's log itself, and so need no ring} */
    boolean isShared(final SetupRequest request) {
        return context.epochs().isShared(request);
    }

    /** {@return rings that a consumer may be reading which does not come back} They outlive the links. */
    AbandonedRings abandonedRings() {
        return context.rings();
    }

    /** {@return the set-ups of all links, which whoever releases the subscription's queues waits for} */
    LinkSetups setups() {
        return setups;
    }

    @Override
    public void onSetupBegun() {
        setups.onBegun(
            (int) links.stream().filter(link -> link.isResuming() && link.state().lacksQueuePair()).count());
    }

    @Override
    public void onSetupEnded() {
        setups.onEnded();
    }

    /** {@return the bytes of the rings that links of this subscription receive into} */
    long currentRingBytes() {
        return ringBytes(peer -> true) - replacedRingBytes();
    }

    /** {@return the bytes of the rings of earlier epochs, and of those that replace others now} */
    long replacedRingBytes() {
        return links.stream().filter(link -> !link.id().logShared())
            .mapToLong(link -> link.epochs().replaced().bytes()).sum();
    }

    /** {@return the bytes of rings of both kinds that some peers have made this subscription allocate} */
    long ringBytes(final Predicate<PeerOrigin> peers) {
        return links.stream().filter(link -> !link.id().logShared() && peers.test(link.id().origin()))
            .mapToLong(link -> link.id().windowLength() + link.epochs().replaced().bytes()).sum();
    }

    /**
     * {@return a slot in the receiver's table that no other link of this subscription uses} There is one, as links are
     * bounded; the one used last comes up again last, so that late completions meet no other link.
     */
    private int allocateIndex() {
        boolean used = true;
        while (used) {
            nextIndex = nextIndex + 1 < MAX_LINKS ? nextIndex + 1 : 0;
            used = false;
            for (final SubscriptionLink link : links) {
                used |= link.id().index() == nextIndex;
            }
        }
        return nextIndex;
    }

    @Override
    public int allocateGeneration() {
        return nextGeneration++;
    }
}
