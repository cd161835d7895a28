package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.PeerChannel;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.InboundLinkOwner;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SourceAddress;

/**
 * The subscription's end of a link, over all its epochs, as the conductor sees it:
 * <pre>
 *   PREPARING → ACCEPTED → ACTIVE → BROKEN → (PREPARING … of the next epoch) → ACTIVE: RESUMED
 *                             └────────┴──→ ENDING → GONE
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>PREPARING</td><td>ring and queue pair are made and connected</td><td>set-up</td></tr>
 *   <tr><td>ACCEPTED</td><td>the publisher says where the link begins, or says nothing in time</td>
 *     <td>conductor</td></tr>
 *   <tr><td>ACTIVE</td><td>the queue pair, a frame or the peer breaks it, or its session is lost</td>
 *     <td>polling, conductor</td></tr>
 *   <tr><td>BROKEN</td><td>the polling thread has taken what had arrived (quiesced), and the publisher asks anew</td>
 *     <td>set-up, polling, conductor</td></tr>
 *   <tr><td>ENDING</td><td>the consumers have passed the end, and image handlers have run</td>
 *     <td>polling, callback</td></tr>
 * </table>
 * In ENDING nothing more arrives, and the consumers have yet to pass the end. Conductor only.
 */
public final class SubscriptionLink implements InboundLinkOwner, SubscriptionLinkNotices.Subject {
    private final SubscriptionState subscription;
    private final Services services;
    private final Tasks tasks;
    private final SubscriptionLinkErrors errors;
    private final SubscriptionLinkId id;
    private final InboundLink inbound;
    private final LinkImage image;
    private final ReplacedRings replacedRings;
    private final SubscriptionLinkNotices notices;
    private final LinkDomain domain;
    private PeerChannel session;
    private volatile SubscriptionLinkState state = SubscriptionLinkState.PREPARING;
    private volatile long epoch;
    private InboundEpoch current;
    private SetupRequest pending;
    private boolean quiesced;
    private boolean available;
    private boolean endReceived;
    private long announcedEnd = InboundLink.NO_END;
    private long receivedPosition;
    private long deadlineNs;
    private long brokenAtNs;
    private BreakReason breakReason = BreakReason.ADMINISTRATIVE;

    SubscriptionLink(final SubscriptionState subscription, final PeerChannel session, final SetupRequest request) {
        this.subscription = subscription;
        services = subscription.services();
        tasks = subscription.services().tasks();
        replacedRings = new ReplacedRings(subscription.consumers().rings());
        notices = new SubscriptionLinkNotices(this, subscription.owner().encoder());
        domain = new LinkDomain(subscription.medium().parameters().device());
        this.session = session;
        id = new SubscriptionLinkId(
            session.origin(), request.linkId(), request.publication().incarnation(), request.log().position(),
            request.log().windowLength(), subscription.allocateIndex(), request.log().isShared(),
            SubscriptionEpochs.isShared(subscription, request));
        inbound = new InboundLink(request.log().windowLength(), request.log().position(),
            services.parameters().sendQueue().signalInterval(), request.publication().incarnation().low());
        inbound.owner(this);
        image = new LinkImage(inbound, request.publication().sessionId(), session.peerName());
        errors = new SubscriptionLinkErrors(services, this,
            SubscriptionLinkErrors.subject(subscription.options(), id.peerId(), request.publication().sessionId()));
    }

    /** Prepare an epoch; for a resumed one, the one before must be quiescent. */
    void begin(final SetupRequest request) {
        state = SubscriptionLinkState.PREPARING;
        pending = null;
        epoch = request.epoch();
        final int generation = subscription.allocateGeneration();
        final MemoryRegion sharedRing = id.logShared() && current != null ? current.ring() : null;
        final SourceAddress source =
            session == null ? SourceAddress.ANY : session.sourceAddress();
        final long nextRing = current == null || id.logShared() ? 0 : request.log().windowLength();
        replacedRings.expect(nextRing);
        subscription.onSetupBegun();
        tasks.setUp(() -> {
            final InboundEpoch made =
                SubscriptionEpochs.prepare(subscription, this, request, generation, sharedRing, source);
            tasks.execute(() -> onPrepared(request, made, nextRing));
        }, error -> {
            replacedRings.expect(-nextRing);
            subscription.onSetupEnded();
            if (isPreparing(request.epoch())) {
                errors.notMade(error);
                subscription.owner().refuse(session, request, RefuseReason.RESOURCES, error.getMessage());
                if (available) {
                    // it stays quiescent: the publisher may try again until the liveness timeout
                    state = SubscriptionLinkState.BROKEN;
                } else {
                    giveUp(CloseReason.CLOSED);
                }
            }
        });
    }

