package io.sluice.transport.stream;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerSubscription;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.SendLimits;
import io.sluice.transport.settings.SendQueueSettings;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SourceAddress;

/**
 * The publication's end of a link, over all its epochs, as the conductor sees it:
 * <pre>
 *   BROKEN → PREPARING → SETUP_SENT → CONNECTING → JOINING → ACTIVE → BROKEN → … of the next epoch: RESUMED
 *   a new link begins in BROKEN
 *   PREPARING, SETUP_SENT, CONNECTING, when they fail: → BROKEN; of a link that has never been JOINING → GONE
 *   JOINING, ACTIVE, when they break: → BROKEN
 *   any → GONE: closed, unsubscribed, refused, its peer gone, a fatal break, not resumed in time, left behind
 * </pre>
 * <table>
 *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
 *   <tr><td>BROKEN</td><td>an attempt is due and the peer is ready, or time is over</td><td>PREPARING, GONE</td>
 *     <td>conductor</td></tr>
 *   <tr><td>PREPARING</td><td>queue pair and feedback cell are made</td><td>SETUP_SENT, BROKEN, GONE</td>
 *     <td>set-up</td></tr>
 *   <tr><td>SETUP_SENT</td><td>the peer accepts or refuses, or says nothing in time</td><td>CONNECTING, BROKEN,
 *     GONE</td><td>conductor</td></tr>
 *   <tr><td>CONNECTING</td><td>the queue pair is ready to send</td><td>JOINING, BROKEN, GONE</td><td>set-up</td></tr>
 *   <tr><td>JOINING</td><td>the writing thread has taken the link up, and says where</td><td>ACTIVE, BROKEN, GONE</td>
 *     <td>writing</td></tr>
 *   <tr><td>ACTIVE</td><td>the queue pair or the peer breaks it, or the control session is lost</td><td>BROKEN,
 *     GONE</td><td>conductor</td></tr>
 * </table>
 * From JOINING on it keeps its bytes of the log, in BROKEN and while it is resumed too; one that does not gate and that
 * the writing thread would have to wait for is closed. Conductor only. The publication owns it; what it holds goes when
 * it is GONE.
 */
public final class PublicationLink {
    /** The owner of a publication's links, as each of them sees it. Conductor only. */
    interface Owner {
        /** Notes that the set-up thread works for a link: what it makes needs the completion queue. */
        void onSetupBegun();

        /** Notes that the conductor has heard of a set-up, whether it has made anything or not. */
        void onSetupEnded();

        /**
         * Whether a link can go on at a position; a peer that looks at the frames may have seen one whose commit has
         * yet to move the tail.
         */
        boolean isResumable(OutboundLink link, long received);

        /**
         * Posts on a link from now on, in place of an earlier epoch's. Writing threads see both changes at once, so
         * that at no time the log is without the one that gates it.
         *
         * @param link     of an epoch that is connected.
         * @param replaced of the same link's epoch before, or null for a fresh one.
         */
        void attach(OutboundLink link, OutboundLink replaced);

        /**
         * Lets new links join when the writing threads have seen them: then whatever is committed after the tail is
         * posted on them, too. A writing thread that offers something may have been quicker, which is as good. Without
         * the wait a writing thread that does not know a link would not wait for it, and could write over what it has
         * yet to get.
         *
         * @return false while a writing thread has yet to be outside since the links were changed: to be asked again in
         *         the next duty cycle. That of an application that has stopped inside keeps new links waiting.
         */
        boolean joinLinks();

        /**
         * Does not post on a link nor wait for it any more; nothing when it was never attached. Before writing threads
         * go on without it they are told to destroy old headers first: its subscriber may be reading in a shared log
         * what they write over, and has to notice.
         */
        void detach(OutboundLink link);

        /**
         * Releases something as soon as no writing thread can be using it any more: by {@link #attach} or
         * {@link #detach} in the same duty cycle, before or after this call, they are made to respect the change.
         *
         * @param resource to close on the set-up thread; nothing happens for null.
         */
        void retire(AutoCloseable resource);

        /** {@return whether a closed publication has yet to deliver something to a link} */
        boolean isOwed(PublicationLink link);

        /** Notes a peer's subscription that is not to be tried again: its bytes, or ours in its eyes, were wrong. */
        void refuse(PublicationLink link);

        /**
         * Removes a link that is over for good; who is owed something then will not receive it any more, which is
         * counted while the publication delivers its rest. Nothing when it was removed before.
         */
        void onGone(PublicationLink link);
    }

