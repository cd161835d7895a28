package io.sluice.transport.stream;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.PeerChannel;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.peer.RemoteSubscription;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SourceAddress;

/**
 * The publication's end of a link, over all its epochs, as the conductor sees it:
 * <pre>
 *   PREPARING → SETUP_SENT → CONNECTING → JOINING → ACTIVE → BROKEN → (PREPARING … of the next epoch): RESUMED
 *                                                       └──→ GONE ←──┘ when closed, refused, not resumed in time
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>PREPARING</td><td>queue pair and feedback cell are made</td><td>set-up</td></tr>
 *   <tr><td>SETUP_SENT</td><td>the peer accepts or refuses, or says nothing in time</td><td>conductor</td></tr>
 *   <tr><td>CONNECTING</td><td>the queue pair is ready to send</td><td>set-up</td></tr>
 *   <tr><td>JOINING</td><td>the writing thread has taken the link up, and says where</td><td>writing</td></tr>
 *   <tr><td>ACTIVE</td><td>the queue pair or the peer breaks it, or its session is lost</td><td>conductor</td></tr>
 *   <tr><td>BROKEN</td><td>an attempt is due and the peer has a session, or time is over</td><td>conductor</td></tr>
 * </table>
 * From JOINING on it keeps its bytes of the log, in BROKEN and while it is resumed too; one that does not gate and that
 * the writing thread would have to wait for is closed. Conductor only.
 */
public final class PublicationLink {
    private final PublicationState publication;
    private final LinkEncoder encoder;
    private final Services services;
    private final Tasks tasks;
    private final PeerOrigin origin;
    private final String peerName;
    private final long subscriptionId;
    private final boolean gates;
    private final long linkId;
    private final int index;
    private final ResumeAttempts attempts;
    private final PublicationLinkErrors errors;
    private final SetupTurn turn = new SetupTurn(this::state);
    private PeerChannel session;
    private volatile PublicationLinkState state = PublicationLinkState.BROKEN;
    private volatile long epoch;
    private final LinkDomain domain;
    private QueuePair queuePair;
    private MemoryRegion feedbackRegion;
    private MemoryRegion logRegion;
    private OutboundLink outbound;
    private boolean endSent;
    private boolean endReceived;

    PublicationLink(
        final PublicationState publication, final PeerChannel session, final RemoteSubscription subscription,
        final long linkId, final int index) {
        this.publication = publication;
        this.session = session;
        encoder = publication.owner().encoder();
        services = publication.services();
        tasks = publication.services().tasks();
        domain = new LinkDomain(publication.medium().parameters().device());
        origin = session.origin();
        peerName = session.peerName() + " client=" + session.clientName();
        subscriptionId = subscription.subscriptionId();
        gates = publication.options().flowControl().gates(subscription.groupTag());
        this.linkId = linkId;
        this.index = index;
        attempts = new ResumeAttempts(publication.options().flowControl().timeoutNs(), services.nowNs());
        errors = new PublicationLinkErrors(this);
    }

    /** Begin the first epoch, or the next one of a broken link, unless it is too early for another attempt. */
    void begin() {
        final long nowNs = services.nowNs();
        if (!isPeerWell() || state != PublicationLinkState.BROKEN || !attempts.isDue(nowNs)
            || !turn.take(session, nowNs)) {
            return;
        }
        state = PublicationLinkState.PREPARING;
        epoch++;
        final long preparedEpoch = epoch;
        final SourceAddress source = session.sourceAddress();
        publication.onSetupBegun();
        tasks.setUp(() -> {
            final PublicationEpoch prepared = PublicationEpoch.prepare(this, preparedEpoch, source);
            tasks.execute(() -> onPrepared(preparedEpoch, prepared));
        }, error -> {
            publication.onSetupEnded();
            giveUp(preparedEpoch, error);
        });
    }

    private void onPrepared(final long preparedEpoch, final PublicationEpoch prepared) {
        publication.onSetupEnded();
        if (!isPreparing(preparedEpoch) || prepared == null || session == null) {
            PublicationEpoch.release(prepared, this);
            return;
        }
        queuePair = prepared.queuePair();
        feedbackRegion = prepared.feedbackRegion();
        logRegion = prepared.logRegion();
        state = PublicationLinkState.SETUP_SENT;
        turn.onSetupSent(services.nowNs());
        session.send(encoder.buffer(), PublicationEpoch.encodeSetup(encoder, this));
    }

