package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.flight.LinkName;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.InboundLinkOwner;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SourceAddress;

/**
 * The subscription's end of a link, over all its epochs, as the conductor sees it:
 * <pre>
 *   PREPARING → ACCEPTED → ACTIVE → BROKEN → PREPARING → … of the next epoch: RESUMED
 *   PREPARING, ACCEPTED, when they fail: → BROKEN; of a link that was never ACTIVE → ENDING
 *   any → ENDING: its end consumed, closed by the publisher, its peer gone, a fatal break, not resumed in time
 *   ENDING → GONE; any → GONE when the subscription is closed
 * </pre>
 * <table>
 *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
 *   <tr><td>PREPARING</td><td>ring and queue pair are made and connected</td><td>ACCEPTED, BROKEN, ENDING, GONE</td>
 *     <td>set-up</td></tr>
 *   <tr><td>ACCEPTED</td><td>the publisher says where the link begins, or says nothing in time</td><td>ACTIVE, BROKEN,
 *     ENDING, GONE</td><td>conductor</td></tr>
 *   <tr><td>ACTIVE</td><td>the queue pair, a frame or the peer breaks it, or the control session is lost</td>
 *     <td>BROKEN, ENDING, GONE</td><td>polling, conductor</td></tr>
 *   <tr><td>BROKEN</td><td>see {@link SubscriptionResumption}</td><td>PREPARING, ENDING, GONE</td><td>set-up, polling,
 *     conductor</td></tr>
 *   <tr><td>ENDING</td><td>see {@link SubscriptionLinkEnd}</td><td>GONE</td><td>polling, callback</td></tr>
 * </table>
 * Conductor only. The subscription owns it; what it holds goes when it is GONE.
 */
public final class SubscriptionLink implements InboundLinkOwner {
    /** The owner of a subscription's links, as each of them sees it. Conductor only. */
    interface Owner {
        /** {@return a number that no other epoch of the subscription has} */
        int allocateGeneration();

        /** Notes that the set-up thread works for a link: what it makes needs the completion queues. */
        void onSetupBegun();

        /** Notes that the conductor has heard of a set-up, whether it has made anything or not. */
        void onSetupEnded();

        /** Removes a link that is gone for good; nothing when it was removed before. */
        void onGone(SubscriptionLink link);
    }

    private final SubscriptionContext context;
    private final Owner owner;
    private final Services services;
    private final SubscriptionLinkId id;
    private final SubscriptionLinkStanding standing = new SubscriptionLinkStanding();
    private final InboundLink inbound;
    /** The image that the application sees from the first ACTIVE on. */
    private final ShownImage image;
    /** Errors told of this link, and of those that follow it with the same publication, once each. */
    private final SubscriptionLinkErrors errors;
    /**
     * Messages to the publisher. Without a connected peer they are dropped; evictions wait, and the pressure is told
     * anew when the link goes on.
     */
    private final SubscriptionLinkNotices notices;
    private final SubscriptionEpochs epochs;
    private final SubscriptionResumption resumption;
    private final SubscriptionLinkEnd end;
    /** The time of the conductor's clock until which the publisher has to establish the epoch; of ACCEPTED only. */
    private long deadlineNs;