    /** The publication, as its links know it; a link never moves to another one. */
    private final PublicationContext publication;
    private final Services services;
    private final PublicationLinkId id;
    /**
     * Whether the publication waits for this link, fixed by its flow control and the group of the subscription. A link
     * that does not gate is closed when it stands in the way (009).
     */
    private final boolean gates;
    private final PublicationLinkStanding standing = new PublicationLinkStanding();
    private final ResumeAttempts attempts;
    private final PublicationLinkErrors errors;
    /** The way through the turns of the connected peer: eight links to it are set up at a time. */
    private final SetupTurn turn = new SetupTurn(standing::state);
    /** Messages to the subscription; without a peer there is nobody to hear them. */
    private final PublicationLinkNotices notices;
    private final PublicationEpochs epochs;
    private final StreamDelivery delivery;
    /**
     * The sending end of the last epoch that was connected; null until the first one is. It gates the log while the
     * link is broken, and tells a link that resumes from one that is made anew.
     */
    private OutboundLink outbound;

    /**
     * Creates a link for which nothing is made yet.
     *
     * @param publication  that it is a link of.
     * @param peer         that has the subscription.
     * @param subscription that the peer has announced.
     * @param linkId       that no other link of the transport has.
     * @param index        that stands in the id of each work request.
     */
    PublicationLink(
        final PublicationContext publication, final ConnectedPeer peer, final PeerSubscription subscription,
        final long linkId, final int index) {
        this.publication = publication;
        services = publication.services();
        id = new PublicationLinkId(linkId, index, peer.origin(), subscription.subscriptionId(),
            peer.fullName());
        gates = publication.options().flowControl().gates(subscription.groupTag());
        notices = new PublicationLinkNotices(publication.owner().encoder(), id, publication.options(),
            publication.memory(), standing::epoch);
        notices.peer(peer);
        epochs = new PublicationEpochs(publication.epochs(), services.tasks(),
            new QueuePairEnds(
                services.failures(), publication.options().streamId(), publication.options().channel()),
            new LinkDomain(publication.medium().parameters().device()));
        delivery = new StreamDelivery(notices, publication.memory());
        attempts = new ResumeAttempts(publication.options().flowControl().timeoutNs(), services.nowNs());
        errors = new PublicationLinkErrors(services, publication.options(), id, publication.memory().log()::tail,
            this::outbound, () -> publication.links().isOwed(this));
    }

    /**
     * Starts the first epoch, or the next one of a broken link, unless it is too early for another attempt, the peer is
     * not connected, or all its turns are taken: then nothing happens, and the next duty cycle asks again.
     */
    void begin() {
        final long nowNs = services.nowNs();
        if (!notices.canTell() || !standing.is(PublicationLinkState.BROKEN) || !attempts.isDue(nowNs)
            || !turn.take(notices.peer(), nowNs)) {
            return;
        }
        final long preparedEpoch = standing.prepare();
        final SourceAddress source = notices.peer().sourceAddress();
        publication.links().onSetupBegun();
        final boolean isResuming = isResuming();
        services.tasks().setUp(() -> {
            final PublicationEpoch prepared =
                standing.isPreparing(preparedEpoch) ? epochs.make(isResuming, source) : null;
            services.tasks().execute(() -> onPrepared(preparedEpoch, prepared));
        }, error -> {
            publication.links().onSetupEnded();
            giveUp(preparedEpoch, error);
        });
    }

    /**
     * Asks the peer for the link, now that the parts of the epoch are made. The link may have broken, ended or lost its
     * peer since the set-up thread began: what was made is then released unused, and the state has moved on already.
     *
     * @param prepared null when the epoch was given up before the set-up thread came to it.
     */
    private void onPrepared(final long preparedEpoch, final PublicationEpoch prepared) {
        publication.links().onSetupEnded();
        if (!standing.isPreparing(preparedEpoch) || prepared == null || notices.peer() == null) {
            if (prepared != null) {
                epochs.release(prepared);
            }
            return;
        }
        epochs.start(prepared);
        standing.moveTo(PublicationLinkState.SETUP_SENT);
        turn.onSetupSent(services.nowNs());
        notices.setup(prepared, isResuming());
    }

