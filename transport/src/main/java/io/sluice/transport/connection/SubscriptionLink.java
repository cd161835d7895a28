package io.sluice.transport.connection;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.BreakReason;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/**
 * The subscription's end of a link, over all its epochs, as the conductor sees it:
 * <pre>
 *   PREPARING → ACCEPTED → ACTIVE → BROKEN → (PREPARING … of the next epoch) → ACTIVE: RESUMED
 *                             └────────┴──→ ENDING → GONE
 * </pre>
 * In ENDING nothing more arrives, and the consumers have yet to pass the end. Conductor only.
 */
final class SubscriptionLink {
    private final SubscriptionState subscription;
    private final Conductor conductor;
    private final TransportId peerId;
    private final TransportId incarnation;
    private final long linkId;
    private final int index;
    private final boolean logShared;
    private final InboundLink inbound;
    private final LinkImage image;
    private final List<MemoryRegion> replacedRings = new ArrayList<>();
    private ControlSession session;
    private SubscriptionLinkState state = SubscriptionLinkState.PREPARING;
    private long epoch;
    private InboundEpoch current;
    private SetupRequest pending;
    private boolean quiesced;
    private boolean available;
    private boolean endReceived;
    private long receivedPosition;
    private long deadlineNs;
    private long brokenAtNs;

    SubscriptionLink(final SubscriptionState subscription, final ControlSession session, final SetupRequest request) {
        this.subscription = subscription;
        conductor = subscription.conductor();
        this.session = session;
        peerId = session.peerId();
        linkId = request.linkId();
        incarnation = request.incarnation();
        logShared = SubscriptionEpochs.isShared(subscription, request);
        index = subscription.allocateIndex();
        inbound = new InboundLink(
            request.windowLength(), request.publicationPosition(), conductor.parameters().signalInterval());
        inbound.attachment(this);
        image = new LinkImage(inbound, request.sessionId(), session.peerName());
    }

    /** Prepare an epoch; for a resumed one, the one before must be quiescent. */
    void begin(final SetupRequest request) {
        state = SubscriptionLinkState.PREPARING;
        epoch = request.epoch();
        deadlineNs = conductor.nowNs() + conductor.parameters().handshakeTimeoutNs();
        final int generation = subscription.allocateGeneration();
        final MemoryRegion sharedRing = logShared && current != null ? current.ring() : null;
        subscription.onSetUpBegun();
        conductor.setUp(() -> {
            final InboundEpoch prepared =
                SubscriptionEpochs.prepare(subscription, request, index, generation, sharedRing);
            conductor.execute(() -> onPrepared(request, prepared));
        }, error -> {
            subscription.onSetUpEnded();
            conductor.reportError(error);
            conductor.subscriptions().refuse(session, request, RefuseReason.RESOURCES, error.getMessage());
            if (epoch == request.epoch() && state == SubscriptionLinkState.PREPARING) {
                giveUp();
            }
        });
    }

    private void onPrepared(final SetupRequest request, final InboundEpoch prepared) {
        subscription.onSetUpEnded();
        if (state != SubscriptionLinkState.PREPARING || epoch != request.epoch() || session == null) {
            conductor.release(prepared.queuePair());
            conductor.release(prepared.staging());
            if (current == null || prepared.ring() != current.ring()) {
                conductor.release(prepared.ring());
            }
            if (state == SubscriptionLinkState.PREPARING && epoch == request.epoch()) {
                giveUp();
            }
            return;
        }
        final boolean resumed = current != null;
        current = prepared;
        if (resumed) {
            subscription.receiver().commands().resume(inbound, prepared, (ring, consumedPosition) ->
                conductor.execute(() -> releaseReplacedRing(ring, consumedPosition)));
        } else {
            subscription.receiver().commands().attach(inbound, prepared);
        }
        state = SubscriptionLinkState.ACCEPTED;
        session.send(conductor.encoder().accept(this));
    }

    private void releaseReplacedRing(final MemoryRegion ring, final long consumedPosition) {
        if (inbound.consumed() >= consumedPosition) {
            conductor.release(ring);
        } else {
            replacedRings.add(ring);
        }
    }