    /**
     * Creates a link for which nothing is made yet. Values of the request that allocate memory were checked against
     * quotas before.
     *
     * @param context of the subscription.
     * @param owner   told when it is gone.
     * @param id      of the link.
     * @param images  told of its image.
     * @param peer    that has asked for it.
     * @param request of that peer.
     */
    SubscriptionLink(
        final SubscriptionContext context,
        final Owner owner,
        final SubscriptionLinkId id,
        final SubscriptionImages images,
        final ConnectedPeer peer,
        final SetupRequest request) {
        this.context = context;
        this.owner = owner;
        this.id = id;
        services = context.services();
        inbound = new InboundLink(request.log().windowLength(), request.log().position(),
            services.parameters().sendQueue().signalInterval(), request.publication().incarnation().low(),
            services.stamps());
        inbound.owner(this);
        final LinkName name = new LinkName(PressuredStream.Side.SUBSCRIPTION, context.options().channel(),
            context.options().streamId(), request.publication().sessionId(), peer.fullName(), id.linkId());
        image = new ShownImage(context, name,
            new ImageState(inbound, request.publication().sessionId(), peer.peerName()), images);
        errors = new SubscriptionLinkErrors(services, name, this::toString,
            SubscriptionLinkErrors.subject(context.options(), id.peerId(), request.publication().sessionId()));
        notices = new SubscriptionLinkNotices(context.owner().encoder(), peer, id.linkId(), standing);
        epochs = new SubscriptionEpochs(context, inbound, id.logShared());
        end = new SubscriptionLinkEnd(standing, image, notices, epochs, errors, () -> {
            if (image.isAvailable()) {
                services.counters().increment(TransportCounter.LINKS_GONE);
            }
            owner.onGone(this);
        });
        resumption = new SubscriptionResumption(services, standing, epochs, notices, end, this::begin);
    }

    /**
     * Prepares an epoch; for a resumed one, the one before must be quiescent, else its device could write into the new
     * one (005). The set-up thread makes everything and connects it before the publisher is told: when that can send,
     * this end receives. If something cannot be made, the publisher is refused for want of resources, and may ask
     * again: the link is BROKEN as it was before, or, when it was never available, over.
     *
     * @param request of the publisher, whose epoch is greater than the last one.
     */
    void begin(final SetupRequest request) {
        resumption.forgetRequest();
        standing.prepare(request.epoch());
        final SourceAddress source =
            notices.peer() == null ? SourceAddress.ANY : notices.peer().sourceAddress();
        final SubscriptionEpochs.Order order =
            epochs.order(request, id.index(), owner.allocateGeneration(), source);
        owner.onSetupBegun();
        services.tasks().setUp(() -> {
            final InboundEpoch made = standing.isPreparing(request.epoch()) ? epochs.make(order) : null;
            services.tasks().execute(() -> onPrepared(order, made));
        }, error -> onNotMade(order, error));
    }

    private void onNotMade(final SubscriptionEpochs.Order order, final Throwable error) {
        epochs.drop(order, null);
        owner.onSetupEnded();
        if (standing.isPreparing(order.request().epoch())) {
            errors.notMade(error);
            context.owner().refuse(notices.peer(), order.request(), RefuseReason.RESOURCES, error.getMessage());
            if (image.isAvailable()) {
                // it stays quiescent: the publisher may try again until the liveness timeout
                standing.moveTo(SubscriptionLinkState.BROKEN);
            } else {
                end.giveUp(CloseReason.CLOSED);
            }
        }
    }

    /**
     * Hands the epoch to the polling thread, and accepts. In this order: the publisher's first write may come as soon
     * as it is accepted, and has to be found by the next poll.
     *
     * @param prepared null when the epoch was given up before the set-up thread came to it.
     */
    private void onPrepared(final SubscriptionEpochs.Order order, final InboundEpoch prepared) {
        owner.onSetupEnded();
        final boolean isWanted = standing.isPreparing(order.request().epoch());
        if (!isWanted || prepared == null || notices.peer() == null) {
            epochs.drop(order, prepared);
            if (isWanted) {
                end.giveUp(CloseReason.CLOSED);
            }
            return;
        }
        epochs.start(prepared);
        standing.moveTo(SubscriptionLinkState.ACCEPTED);
        deadlineNs = services.nowNs() + services.parameters().durations().handshakeTimeoutNs();
        notices.accepted(image.isAvailable() ? resumption.receivedPosition() : OutboundLink.UNSET,
            epochs.current(), id.logShared());
    }