    /**
     * Connects to the end that the peer has made. An answer that does not fit what was asked ends the link and is told:
     * nothing that the peer says is believed for being accepted (024). A queue pair that is not at the peer's address
     * ends the whole control session, and the link with it has broken when that is known here.
     *
     * @param accept its message, of the current epoch; valid during the call only.
     */
    public void onAccept(final AcceptDecoder accept) {
        if (!standing.is(PublicationLinkState.SETUP_SENT)) {
            return;
        }
        final boolean isResuming = isResuming();
        final long received = accept.flags().resumed() ? accept.receivedPosition() : OutboundLink.UNSET;
        if (isResuming != accept.flags().resumed() || isResuming && !publication.links().isResumable(outbound, received)
            || accept.flags().memoryCompletion() && !publication.memory().mayCompleteInMemory(accept.flags())) {
            errors.notOffered(received, accept.flags().memoryCompletion());
            closeAndTell(CloseReason.CLOSED);
            return;
        }
        // before the queue pair is connected: what the peer says that it has received is progress, even if that fails
        if (isResuming) {
            attempts.onAccepted(
                received, outbound.consumedPosition(), publication.memory().log().tail(), services.nowNs());
        }
        final byte[] address = new byte[accept.queuePairAddressLength()];
        accept.getQueuePairAddress(address, 0, address.length);
        if (!notices.peer().checkQueuePair(address)) {
            return;
        }
        standing.moveTo(PublicationLinkState.CONNECTING);
        final long connectedEpoch = standing.epoch();
        final QueuePair pair = epochs.current().queuePair();
        final SendQueueSettings sendQueue = services.parameters().sendQueue();
        final OutboundLinkParameters parameters = epochs.current().parameters(
            id.index(), (int) connectedEpoch, accept, publication.memory().log().windowLength(),
            new SendLimits(publication.options().writesInFlight(), sendQueue.length(), sendQueue.signalInterval()),
            new LinkStart(received, isResuming ? outbound.consumedPosition() : 0));
        services.tasks().setUp(() -> {
            pair.readyToReceive(address);
            pair.readyToSend();
            services.tasks().execute(() -> onConnected(connectedEpoch, parameters));
        }, error -> giveUp(connectedEpoch, error));
    }

    /**
     * Hands the epoch to the writing threads. From here on the log gates at what the peer has consumed by this epoch's
     * feedback; the cell of the epoch before is kept until no writing thread can be reading it. A resumed link counts
     * as resumed here, before the first byte flows: if it breaks again at once, that is the next break.
     */
    private void onConnected(final long connectedEpoch, final OutboundLinkParameters parameters) {
        if (connectedEpoch != standing.epoch() || !standing.is(PublicationLinkState.CONNECTING)) {
            return;
        }
        final OutboundLink next = new OutboundLink(parameters, gates);
        final OutboundLink previous = outbound;
        outbound = next;
        if (previous != null) {
            next.countOn(previous);
            publication.links().retire(previous.parameters().feedbackRegion());
        }
        publication.links().attach(next, previous);
        delivery.onConnected();
        attempts.onConnected(services.nowNs());
        errors.onConnected(previous != null, connectedEpoch);
        standing.moveTo(PublicationLinkState.JOINING);
    }

    /**
     * Looks whether the state is to move on, each duty cycle. Nothing here waits: what others have to do first is asked
     * for and looked at again. A queue pair that breaks in JOINING is noticed in ACTIVE, and nothing is lost by that:
     * what it had under way is sent again.
     *
     * @param nowNs time of the conductor's clock.
     * @return 1 when something was done, which keeps the conductor awake.
     */
    int doWork(final long nowNs) {
        if (outbound != null && isGivenUp(nowNs)) {
            return 1;
        }
        switch (standing.state()) {
            case SETUP_SENT -> {
                if (turn.isUnanswered(services.parameters().durations().handshakeTimeoutNs(), nowNs)) {
                    if (!isResuming()) {
                        errors.notAnswered();
                    }
                    onBroken(BreakReason.PEER_SILENT, true);
                    return 1;
                }
            }
            case JOINING -> {
                publication.links().joinLinks();
                if (outbound.joinPosition() != OutboundLink.UNSET) {
                    standing.moveTo(PublicationLinkState.ACTIVE);
                    notices.established(outbound.joinPosition());
                    return 1;
                }
            }
            case ACTIVE -> {
                if (epochs.current().queuePair().state() == QueuePairState.ERROR || outbound.breakReason() != null) {
                    // this may break all links of the queue that has overrun, this one too: then it is broken already
                    // below
                    publication.explain(outbound);
                    onBroken(outbound.breakReason(), true);
                    return 1;
                }
            }
            case BROKEN -> begin();
            default -> { }
        }
        return 0;
    }