    void onEstablished(final long position) {
        if (state != SubscriptionLinkState.ACCEPTED) {
            return;
        }
        state = SubscriptionLinkState.ACTIVE;
        if (available) {
            conductor.counters().increment(TransportCounter.LINKS_RESUMED);
            return;
        }
        conductor.counters().increment(TransportCounter.LINKS_ESTABLISHED);
        available = true;
        image.joinPosition(position);
        subscription.receiver().commands().join(
            inbound, position, () -> conductor.execute(() -> onFailed(BreakReason.BAD_POSITION)));
        conductor.callBack(() -> subscription.images().onAvailable(image));
    }

    int doWork(final long nowNs) {
        if (state.compareTo(SubscriptionLinkState.ACCEPTED) <= 0 && nowNs - deadlineNs > 0) {
            onFailed(BreakReason.PEER_SILENT);
        } else if (state == SubscriptionLinkState.ACTIVE && current.queuePair().state() == QueuePairState.ERROR) {
            onFailed(BreakReason.QUEUE_PAIR_ERROR);
        } else if (state == SubscriptionLinkState.BROKEN
            && nowNs - brokenAtNs > conductor.parameters().livenessTimeoutNs()) {
            giveUp();
        } else {
            return 0;
        }
        return 1;
    }

    /** The poller or the conductor found the link broken. */
    void onFailed(final BreakReason reason) {
        if (state.compareTo(SubscriptionLinkState.ACTIVE) > 0) {
            return;
        }
        if (reason == BreakReason.BAD_FRAME) {
            conductor.counters().increment(TransportCounter.FRAMES_REJECTED);
        }
        if (reason.isFatal() || reason == BreakReason.COMPLETION_QUEUE_OVERRUN) {
            conductor.reportError("link given up: reason=" + reason + " " + this);
        }
        tellBroken(reason, OutboundLink.UNSET);
        if (reason.isFatal() || reason == BreakReason.COMPLETION_QUEUE_OVERRUN || !available) {
            conductor.counters().increment(TransportCounter.LINKS_BROKEN);
            giveUp();
        } else {
            breakEpoch();
        }
    }

    void onBrokenByPeer(final BreakReason reason) {
        if (state == SubscriptionLinkState.ACTIVE || state == SubscriptionLinkState.ACCEPTED) {
            if (reason.isFatal() || !available) {
                giveUp();
            } else {
                breakEpoch();
            }
        }
    }

    private void tellBroken(final BreakReason reason, final long position) {
        if (session != null && session.isReady()) {
            session.send(conductor.encoder().linkBroken(linkId, epoch, Role.SUBSCRIPTION, reason, position));
        }
    }

    private void breakEpoch() {
        if (state == SubscriptionLinkState.ACTIVE) {
            conductor.counters().increment(TransportCounter.LINKS_BROKEN);
        }
        brokenAtNs = conductor.nowNs();
        state = SubscriptionLinkState.BROKEN;
        quiesced = false;
        final long brokenEpoch = epoch;
        final QueuePair pair = current.queuePair();
        pair.fail();
        conductor.setUp(() -> {
            pair.close();
            subscription.receiver().commands().quiesce(inbound, received ->
                conductor.execute(() -> onQuiesced(brokenEpoch, received)));
        }, conductor::reportError);
        conductor.release(current.staging());
    }

    private void onQuiesced(final long brokenEpoch, final long received) {
        if (state != SubscriptionLinkState.BROKEN || brokenEpoch != epoch) {
            return;
        }
        quiesced = true;
        receivedPosition = received;
        tellBroken(BreakReason.ADMINISTRATIVE, received);
        if (pending != null) {
            final SetupRequest request = pending;
            pending = null;
            begin(request);
        }
    }

    boolean isResumable(final SetupRequest request) {
        return available && state != SubscriptionLinkState.ENDING && state != SubscriptionLinkState.GONE
            && request.epoch() > epoch && request.incarnation().equals(incarnation)
            && request.windowLength() == current.ring().length();
    }

    void resume(final ControlSession newSession, final SetupRequest request) {
        session = newSession;
        if (state == SubscriptionLinkState.ACTIVE || state == SubscriptionLinkState.ACCEPTED) {
            breakEpoch();
        }
        if (quiesced) {
            begin(request);
        } else {
            pending = request;
        }
    }