    /**
     * Notes that the peer has connected. The image is shown to the application the first time, and its messages are
     * handed out when the image handler has returned on the callback thread. A resumed link may only report from now
     * on: before the publisher's end receives, a report would break it.
     *
     * @param position that the peer begins at; on a resumed link it is known, and not looked at. One that does not fit
     *                 what was told or received before breaks the link, here or on the polling thread.
     */
    public void onEstablished(final long position) {
        if (!standing.is(SubscriptionLinkState.ACCEPTED)) {
            return;
        }
        final boolean isResumed = image.isAvailable();
        if (!isResumed && !id.canJoinAt(position)) {
            onFailed(BreakReason.BAD_POSITION);
            return;
        }
        standing.moveTo(SubscriptionLinkState.ACTIVE);
        errors.onEstablished(isResumed, standing.epoch());
        if (isResumed) {
            notices.onResumed();
            context.commands().establish(inbound);
        } else {
            image.join(position, () -> services.tasks().execute(() -> onFailed(BreakReason.BAD_POSITION)));
        }
    }

    /**
     * Releases rings that the consumers have passed, and looks at timeouts and the queue pair, each duty cycle. A
     * silent publisher is noticed in ACCEPTED after the handshake timeout, in ACTIVE by its control session only, and
     * in BROKEN after the liveness timeout.
     *
     * @param nowNs time of the conductor's clock.
     * @return 1 when the state has moved on.
     */
    int doWork(final long nowNs) {
        final SubscriptionLinkState before = standing.state();
        epochs.replaced().releasePassed(inbound.positions().consumed());
        if (before == SubscriptionLinkState.ACCEPTED && nowNs - deadlineNs > 0) {
            onFailed(BreakReason.PEER_SILENT);
        } else if (before == SubscriptionLinkState.ACTIVE
            && epochs.current().queuePair().state() == QueuePairState.ERROR) {
            onFailed(BreakReason.QUEUE_PAIR_ERROR);
        } else if (before == SubscriptionLinkState.BROKEN) {
            resumption.look(nowNs);
        }
        return standing.is(before) ? 0 : 1;
    }

    @Override
    public void onFailed(final BreakReason reason) {
        // an overrun that waits to be told is the better reason, and breaks the other links of the queue, too
        if (reason.mayComeOfOverrun()) {
            context.medium().takeEvents();
        }
        // the polling thread may find bad bytes of an epoch that has ended meanwhile: then the link must not be resumed
        final boolean isBroken = standing.is(SubscriptionLinkState.BROKEN);
        if (standing.isOver() || isBroken && !id.isFatalLater(reason)) {
            return;
        }
        if (reason == BreakReason.BAD_FRAME && id.logShared() && !epochs.current().queuePair().isPeerReceiving()) {
            // not a bad frame: the publication has closed its end and reused the log
            end.giveUp(CloseReason.LEFT_BEHIND);
            return;
        }
        final boolean isOver = reason.isFatal() || !image.isAvailable();
        if (isOver && !isBroken) {
            errors.onBroken(reason, standing.epoch(), standing.is(SubscriptionLinkState.ACTIVE));
        }
        if (reason.isFatal()) {
            errors.givenUp(reason, inbound.end().badFrame(), image.isAvailable());
        }
        notices.broken(reason);
        if (isOver) {
            end.giveUp(CloseReason.CLOSED);
        } else {
            resumption.onBroken(reason);
        }
    }

    /**
     * Notes that the completion queue has overrun, which the link may have been broken by already, for all that was
     * known. A set-up that is under way goes on: with the other queue, or it fails, and the publication waits for
     * either answer.
     */
    void onOverrun() {
        final boolean isPreparing = standing.is(SubscriptionLinkState.PREPARING);
        if (standing.is(SubscriptionLinkState.BROKEN) || isPreparing && image.isAvailable()) {
            notices.broken(BreakReason.COMPLETION_QUEUE_OVERRUN);
        }
        if (!isPreparing) {
            onFailed(BreakReason.COMPLETION_QUEUE_OVERRUN);
        }
    }

    /**
     * Notes that the peer has found the current epoch broken. The break is not told in return: the notice that this end
     * is quiescent says it all.
     *
     * @param reason that it gave; after a fatal one, or when the link was never available, it ends.
     */
    public void onBrokenByPeer(final BreakReason reason) {
        final boolean isLive = standing.state().isLive();
        if (isLive && (reason.isFatal() || !image.isAvailable())) {
            end.giveUp(CloseReason.CLOSED);
        } else if (isLive) {
            resumption.onBroken(reason);
        }
    }