    private void onPrepared(final SetupRequest request, final InboundEpoch prepared, final long nextRing) {
        subscription.onSetupEnded();
        if (!isPreparing(request.epoch()) || prepared == null || session == null) {
            replacedRings.expect(-nextRing);
            SubscriptionEpochs.release(prepared, current, this, subscription);
            if (isPreparing(request.epoch())) {
                giveUp(CloseReason.CLOSED);
            }
            return;
        }
        SubscriptionEpochs.start(prepared, current, subscription, inbound, replacedRings);
        current = prepared;
        state = SubscriptionLinkState.ACCEPTED;
        deadlineNs = services.nowNs() + services.parameters().durations().handshakeTimeoutNs();
        notices.accepted();
    }

    /**
     * The peer has connected, and data flows from here on.
     *
     * @param position that the peer begins at.
     */
    public void onEstablished(final long position) {
        if (state != SubscriptionLinkState.ACCEPTED) {
            return;
        }
        if (!available && !id.canBeginAt(position)) {
            onFailed(BreakReason.BAD_POSITION);
            return;
        }
        state = SubscriptionLinkState.ACTIVE;
        errors.onEstablished();
        services.counters().increment(available ? TransportCounter.LINKS_RESUMED : TransportCounter.LINKS_ESTABLISHED);
        if (available) {
            subscription.receiver().commands().establish(inbound);
            return;
        }
        available = true;
        image.joinPosition(position);
        subscription.receiver().commands().join(
            inbound, position, () -> tasks.execute(() -> onFailed(BreakReason.BAD_POSITION)));
        tasks.callBack(() -> subscription.images().onAvailable(image));
    }

    int doWork(final long nowNs) {
        final SubscriptionLinkState before = state;
        replacedRings.releasePassed(inbound.positions().consumed());
        if (state == SubscriptionLinkState.ACCEPTED && nowNs - deadlineNs > 0) {
            onFailed(BreakReason.PEER_SILENT);
        } else if (state == SubscriptionLinkState.ACTIVE && current.queuePair().state() == QueuePairState.ERROR) {
            onFailed(BreakReason.QUEUE_PAIR_ERROR);
        } else if (state == SubscriptionLinkState.BROKEN && !quiesced && session != null && session.isReady()) {
            // the program has yet to poll: it holds the publication up, as it does while the link works
            brokenAtNs = nowNs;
        } else if (state == SubscriptionLinkState.BROKEN
            && nowNs - brokenAtNs > services.parameters().durations().livenessTimeoutNs()) {
            giveUp(CloseReason.RESUME_TIMEOUT);
        }
        return state == before ? 0 : 1;
    }

    @Override
    public void onFailed(final BreakReason reason) {
        if (reason.mayComeOfOverrun()) {
            subscription.medium().takeEvents();
        }
        final boolean isBroken = state == SubscriptionLinkState.BROKEN;
        if (state.compareTo(SubscriptionLinkState.ACTIVE) > 0 && !(isBroken && id.isFatalLater(reason))) {
            return;
        }
        if (reason == BreakReason.BAD_FRAME && id.logShared() && !current.queuePair().isPeerReceiving()) {
            // not a bad frame: the publication has closed its end and reused the log
            giveUp(CloseReason.LEFT_BEHIND);
            return;
        }
        if (reason.isFatal()) {
            errors.givenUp(reason, inbound.end().badFrame());
        }
        notices.broken(reason);
        if (reason.isFatal() || !available) {
            if (!isBroken) {
                services.counters().increment(TransportCounter.LINKS_BROKEN);
            }
            giveUp(CloseReason.CLOSED);
        } else {
            breakEpoch(reason);
        }
    }