    /**
     * The peer has made its end: connect to it.
     *
     * @param accept its message.
     */
    public void onAccept(final AcceptDecoder accept) {
        if (state != PublicationLinkState.SETUP_SENT) {
            return;
        }
        final long received = accept.flags().resumed() ? accept.receivedPosition() : OutboundLink.UNSET;
        if (isResuming() != accept.flags().resumed() || isResuming() && !publication.isResumable(outbound, received)
            || accept.flags().memoryCompletion() && !publication.mayCompleteInMemory(accept.flags())) {
            errors.notOffered(received, accept.flags().memoryCompletion());
            closeAndTell(CloseReason.CLOSED);
            return;
        }
        if (isResuming()) {
            attempts.onAccepted(received, outbound.consumedPosition(), publication.log().tail(), services.nowNs());
        }
        final byte[] address = new byte[accept.queuePairAddressLength()];
        accept.getQueuePairAddress(address, 0, address.length);
        if (!session.checkQueuePair(address)) {
            return;
        }
        state = PublicationLinkState.CONNECTING;
        final long connectedEpoch = epoch;
        final QueuePair pair = queuePair;
        final OutboundLinkParameters parameters = new PublicationEpoch(queuePair, feedbackRegion, logRegion).parameters(
            this, accept, received, isResuming() ? outbound.consumedPosition() : 0);
        tasks.setUp(() -> {
            pair.readyToReceive(address);
            pair.readyToSend();
            tasks.execute(() -> onConnected(connectedEpoch, parameters));
        }, error -> giveUp(connectedEpoch, error));
    }

    private void onConnected(final long connectedEpoch, final OutboundLinkParameters parameters) {
        if (connectedEpoch != epoch || state != PublicationLinkState.CONNECTING) {
            return;
        }
        final OutboundLink next = new OutboundLink(parameters, gates);
        final OutboundLink previous = outbound;
        outbound = next;
        if (previous != null) {
            next.countOn(previous);
            publication.links().retire(previous.parameters().feedbackRegion());
            services.counters().increment(TransportCounter.LINKS_RESUMED);
        } else {
            services.counters().increment(TransportCounter.LINKS_ESTABLISHED);
        }
        publication.links().attach(next, previous);
        endSent = false;
        attempts.onConnected(services.nowNs());
        errors.onConnected();
        state = PublicationLinkState.JOINING;
    }