    /**
     * Whether the publisher may go on with this link. Not when it was never available, as then there is no image to go
     * on with, nor when its image is ending: a Refuse tells the publisher to make a fresh link.
     *
     * @param request whose incarnation, window and way of reading must be those of before, and whose epoch a later one.
     */
    boolean isResumable(final SetupRequest request) {
        return image.isAvailable() && !standing.isOver() && request.epoch() > standing.epoch()
            && id.isResumedBy(request);
    }

    /**
     * Takes the publisher's request to resume, now or when the broken epoch is quiescent. The publisher may know of a
     * break that this end has not noticed: its request is word enough.
     *
     * @param newPeer whose control session the request came over; it takes the place of a lost one.
     * @param request for which {@link #isResumable} was true.
     */
    void resume(final ConnectedPeer newPeer, final SetupRequest request) {
        notices.peer(newPeer);
        if (standing.state().isLive()) {
            resumption.onBroken(BreakReason.ADMINISTRATIVE);
        }
        resumption.resume(request);
    }

    /**
     * Notes that the publication is closed, maybe again after a resumption.
     *
     * @param endPosition of all that it has published, in bytes; another one than before breaks the link.
     */
    public void onEndOfStream(final long endPosition) {
        if (standing.is(SubscriptionLinkState.ACTIVE) && !end.announce(endPosition)) {
            onFailed(BreakReason.BAD_POSITION);
        }
    }

    /**
     * Learns how far the publication is, by its heartbeat. The polling thread is told only where no completion tells of
     * frames, and only when it is news: a peer may say it as often as it likes.
     *
     * @param position of the publication, in bytes; one that cannot be breaks the link.
     */
    public void onPublicationPosition(final long position) {
        if (standing.is(SubscriptionLinkState.ACTIVE) && image.state().isNews(position)
            && epochs.current().memoryCompletion()) {
            context.commands().expect(inbound, position);
        }
    }

    @Override
    public void onEndReceived() {
        end.onReceived();
    }

    @Override
    public void onEndConsumed() {
        end.onConsumed();
    }

    /**
     * Notes that the control session is over. A link that was never available ends, and so does one whose publisher is
     * gone for good. Any other one is broken and may be resumed over another control session of the same origin; a
     * set-up that is under way is given up, and leaves the link as quiescent as it found it.
     *
     * @param peerGone whether the publisher's process has certainly ended.
     */
    void onPeerLost(final boolean peerGone) {
        notices.peer(null);
        resumption.forgetRequest();
        if (!end.isComplete() && (peerGone || !image.isAvailable())) {
            if (image.isAvailable() && !end.isEnding()) {
                errors.lost();
            }
            end.giveUp(CloseReason.CLOSED);
        } else if (standing.state().isLive()) {
            resumption.onBroken(BreakReason.PEER_SILENT);
        } else if (standing.is(SubscriptionLinkState.PREPARING)) {
            resumption.onSetupLost();
        }
    }

    /** {@return whether the link was established in an earlier epoch, or is in this one} */
    boolean isResuming() {
        return image.isAvailable();
    }

    /** {@return the state of the link} */
    public SubscriptionLinkState state() {
        return standing.state();
    }

    /** {@return the state of the link's image, which the application sees} */
    public ImageState image() {
        return image.state();
    }

    /** {@return the identity of the link, which it keeps over all its epochs} */
    public SubscriptionLinkId id() {
        return id;
    }

    /** {@return the epochs, with their queue pairs and rings} */
    SubscriptionEpochs epochs() {
        return epochs;
    }

    /** {@return the way out of a break} */
    SubscriptionResumption resumption() {
        return resumption;
    }

    /** {@return the end of the link and of its stream} */
    public SubscriptionLinkEnd end() {
        return end;
    }

    /** {@return the messages to the publication} */
    SubscriptionLinkNotices notices() {
        return notices;
    }

    /** {@return the number of its epoch} */
    long epoch() {
        return standing.epoch();
    }

    @Override
    public String toString() {
        return "linkId=" + id.linkId() + " streamId=" + context.options().streamId() + " " + image.state();
    }
}
