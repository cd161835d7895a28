package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
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
 *   <tr><td>BROKEN</td><td>the polling thread has taken what had arrived (quiesced), and the publisher asks anew</td>
 *     <td>PREPARING, ENDING, GONE</td><td>set-up, polling, conductor</td></tr>
 *   <tr><td>ENDING</td><td>the consumers have passed the end, and image handlers have run</td><td>GONE</td><td>polling,
 *     callback</td></tr>
 * </table>
 * In ENDING nothing more arrives, and the consumers have yet to pass the end. Conductor only.
 */
public final class SubscriptionLink implements InboundLinkOwner, SubscriptionLinkNotices.Subject {
    private final SubscriptionState subscription;
    private final Services services;
    private final Tasks tasks;
    /** Errors told of this link, and of those that follow it with the same publication, once each. */
    private final SubscriptionLinkErrors errors;
    private final SubscriptionLinkId id;
    /**
     * The polling thread's side, over all epochs. The conductor changes it by commands only, which that thread takes up
     * at its next poll: in INVOKER mode not before the program polls.
     */
    private final InboundLink inbound;
    /** The image that the application sees from the first ACTIVE on. */
    private final ImageState image;
    /** Rings of earlier epochs that consumers may still be reading; empty where the log itself is mapped. */
    private final ReplacedRings replacedRings;
    /** Messages to the publisher. Without a connected peer they are dropped, but for evictions, which wait. */
    private final SubscriptionLinkNotices notices;
    /** The protection domain of all epochs: the publisher's keys are good here and nowhere else (030). */
    private final LinkDomain domain;
    /** The peer that messages go to; null from when its control session is lost until it asks to resume. */
    private ConnectedPeer peer;
    /**
     * The link's state, written by the conductor only; volatile because the set-up thread asks whether an epoch that
     * waits for it is still wanted.
     */
    private volatile SubscriptionLinkState state = SubscriptionLinkState.PREPARING;
    /** The epoch that was begun last, as the publisher has numbered it: greater each time, maybe by more than one. */
    private volatile long epoch;
    /**
     * The parts of the epoch that was handed to the polling thread last, also when it has broken since: its ring is
     * read on. Null before the first.
     */
    private InboundEpoch current;
    /**
     * The publisher's request that came before the broken epoch was quiescent, the last one if there are more; null
     * otherwise. It has waited for the polling thread, and is answered when that has come by.
     */
    private SetupRequest pending;
    /**
     * Whether nothing arrives any more in the broken epoch, so that the received position is final. Means something in
     * BROKEN and in the PREPARING after it: an attempt that fails there leaves it true.
     */
    private boolean quiesced;
    /**
     * Whether the link was ACTIVE once, so that the application knows its image: from then on it resumes, and ends by
     * way of the consumers. Never taken back.
     */
    private boolean available;
    /** Whether all bytes up to the announced end have arrived: the publisher need not come back for this image. */
    private boolean endReceived;
    /** The end of the stream, as the publisher has told it, or NO_END; another one than the first breaks the link. */
    private long announcedEnd = InboundLink.NO_END;
    /**
     * The position that the last broken epoch had received when it was quiescent: the one that the next epoch begins
     * at.
     */
    private long receivedPosition;
    /** The time of the conductor's clock until which the publisher has to establish the epoch; of ACCEPTED only. */
    private long deadlineNs;
    /**
     * The time of the conductor's clock since which the link is broken and could be resumed; of BROKEN only. It is
     * moved on as long as only this side's own program keeps it.
     */
    private long brokenAtNs;
    /** The reason of the last break, for the application, should the link not be resumed. */
    private BreakReason breakReason = BreakReason.ADMINISTRATIVE;