    int doWork(final long nowNs) {
        if (outbound != null && isGivenUp(nowNs)) {
            return 1;
        }
        switch (state) {
            case SETUP_SENT -> {
                if (turn.isUnanswered(services.parameters().durations().handshakeTimeoutNs(), nowNs)) {
                    errors.notAnswered();
                    onBroken(BreakReason.PEER_SILENT, true);
                    return 1;
                }
            }
            case JOINING -> {
                publication.links().joinLinks();
                if (outbound.joinPosition() != OutboundLink.UNSET) {
                    state = PublicationLinkState.ACTIVE;
                    session.send(encoder.buffer(), encoder.established(linkId, epoch, outbound.joinPosition()));
                    return 1;
                }
            }
            case ACTIVE -> {
                if (queuePair.state() == QueuePairState.ERROR || outbound.breakReason() != null) {
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

    private boolean isGivenUp(final long nowNs) {
        if (outbound.isLeftBehind()) {
            // the writing thread waits for it: the log's bytes are not to be owed to it any more
            errors.leftBehind();
            closeAndTell(CloseReason.LEFT_BEHIND);
            return true;
        }
        attempts.look(isPeerWell(), isPeerWell() && turn.isWaitingHere(), nowNs);
        if (!state.isResuming() || !attempts.isOver(nowNs)) {
            return false;
        }
        errors.notResumed(attempts);
        closeAndTell(CloseReason.RESUME_TIMEOUT);
        return true;
    }

    private boolean isPeerWell() {
        return session != null && session.isReady();
    }

    /** The epoch is over; so is a fresh link that was not established yet. */
    void onBroken(final BreakReason reason, final boolean tellPeer) {
        if (outbound != null) {
            outbound.fail(reason);
        }
        if (state == PublicationLinkState.GONE || state == PublicationLinkState.BROKEN) {
            return;
        }
        if (outbound == null || reason.isFatal()) {
            if (reason.isFatal()) {
                errors.fatal(reason);
                publication.links().refuse(this);
            }
            closeAndTell(CloseReason.CLOSED);
            return;
        }
        if (state.isLive()) {
            services.counters().increment(TransportCounter.LINKS_BROKEN);
            attempts.onBroken(reason, outbound.consumedPosition(), services.nowNs());
        } else {
            attempts.onFailed(reason, services.nowNs());
        }
        state = PublicationLinkState.BROKEN;
        dropEpoch();
        if (tellPeer && session != null) {
            session.send(encoder.buffer(), encoder.linkBroken(
                linkId, epoch, Role.PUBLICATION, reason, publication.log().tail()));
        }
    }

    /** Release what is the current epoch's only; the feedback cell of a gating link stays until it is replaced. */
    private void dropEpoch() {
        if (queuePair != null) {
            queuePair.fail();
        }
        publication.destroy(queuePair, domain);
        queuePair = null;
        if (feedbackRegion != null && (outbound == null || outbound.parameters().feedbackRegion() != feedbackRegion)) {
            tasks.release(feedbackRegion);
        }
        feedbackRegion = null;
    }

    private void giveUp(final long failedEpoch, final Throwable error) {
        if (failedEpoch == epoch && state != PublicationLinkState.GONE) {
            errors.notMade(error, attempts);
            onBroken(BreakReason.DEVICE, true);
        }
    }

    /**
     * The peer has refused the set-up.
     *
     * @param reason on the wire.
     * @param text   for people.
     */
    public void onRefuse(final RefuseReason reason, final String text) {
        if (state != PublicationLinkState.SETUP_SENT) {
            return;
        }
        services.counters().increment(TransportCounter.LINKS_REFUSED);
        if (reason == RefuseReason.RESOURCES && outbound != null) {
            onBroken(BreakReason.DEVICE, false);
            return;
        }
        endReceived |= reason == RefuseReason.NO_SUBSCRIPTION || reason == RefuseReason.CLOSING;
        errors.refused(reason, text);
        remove("refused by the peer");
        // these may do better with a fresh link, at the next look for links that should exist
        if (reason != RefuseReason.UNKNOWN_SESSION && reason != RefuseReason.RESOURCES
            && reason != RefuseReason.SESSION_IN_USE) {
            publication.links().refuse(this);
        }
    }

    /**
     * The peer has found the link broken.
     *
     * @param reason that it gave.
     */
    public void onBrokenByPeer(final BreakReason reason) {
        attempts.note(reason);
        if (reason.isFatal()) {
            errors.fatalToPeer(reason);
            services.counters().increment(TransportCounter.LINKS_BROKEN);
            publication.links().refuse(this);
            remove("given up by the peer");
        } else if (state.hasPeer()) {
            onBroken(reason, false);
        }
    }

    void onSessionLost(final boolean peerGone) {
        session = null;
        if (peerGone) {
            remove(PublicationLinkErrors.PEER_GONE);
        } else {
            onBroken(BreakReason.PEER_SILENT, false);
        }
    }

    /** The peer is back and still subscribes. */
    void onSessionBack(final PeerChannel newSession) {
        session = newSession;
        begin();
    }

    /** {@return true when the peer has received everything, or is gone} The end of the stream is announced. */
    boolean deliverEnd(final long endPosition) {
        if (state == PublicationLinkState.ACTIVE && !endSent && outbound.postedPosition() >= endPosition) {
            endSent = true;
            session.send(encoder.buffer(), encoder.endOfStream(linkId, epoch, endPosition));
        }
        return endReceived || state != PublicationLinkState.ACTIVE && outbound == null;
    }

    /**
     * The peer has received everything up to the end of the stream.
     *
     * @param receivedPosition up to where.
     */
    public void onEndOfStreamReceived(final long receivedPosition) {
        endReceived |= receivedPosition >= publication.log().tail();
    }

    boolean isEndReceived() {
        return endReceived;
    }

    /** The subscription is closed, and gates no more. */
    public void onUnsubscribed() {
        endReceived = true;
        remove("unsubscribed");
    }

    /** End the link for good and tell the peer. */
    void closeAndTell(final CloseReason reason) {
        if (state != PublicationLinkState.GONE && isPeerWell() && epoch > 0) {
            session.send(encoder.buffer(), encoder.closeLink(linkId, epoch, Role.PUBLICATION, reason));
        }
        remove("closed");
    }

    /**
     * The link is over for good; the application hears why, unless nothing is owed or it was told.
     *
     * @param why for people.
     */
    public void remove(final String why) {
        if (state == PublicationLinkState.GONE) {
            return;
        }
        state = PublicationLinkState.GONE;
        // before the log goes on without it: a peer that looks at the frames must not see those
        dropEpoch();
        if (outbound != null) {
            services.counters().increment(TransportCounter.LINKS_GONE);
            errors.onGone(why, attempts.reason());
            outbound.fail(BreakReason.ADMINISTRATIVE);
            publication.links().detach(outbound);
            publication.links().retire(outbound.parameters().feedbackRegion());
        }
        tasks.release(domain);
        publication.links().remove(this);
        publication.owner().onLinkGone(origin, publication.registeredLogLength());
    }

    /** Whether an epoch is still to be set up. Any thread. */
    boolean isPreparing(final long preparedEpoch) {
        return state == PublicationLinkState.PREPARING && epoch == preparedEpoch;
    }

    /** Whether it was established in an earlier epoch. Any thread that prepares the next one. */
    boolean isResuming() {
        return outbound != null;
    }

    /** {@return where the link stands} */
    public PublicationLinkState state() {
        return state;
    }

    /** Of all epochs. */
    LinkDomain domain() {
        return domain;
    }

    /**
     * The sending end of the current or, while there is none, the last epoch; null before the first.
     *
     * @return the data path's end.
     */
    public OutboundLink outbound() {
        return outbound;
    }

    /** {@return when a broken link is tried again, and until when} */
    public ResumeAttempts attempts() {
        return attempts;
    }

    /** {@return the publication that it is a link of} */
    public PublicationState publication() {
        return publication;
    }

    /** {@return the way to the peer; another one when a new session has taken the link over} */
    public PeerChannel session() {
        return session;
    }

    /** {@return the peer, for people} */
    public String peer() {
        return peerName;
    }

    PeerOrigin origin() {
        return origin;
    }

    long subscriptionId() {
        return subscriptionId;
    }

    /** {@return the id, which this side has chosen} */
    public long linkId() {
        return linkId;
    }

    int index() {
        return index;
    }

    /** {@return the number of the current epoch} */
    public long epoch() {
        return epoch;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    MemoryRegion feedbackRegion() {
        return feedbackRegion;
    }
}