    /**
     * The completion queue has overrun, which the link may have been broken by already, for all that was known. A
     * set-up that is under way goes on: with the other queue, or it fails, and the publication waits for either answer.
     */
    void onOverrun() {
        final boolean isPreparing = state == SubscriptionLinkState.PREPARING;
        if (state == SubscriptionLinkState.BROKEN || isPreparing && available) {
            notices.broken(BreakReason.COMPLETION_QUEUE_OVERRUN);
        }
        if (!isPreparing) {
            onFailed(BreakReason.COMPLETION_QUEUE_OVERRUN);
        }
    }

    /**
     * The peer has found the link broken.
     *
     * @param reason that it gave.
     */
    public void onBrokenByPeer(final BreakReason reason) {
        if (isLive() && (reason.isFatal() || !available)) {
            giveUp(CloseReason.CLOSED);
        } else if (isLive()) {
            breakEpoch(reason);
        }
    }

    private boolean isLive() {
        return state == SubscriptionLinkState.ACTIVE || state == SubscriptionLinkState.ACCEPTED;
    }

    /** Whether nothing arrives and nothing is reported in the current epoch: it has ended, or not begun. */
    boolean isQuiescent() {
        return !isLive() && (state != SubscriptionLinkState.BROKEN || quiesced);
    }

    private void breakEpoch(final BreakReason reason) {
        breakReason = reason;
        if (state == SubscriptionLinkState.ACTIVE) {
            services.counters().increment(TransportCounter.LINKS_BROKEN);
        }
        brokenAtNs = services.nowNs();
        state = SubscriptionLinkState.BROKEN;
        quiesced = false;
        final long brokenEpoch = epoch;
        SubscriptionEpochs.end(current, subscription, this, inbound,
            received -> tasks.execute(() -> onQuiesced(brokenEpoch, received)),
            () -> giveUp(CloseReason.RESUME_TIMEOUT));
    }

    private void onQuiesced(final long brokenEpoch, final long received) {
        if (state != SubscriptionLinkState.BROKEN || brokenEpoch != epoch) {
            return;
        }
        quiesced = true;
        receivedPosition = received;
        notices.broken(BreakReason.ADMINISTRATIVE, received);
        if (pending != null) {
            begin(pending);
        }
    }

    /** The device has changed: the publication may try at once what has failed, and needs no other word for it. */
    void onWayChanged() {
        if (state == SubscriptionLinkState.BROKEN && quiesced) {
            notices.broken(BreakReason.ADMINISTRATIVE, receivedPosition);
        }
    }

    boolean isResumable(final SetupRequest request) {
        return available && state != SubscriptionLinkState.ENDING && state != SubscriptionLinkState.GONE
            && request.epoch() > epoch && id.isResumedBy(request);
    }

    void resume(final PeerChannel newSession, final SetupRequest request) {
        session = newSession;
        if (isLive()) {
            breakEpoch(BreakReason.ADMINISTRATIVE);
        }
        if (quiesced) {
            begin(request);
        } else {
            pending = request;
        }
    }

    /**
     * The publication is closed.
     *
     * @param endPosition of all that it has published.
     */
    public void onEndOfStream(final long endPosition) {
        if (state != SubscriptionLinkState.ACTIVE) {
            return;
        }
        final long known = announcedEnd;
        announcedEnd = endPosition;
        if (known != InboundLink.NO_END && known != endPosition) {
            onFailed(BreakReason.BAD_POSITION);
        } else if (endReceived) {
            notices.endReceived(image.endOfStreamPosition());
        } else if (known == InboundLink.NO_END) {
            subscription.receiver().commands().end(inbound, endPosition, () ->
                tasks.execute(() -> image.endOfStreamPosition(endPosition)));
        }
    }

    /**
     * The peer has told how far its publication is.
     *
     * @param position of the publication.
     */
    public void onPublicationPosition(final long position) {
        if (state == SubscriptionLinkState.ACTIVE && image.isNews(position) && current.memoryCompletion()) {
            subscription.receiver().commands().expect(inbound, position);
        }
    }

    @Override
    public void onEndReceived() {
        // a link that was given up ends where it was received, which is not the end of the stream
        if (image.endOfStreamPosition() != InboundLink.NO_END && state != SubscriptionLinkState.ENDING) {
            endReceived = true;
            notices.endReceived(image.endOfStreamPosition());
        }
    }