    /**
     * Creates a link for which nothing is made yet. Values of the request that allocate memory were checked against
     * quotas before.
     */
    SubscriptionLink(final SubscriptionState subscription, final ConnectedPeer peer, final SetupRequest request) {
        this.subscription = subscription;
        services = subscription.services();
        tasks = subscription.services().tasks();
        replacedRings = new ReplacedRings(subscription.consumers().rings());
        notices = new SubscriptionLinkNotices(this, subscription.owner().encoder());
        domain = new LinkDomain(subscription.medium().parameters().device());
        this.peer = peer;
        id = new SubscriptionLinkId(
            peer.origin(), request.linkId(), request.publication().incarnation(), request.log().position(),
            request.log().windowLength(), subscription.allocateIndex(), request.log().isShared(),
            SubscriptionEpochs.isShared(subscription, request));
        inbound = new InboundLink(request.log().windowLength(), request.log().position(),
            services.parameters().sendQueue().signalInterval(), request.publication().incarnation().low());
        inbound.owner(this);
        image = new ImageState(inbound, request.publication().sessionId(), peer.peerName());
        errors = new SubscriptionLinkErrors(services, this,
            SubscriptionLinkErrors.subject(subscription.options(), id.peerId(), request.publication().sessionId()));
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
        state = SubscriptionLinkState.PREPARING;
        pending = null;
        epoch = request.epoch();
        final long workRequestId =
            WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, id.index(), subscription.allocateGeneration());
        final MemoryRegion sharedRing = id.logShared() && current != null ? current.ring() : null;
        final SourceAddress source =
            peer == null ? SourceAddress.ANY : peer.sourceAddress();
        final long nextRing = current == null || id.logShared() ? 0 : request.log().windowLength();
        replacedRings.expect(nextRing);
        subscription.onSetupBegun();
        tasks.setUp(() -> {
            final InboundEpoch made = isPreparing(request.epoch())
                ? SubscriptionEpochs.prepare(subscription, domain, request, workRequestId, sharedRing, source) : null;
            tasks.execute(() -> onPrepared(request, made, nextRing));
        }, error -> {
            replacedRings.expect(-nextRing);
            subscription.onSetupEnded();
            if (isPreparing(request.epoch())) {
                errors.notMade(error);
                subscription.owner().refuse(peer, request, RefuseReason.RESOURCES, error.getMessage());
                if (available) {
                    // it stays quiescent: the publisher may try again until the liveness timeout
                    state = SubscriptionLinkState.BROKEN;
                } else {
                    giveUp(CloseReason.CLOSED);
                }
            }
        });
    }

    /**
     * Hands the epoch to the polling thread, and accepts. In this order: the publisher's first write may come as soon
     * as it is accepted, and has to be found by the next poll.
     *
     * @param prepared null when the epoch was given up before the set-up thread came to it.
     * @param nextRing bytes of the ring that replaces another one, 0 for none: they were counted since the set-up
     *                 began.
     */
    private void onPrepared(final SetupRequest request, final InboundEpoch prepared, final long nextRing) {
        subscription.onSetupEnded();
        if (!isPreparing(request.epoch()) || prepared == null || peer == null) {
            replacedRings.expect(-nextRing);
            SubscriptionEpochs.release(prepared, current, domain, subscription);
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
     * Hears that the peer has connected. The image is shown to the application the first time, and its messages are
     * handed out when the image handler has returned on the callback thread. A resumed link may only report from now
     * on: before the publisher's end receives, a report would break it.
     *
     * @param position that the peer begins at; on a resumed link it is known, and not looked at. One that does not fit
     *                 what was told or received before breaks the link, here or on the polling thread.
     */
    public void onEstablished(final long position) {
        if (state != SubscriptionLinkState.ACCEPTED) {
            return;
        }
        if (!available && !id.canJoinAt(position)) {
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

    /**
     * Releases rings that the consumers have passed, and looks at timeouts and the queue pair, each duty cycle. A
     * silent publisher is noticed in ACCEPTED after the handshake timeout, in ACTIVE by its control session only, and
     * in BROKEN after the liveness timeout: the publication has given up before by its resume timeout, which is not
     * longer on the same settings.
     *
     * @param nowNs time of the conductor's clock.
     * @return 1 when the state has moved on.
     */
    int doWork(final long nowNs) {
        final SubscriptionLinkState before = state;
        replacedRings.releasePassed(inbound.positions().consumed());
        if (state == SubscriptionLinkState.ACCEPTED && nowNs - deadlineNs > 0) {
            onFailed(BreakReason.PEER_SILENT);
        } else if (state == SubscriptionLinkState.ACTIVE && current.queuePair().state() == QueuePairState.ERROR) {
            onFailed(BreakReason.QUEUE_PAIR_ERROR);
        } else if (state == SubscriptionLinkState.BROKEN && !quiesced && peer != null && peer.isReady()) {
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
        // an overrun that waits to be told is the better reason, and breaks the other links of the queue, too
        if (reason.mayComeOfOverrun()) {
            subscription.medium().takeEvents();
        }
        // the polling thread may find bad bytes of an epoch that has ended meanwhile: then the link must not be resumed
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
     * Hears that the peer has found the current epoch broken. The break is not told in return: the notice that this end
     * is quiescent says it all.
     *
     * @param reason that it gave; after a fatal one, or when the link was never available, it ends.
     */
    public void onBrokenByPeer(final BreakReason reason) {
        if (isLive() && (reason.isFatal() || !available)) {
            giveUp(CloseReason.CLOSED);
        } else if (isLive()) {
            breakEpoch(reason);
        }
    }

    /** Whether the publisher may be writing in the current epoch: from ACCEPTED on, whether it has said so or not. */
    private boolean isLive() {
        return state == SubscriptionLinkState.ACTIVE || state == SubscriptionLinkState.ACCEPTED;
    }

    /**
     * Whether nothing arrives and nothing is reported in the current epoch: it has ended, or not begun. Then the ring
     * can be given to a consumer that does not come back, and the link goes on in another one.
     */
    boolean isQuiescent() {
        return !isLive() && (state != SubscriptionLinkState.BROKEN || quiesced);
    }

    /**
     * Ends the epoch: the queue pair fails at once, the set-up thread destroys it, and then the polling thread takes
     * what had arrived. Only after both is the received position final, and told (005). If the queue pair cannot be
     * destroyed the link ends, since its device might still write.
     */
    private void breakEpoch(final BreakReason reason) {
        breakReason = reason;
        if (state == SubscriptionLinkState.ACTIVE) {
            services.counters().increment(TransportCounter.LINKS_BROKEN);
        }
        brokenAtNs = services.nowNs();
        state = SubscriptionLinkState.BROKEN;
        quiesced = false;
        final long brokenEpoch = epoch;
        SubscriptionEpochs.end(current, subscription, domain, inbound,
            received -> tasks.execute(() -> onQuiesced(brokenEpoch, received)),
            () -> giveUp(CloseReason.RESUME_TIMEOUT));
    }

    /**
     * Tells the publisher where to go on from, and takes up its request if that has come before. The word is
     * ADMINISTRATIVE, since the reason of the break was told when it was known.
     *
     * @param brokenEpoch that was ended: another one may have been begun by now, and then this is of no use.
     * @param received    position up to which all has arrived, in bytes.
     */
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

    /**
     * Hears that the device has changed: the publication may try at once what has failed. The quiescent notice is said
     * once more for that, which every version of the protocol understands (005). In all other states the link works, or
     * somebody is at it already.
     */
    void onWayChanged() {
        if (state == SubscriptionLinkState.BROKEN && quiesced) {
            notices.broken(BreakReason.ADMINISTRATIVE, receivedPosition);
        }
    }

    /**
     * Whether the publisher may go on with this link. Not when it was never available, as then there is no image to go
     * on with, nor when its image is ending: a Refuse tells the publisher to make a fresh link.
     *
     * @param request whose incarnation, window and way of reading must be those of before, and whose epoch a later one.
     */
    boolean isResumable(final SetupRequest request) {
        return available && state != SubscriptionLinkState.ENDING && state != SubscriptionLinkState.GONE
            && request.epoch() > epoch && id.isResumedBy(request);
    }

    /**
     * Takes the publisher's request to resume, now or when the broken epoch is quiescent. The publisher may know of a
     * break that this end has not noticed: its request is word enough.
     *
     * @param newSession that the request came over; it takes the place of a lost one.
     * @param request    for which {@link #isResumable} was true.
     */
    void resume(final ConnectedPeer newPeer, final SetupRequest request) {
        peer = newPeer;
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
     * Hears that the publication is closed, maybe again after a resumption: then it is told once more what it has
     * missed. The end is checked on the polling thread against what has arrived, and the application sees it when it
     * was found good there.
     *
     * @param endPosition of all that it has published, in bytes.
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
     * Hears how far the publication is, by its heartbeat. The polling thread is told only where no completion tells of
     * frames, and only when it is news: a peer may say it as often as it likes.
     *
     * @param position of the publication, in bytes; one that cannot be breaks the link.
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
     * Hears that the peer has given the link up: the image ends where it was received. After the whole stream has
     * arrived that is as it should be, and the application hears of no failure.
     *
     * @param reason for the application.
     */
    public void onClosedByPeer(final CloseReason reason) {
        if (!isComplete()) {
            giveUp(reason);
        }
    }

    /**
     * Whether the stream has arrived to its end, so that whatever happens to the link now is no loss. Moves an ACTIVE
     * link on to ENDING: it waits for nobody but its consumers.
     */
    private boolean isComplete() {
        if (endReceived && state == SubscriptionLinkState.ACTIVE) {
            state = SubscriptionLinkState.ENDING;
        }
        return endReceived && state == SubscriptionLinkState.ENDING;
    }

    /**
     * Hears that the control session is over. A link that was never available ends, and so does one whose publisher is
     * gone for good. Any other one is broken and may be resumed over another control session of the same origin; a
     * set-up that is under way is given up, and leaves the link as quiescent as it found it.
     *
     * @param peerGone whether the publisher's process has certainly ended.
     */
    void onPeerLost(final boolean peerGone) {
        peer = null;
        pending = null;
        if (!isComplete() && (peerGone || !available)) {
            if (available && !isEnding()) {
                errors.lost();
            }
            giveUp(CloseReason.CLOSED);
        } else if (isLive()) {
            breakEpoch(BreakReason.PEER_SILENT);
        } else if (state == SubscriptionLinkState.PREPARING) {
            brokenAtNs = services.nowNs();
            state = SubscriptionLinkState.BROKEN;
            quiesced = true;
        }
    }

    /**
     * Ends the stream where it was received, in ENDING and not at once: consumers have yet to pass what has arrived,
     * and image handlers to run. A link that the application never saw has neither, and is detached from the polling
     * thread, or forgotten when that never had it.
     *
     * @param reason for the application; with CLOSED it was told why, or need not be.
     */
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

    /**
     * Releases everything: nobody refers to the link any more, neither the polling thread, which has detached it or
     * left for good, nor a consumer. Idempotent.
     */
    private void finish() {
        if (state == SubscriptionLinkState.GONE) {
            return;
        }
        state = SubscriptionLinkState.GONE;
        SubscriptionEpochs.release(current, current, domain, subscription);
        replacedRings.releaseAll(current == null ? null : current.ring());
        tasks.release(domain);
        if (available) {
            services.counters().increment(TransportCounter.LINKS_GONE);
        }
        subscription.remove(this);
    }

    /**
     * Ends the link because its subscription is closed. The polling thread and all consumers have left for good, so
     * that nothing waits for them; the image handler is called all the same.
     */
    void closeAndTell() {
        if (state != SubscriptionLinkState.ENDING) {
            notices.closed(CloseReason.CLOSED);
        }
        if (available) {
            tasks.callBack(() -> subscription.images().onUnavailable(image));
        }
        finish();
    }

    /**
     * Gives up a link whose handler does not return. The queue pair is destroyed, so that nothing writes into the ring
     * any more; the ring stays, since the handler may be reading it.
     */
    void abandon() {
        if (current != null) {
            tasks.release(() -> SubscriptionEpochs.destroy(current, domain, subscription));
        }
        state = SubscriptionLinkState.ENDING;
    }

    /**
     * Whether an epoch is still to be set up. Any thread: the set-up thread asks when its turn comes, so that many
     * attempts that have piled up cost little.
     */
    boolean isPreparing(final long preparedEpoch) {
        return state == SubscriptionLinkState.PREPARING && epoch == preparedEpoch;
    }

    @Override
    public boolean isResuming() {
        return available;
    }

    /**
     * Whether the publication has announced its end, or nothing more arrives whatever it does. A publication of another
     * transport with the same session then waits until this link is gone, and before that it is refused.
     */
    boolean isEnding() {
        return announcedEnd != InboundLink.NO_END || state.compareTo(SubscriptionLinkState.BROKEN) > 0;
    }

    /** {@return where the link stands} */
    public SubscriptionLinkState state() {
        return state;
    }

    /** {@return the state of the link's image, which the application sees} */
    public ImageState image() {
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
    public ConnectedPeer peer() {
        return peer;
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