    /**
     * Closes a link that was established once and is not to be waited for any longer: one that a claim was refused for
     * though it does not gate, and one that was not resumed in time. What its subscriber has not received it never
     * will; it may join again, live.
     *
     * @return whether the link is over now.
     */
    private boolean isGivenUp(final long nowNs) {
        if (outbound.isLeftBehind()) {
            // the writing thread waits for it: the log's bytes are not to be owed to it any more
            errors.leftBehind();
            closeAndTell(CloseReason.LEFT_BEHIND);
            return true;
        }
        attempts.look(notices.canTell(), notices.canTell() && turn.isWaitingHere(), nowNs);
        if (!standing.state().isResuming() || !attempts.isOver(nowNs)) {
            return false;
        }
        errors.notResumed(attempts);
        closeAndTell(CloseReason.RESUME_TIMEOUT);
        return true;
    }

    /**
     * Ends the epoch, and with it a fresh link that was not established yet: that costs nobody anything, as the
     * publication makes another at its next look. A link that was established is BROKEN, keeps its bytes of the log,
     * and is resumed. After a fatal reason it is not: the peer's bytes were wrong, and would be again.
     *
     * @param reason   why; the first one that the data path has found stays.
     * @param tellPeer false when the peer knows, or cannot be told.
     */
    void onBroken(final BreakReason reason, final boolean tellPeer) {
        if (outbound != null) {
            outbound.fail(reason);
        }
        if (standing.is(PublicationLinkState.GONE) || standing.is(PublicationLinkState.BROKEN)) {
            return;
        }
        if (outbound == null || reason.isFatal()) {
            if (reason.isFatal()) {
                errors.recordBroken(reason, standing);
                errors.fatal(reason);
                publication.links().refuse(this);
            }
            closeAndTell(CloseReason.CLOSED);
            return;
        }
        if (standing.state().isLive()) {
            errors.onBroken(reason, standing);
            attempts.onBroken(reason, outbound.consumedPosition(), services.nowNs());
        } else {
            attempts.onFailed(reason, services.nowNs());
        }
        standing.moveTo(PublicationLinkState.BROKEN);
        epochs.drop(outbound);
        if (tellPeer) {
            notices.broken(reason);
        }
    }

    /**
     * Notes that the set-up thread could not make or connect an epoch, for want of memory, queue pairs or a way to the
     * peer. An established link tries again with a pause that doubles; news of an epoch that is over already says
     * nothing.
     */
    private void giveUp(final long failedEpoch, final Throwable error) {
        if (failedEpoch == standing.epoch() && !standing.is(PublicationLinkState.GONE)) {
            errors.notMade(error, attempts);
            onBroken(BreakReason.DEVICE, true);
        }
    }

    /**
     * Notes that the peer has refused the set-up. Without resources now, a link that resumes waits for its next
     * attempt, as consumers may free some. Every other refusal ends the link: with no subscription there is nobody to
     * wait for, and with an unknown session the image has ended and only a fresh link can begin another.
     *
     * @param reason on the wire.
     * @param text   for people.
     */
    public void onRefuse(final RefuseReason reason, final String text) {
        if (!standing.is(PublicationLinkState.SETUP_SENT)) {
            return;
        }
        services.counters().increment(TransportCounter.LINKS_REFUSED);
        if (reason == RefuseReason.RESOURCES && outbound != null) {
            onBroken(BreakReason.DEVICE, false);
            return;
        }
        if (reason == RefuseReason.NO_SUBSCRIPTION || reason == RefuseReason.CLOSING) {
            delivery.onUnwanted();
        }
        if (!delivery.isReceived()) {
            errors.refused(reason, text, notices.peer());
        }
        remove("refused by the peer");
        // these may do better with a fresh link, at the next look for links that should exist
        if (reason != RefuseReason.UNKNOWN_SESSION && reason != RefuseReason.RESOURCES
            && reason != RefuseReason.SESSION_IN_USE) {
            publication.links().refuse(this);
        }
    }