    void onEndOfStream(final long endPosition) {
        if (state != SubscriptionLinkState.ACTIVE) {
            return;
        }
        image.endOfStreamPosition(endPosition);
        if (endReceived) {
            tellEndReceived();
        } else {
            subscription.receiver().commands().end(inbound, endPosition);
        }
    }

    void onEndReceived() {
        if (image.endOfStreamPosition() != InboundLink.NO_END) {
            endReceived = true;
            tellEndReceived();
        }
    }

    private void tellEndReceived() {
        if (session != null && session.isReady()) {
            final long endPosition = image.endOfStreamPosition();
            session.send(conductor.encoder().endOfStreamReceived(linkId, epoch, endPosition));
        }
    }

    /** The consumers are past the end: the image goes, and then its memory. */
    void onEndConsumed() {
        if (state == SubscriptionLinkState.GONE) {
            return;
        }
        state = SubscriptionLinkState.ENDING;
        conductor.callBack(() -> {
            subscription.images().onUnavailable(image);
            subscription.receiver().commands().detach(inbound, () -> conductor.execute(this::finish));
        });
    }

    void onClosedByPeer() {
        if (!isComplete()) {
            giveUp();
        }
    }

    /** Whether the whole stream has arrived, so that only its consumption is awaited. */
    private boolean isComplete() {
        if (endReceived && state == SubscriptionLinkState.ACTIVE) {
            state = SubscriptionLinkState.ENDING;
        }
        return endReceived && state == SubscriptionLinkState.ENDING;
    }

    void onSessionLost(final boolean peerGone) {
        session = null;
        if (isComplete()) {
            pending = null;
        } else if (peerGone || !available) {
            giveUp();
        } else if (state == SubscriptionLinkState.ACTIVE || state == SubscriptionLinkState.ACCEPTED) {
            breakEpoch();
        } else if (state == SubscriptionLinkState.PREPARING) {
            brokenAtNs = conductor.nowNs();
            state = SubscriptionLinkState.BROKEN;
            quiesced = true;
        }
        pending = null;
    }

    /** Nothing more arrives: the image ends where it was received, a link without an image at once. */
    private void giveUp() {
        if (state == SubscriptionLinkState.ENDING || state == SubscriptionLinkState.GONE) {
            return;
        }
        state = SubscriptionLinkState.ENDING;
        pending = null;
        conductor.counters().increment(TransportCounter.LINKS_GONE);
        if (current != null) {
            current.queuePair().fail();
        }
        if (available) {
            subscription.receiver().commands().endAtReceived(inbound);
        } else if (current != null) {
            subscription.receiver().commands().detach(inbound, () -> conductor.execute(this::finish));
        } else {
            finish();
        }
    }

    private void finish() {
        if (state == SubscriptionLinkState.GONE) {
            return;
        }
        state = SubscriptionLinkState.GONE;
        if (current != null) {
            conductor.release(current.queuePair());
            conductor.release(current.staging());
            conductor.release(current.ring());
        }
        replacedRings.forEach(conductor::release);
        subscription.remove(this);
    }

    /** The subscription closes, and its polling thread is outside for good. */
    void closeAndTell() {
        if (session != null && session.isReady() && state != SubscriptionLinkState.ENDING) {
            session.send(conductor.encoder().closeLink(linkId, epoch, Role.SUBSCRIPTION, CloseReason.CLOSED));
        }
        if (available) {
            conductor.callBack(() -> subscription.images().onUnavailable(image));
        }
        finish();
    }

    /** A handler may be reading for ever: stop the peer, and never release the memory. */
    void abandon() {
        if (current != null) {
            conductor.release(current.queuePair());
        }
        state = SubscriptionLinkState.GONE;
    }

    boolean isResuming() {
        return available;
    }

    boolean isLogShared() {
        return logShared;
    }

    InboundEpoch current() {
        return current;
    }

    long receivedPosition() {
        return receivedPosition;
    }

    ControlSession session() {
        return session;
    }

    TransportId peerId() {
        return peerId;
    }

    long linkId() {
        return linkId;
    }

    long epoch() {
        return epoch;
    }

    int index() {
        return index;
    }

    @Override
    public String toString() {
        return "linkId=" + linkId + " streamId=" + subscription.streamId() + " " + image;
    }
}