    @Override
    public void onEndConsumed() {
        if (state != SubscriptionLinkState.GONE) {
            state = SubscriptionLinkState.ENDING;
            tasks.callBack(() -> {
                try {
                    subscription.images().onUnavailable(image);
                } finally {
                    subscription.receiver().commands().detach(inbound, () -> tasks.execute(this::finish));
                }
            });
        }
    }

    /**
     * The peer has given the link up.
     *
     * @param reason on the wire.
     */
    public void onClosedByPeer(final CloseReason reason) {
        if (!isComplete()) {
            giveUp(reason);
        }
    }

    private boolean isComplete() {
        if (endReceived && state == SubscriptionLinkState.ACTIVE) {
            state = SubscriptionLinkState.ENDING;
        }
        return endReceived && state == SubscriptionLinkState.ENDING;
    }

    void onSessionLost(final boolean peerGone) {
        session = null;
        pending = null;
        if (!isComplete() && (peerGone || !available)) {
            giveUp(CloseReason.CLOSED);
        } else if (isLive()) {
            breakEpoch(BreakReason.PEER_SILENT);
        } else if (state == SubscriptionLinkState.PREPARING) {
            brokenAtNs = services.nowNs();
            state = SubscriptionLinkState.BROKEN;
            quiesced = true;
        }
    }

    /** The run ends where it was received: with CLOSED the application was told why, or need not be. */
    private void giveUp(final CloseReason reason) {
        if (state == SubscriptionLinkState.ENDING || state == SubscriptionLinkState.GONE) {
            return;
        }
        if (available) {
            errors.ended(reason, breakReason);
        }
        state = SubscriptionLinkState.ENDING;
        pending = null;
        notices.closed(CloseReason.RESUME_TIMEOUT);
        if (current != null) {
            current.queuePair().fail();
        }
        if (available) {
            subscription.receiver().commands().endAtReceived(inbound);
        } else if (current != null) {
            subscription.receiver().commands().detach(inbound, () -> tasks.execute(this::finish));
        } else {
            finish();
        }
    }

    private void finish() {
        if (state == SubscriptionLinkState.GONE) {
            return;
        }
        state = SubscriptionLinkState.GONE;
        SubscriptionEpochs.release(current, current, this, subscription);
        replacedRings.releaseAll(current == null ? null : current.ring());
        tasks.release(domain);
        if (available) {
            services.counters().increment(TransportCounter.LINKS_GONE);
        }
        subscription.remove(this);
    }

    void closeAndTell() {
        if (state != SubscriptionLinkState.ENDING) {
            notices.closed(CloseReason.CLOSED);
        }
        if (available) {
            tasks.callBack(() -> subscription.images().onUnavailable(image));
        }
        finish();
    }

    void abandon() {
        if (current != null) {
            tasks.release(() -> SubscriptionEpochs.destroy(current, this, subscription));
        }
        state = SubscriptionLinkState.ENDING;
    }

    /** Whether an epoch is still to be set up. Any thread. */
    boolean isPreparing(final long preparedEpoch) {
        return state == SubscriptionLinkState.PREPARING && epoch == preparedEpoch;
    }

    @Override
    public boolean isResuming() {
        return available;
    }

    /** Whether the publication has announced its end, or nothing more arrives whatever it does. */
    boolean isEnding() {
        return announcedEnd != InboundLink.NO_END || state.compareTo(SubscriptionLinkState.BROKEN) > 0;
    }

    /** {@return where the link stands} */
    public SubscriptionLinkState state() {
        return state;
    }

    /** Of all epochs. */
    LinkDomain domain() {
        return domain;
    }

    /** {@return the image, the API's side of the link} */
    public LinkImage image() {
        return image;
    }

    @Override
    public SubscriptionLinkId id() {
        return id;
    }

    @Override
    public InboundEpoch current() {
        return current;
    }

    ReplacedRings replacedRings() {
        return replacedRings;
    }

    SubscriptionLinkNotices notices() {
        return notices;
    }

    @Override
    public long receivedPosition() {
        return receivedPosition;
    }

    @Override
    public PeerChannel session() {
        return session;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public String toString() {
        return "linkId=" + id.linkId() + " streamId=" + subscription.streamId() + " " + image;
    }
}