    /**
     * Notes that the peer has found the current epoch broken. Before the peer has begun that epoch, in PREPARING and
     * SETUP_SENT, its word changes nothing but the reason that people are told, unless that is fatal.
     *
     * @param reason that it gave; after a fatal one the subscription is not tried again until it or its connection has
     *               ended.
     */
    public void onBrokenByPeer(final BreakReason reason) {
        attempts.note(reason);
        if (reason.isFatal()) {
            errors.recordBroken(reason, standing);
            errors.fatalToPeer(reason);
            publication.links().refuse(this);
            remove("given up by the peer");
        } else if (standing.state().hasPeer()) {
            onBroken(reason, false);
        }
    }

    /**
     * Notes that the control session is over. A link whose peer is only silent keeps its bytes until the resume
     * timeout, for the peer may come back with all that it had received.
     *
     * @param peerGone whether the peer has said goodbye, or its process has certainly ended: nobody is waited for then.
     */
    void onPeerLost(final boolean peerGone) {
        notices.peer(null);
        if (peerGone) {
            remove(PublicationLinkErrors.PEER_GONE);
        } else {
            onBroken(BreakReason.PEER_SILENT, false);
        }
    }

    /**
     * Notes that the peer is back and still subscribes, and tries at once. The regular look for missing links says it
     * too, of links whose control session was never lost: then it changes nothing.
     */
    void onPeerBack(final ConnectedPeer newPeer) {
        notices.peer(newPeer);
        begin();
    }

    /**
     * {@return true when the peer has received everything, or is gone} A broken link is waited for, until it has
     * resumed or the linger is over; one that was never established is not: it is owed nothing.
     *
     * @param endPosition of the log, in bytes; nothing is offered any more.
     */
    boolean deliverEnd(final long endPosition) {
        final boolean isActive = standing.is(PublicationLinkState.ACTIVE);
        return delivery.deliver(isActive ? outbound : null, endPosition) || !isActive && outbound == null;
    }

    /**
     * Ends the link because the subscription is closed. What it has not consumed it does not want, so that this is no
     * loss and nobody is told.
     */
    public void onUnsubscribed() {
        delivery.onUnwanted();
        remove("unsubscribed");
    }

    /**
     * Ends the link for good and tells the peer, whose image then ends where it was received. A peer without a control
     * session is not told: it gives up by its own liveness timeout.
     *
     * @param reason for the peer's application.
     */
    void closeAndTell(final CloseReason reason) {
        if (!standing.is(PublicationLinkState.GONE)) {
            notices.closed(reason);
        }
        remove("closed");
    }

    /**
     * Ends the link for good; idempotent. The application hears why, unless nothing is owed or it was told. The order
     * matters: first the queue pair cannot send any more, then the writing threads go on without the link, and its
     * memory goes when none of them can be using it. The domain is freed behind the queue pair, as the set-up thread
     * works in order.
     *
     * @param why for people.
     */
    public void remove(final String why) {
        if (standing.is(PublicationLinkState.GONE)) {
            return;
        }
        standing.moveTo(PublicationLinkState.GONE);
        // before the log goes on without it: a peer that looks at the frames must not see those
        epochs.drop(outbound);
        if (outbound != null) {
            errors.onGone(why, attempts.reason());
            outbound.fail(BreakReason.ADMINISTRATIVE);
            publication.links().detach(outbound);
            publication.links().retire(outbound.parameters().feedbackRegion());
        }
        epochs.releaseDomain();
        publication.links().onGone(this);
        publication.owner().onLinkGone(id.origin(), publication.memory().registeredLength());
    }

    /** {@return whether the link was established in an earlier epoch} */
    boolean isResuming() {
        return outbound != null;
    }

    /** {@return the state of the link} */
    public PublicationLinkState state() {
        return standing.state();
    }

    /**
     * The sending end of the current or, while there is none, the last epoch; null before the first.
     *
     * @return the data path's end.
     */
    public OutboundLink outbound() {
        return outbound;
    }

    /** {@return the attempts to resume a broken link: when it is tried again, and until when} */
    public ResumeAttempts attempts() {
        return attempts;
    }

    /** {@return the end of the stream on its way to the peer} */
    public StreamDelivery delivery() {
        return delivery;
    }

    /** {@return the publication that it is a link of} */
    public PublicationContext publication() {
        return publication;
    }

    /** {@return the connected peer; another one when a new control session has taken the link over} */
    public ConnectedPeer peer() {
        return notices.peer();
    }

    /** {@return the identity of the link} */
    public PublicationLinkId id() {
        return id;
    }

    /** {@return the number of the current epoch} */
    public long epoch() {
        return standing.epoch();
    }
}
