package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.receive.InboundLink;

/**
 * The end of a subscription's link: of its stream, by the publication's word, and of itself, for whichever reason.
 * <pre>
 *   any state of {@link SubscriptionLink} → ENDING → GONE
 *   ACTIVE → ENDING, when the whole stream has arrived and the peer or its word is gone
 *   any → GONE when the subscription is closed; of a link that no polling thread has had
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>ENDING</td><td>the consumers have passed the end, and image handlers have run; of a link that the
 *     application never saw, the polling thread has detached it</td><td>polling, callback</td></tr>
 *   <tr><td>GONE</td><td>nothing any more; ring and queue pair go, each when nobody uses it</td><td>set-up</td></tr>
 * </table>
 * In ENDING nothing more arrives, and the consumers have yet to pass the end. Conductor only. The link owns it; it
 * releases what the link holds.
 */
public final class SubscriptionLinkEnd {
    private final SubscriptionLinkStanding standing;
    private final ShownImage image;
    private final SubscriptionLinkNotices notices;
    private final SubscriptionEpochs epochs;
    private final SubscriptionLinkErrors errors;
    /** The action that is run when the link is GONE, once. */
    private final Runnable whenGone;
    /** The end of the stream, as the publisher has told it, or NO_END; another one than the first breaks the link. */
    private long announcedEnd = InboundLink.NO_END;
    /** Whether all bytes up to the announced end have arrived: the publisher need not come back for this image. */
    private boolean endReceived;

    SubscriptionLinkEnd(
        final SubscriptionLinkStanding standing,
        final ShownImage image,
        final SubscriptionLinkNotices notices,
        final SubscriptionEpochs epochs,
        final SubscriptionLinkErrors errors,
        final Runnable whenGone) {
        this.standing = standing;
        this.image = image;
        this.notices = notices;
        this.epochs = epochs;
        this.errors = errors;
        this.whenGone = whenGone;
    }

    /**
     * Notes that the publication is closed, maybe again after a resumption: then it is told once more what it has
     * missed. The end is checked on the polling thread against what has arrived.
     *
     * @return false when it was another end before, which breaks the link.
     */
    boolean announce(final long endPosition) {
        final long known = announcedEnd;
        announcedEnd = endPosition;
        if (known != InboundLink.NO_END && known != endPosition) {
            return false;
        }
        if (endReceived) {
            notices.endReceived(image.endPosition());
        } else if (known == InboundLink.NO_END) {
            image.announceEnd(endPosition);
        }
        return true;
    }

    /** Notes that all bytes up to the end have arrived, and tells the publication. */
    void onReceived() {
        // a link that was given up ends where it was received, which is not the end of the stream
        if (image.endPosition() != InboundLink.NO_END && !standing.is(SubscriptionLinkState.ENDING)) {
            endReceived = true;
            notices.endReceived(image.endPosition());
        }
    }

    /** Notes that the consumers have passed the end: image handlers run, and then nobody refers to the link. */
    void onConsumed() {
        if (!standing.is(SubscriptionLinkState.GONE)) {
            standing.moveTo(SubscriptionLinkState.ENDING);
            image.end(() -> epochs.detach(this::finish));
        }
    }

    /**
     * Notes that the peer has given the link up: the image ends where it was received. After the whole stream has
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
    boolean isComplete() {
        if (endReceived && standing.is(SubscriptionLinkState.ACTIVE)) {
            standing.moveTo(SubscriptionLinkState.ENDING);
        }
        return endReceived && standing.is(SubscriptionLinkState.ENDING);
    }

    /**
     * Whether the publication has announced its end, or nothing more arrives whatever it does. A publication of another
     * transport with the same session then waits until this link is gone, and before that it is refused.
     */
    boolean isEnding() {
        return announcedEnd != InboundLink.NO_END || standing.isOver();
    }

    /** Notes that the link has broken, which is told as the reason of its end should it not be resumed. */
    void noteBreak(final BreakReason reason) {
        if (standing.is(SubscriptionLinkState.ACTIVE)) {
            errors.onBroken(reason, standing.epoch(), true);
        } else {
            errors.note(reason);
        }
    }

    /**
     * Ends the stream where it was received, in ENDING and not at once: consumers have yet to pass what has arrived,
     * and image handlers to run. A link that the application never saw has neither, and is detached from the polling
     * thread, or forgotten when that never had it.
     *
     * @param reason for the application; with CLOSED it was told why, or need not be.
     */
    void giveUp(final CloseReason reason) {
        if (standing.isOver()) {
            return;
        }
        if (image.isAvailable()) {
            errors.ended(reason);
        }
        standing.moveTo(SubscriptionLinkState.ENDING);
        notices.closed(CloseReason.RESUME_TIMEOUT);
        epochs.fail();
        if (image.isAvailable()) {
            image.endAtReceived();
        } else if (epochs.isStarted()) {
            epochs.detach(this::finish);
        } else {
            finish();
        }
    }

    /**
     * Releases everything: nobody refers to the link any more, neither the polling thread, which has detached it or
     * left for good, nor a consumer. Idempotent.
     */
    private void finish() {
        if (!standing.is(SubscriptionLinkState.GONE)) {
            standing.moveTo(SubscriptionLinkState.GONE);
            epochs.releaseAll();
            whenGone.run();
        }
    }

    /**
     * Ends the link because its subscription is closed. The polling thread and all consumers have left for good, so
     * that nothing waits for them; the image handler is called all the same.
     */
    void closeAndTell() {
        if (!standing.is(SubscriptionLinkState.ENDING)) {
            notices.closed(CloseReason.CLOSED);
        }
        if (image.isAvailable()) {
            image.end(() -> { });
        }
        finish();
    }

    /**
     * Gives up a link whose handler does not return. The queue pair is destroyed, so that nothing writes into the ring
     * any more; the ring stays, since the handler may be reading it.
     */
    void abandon() {
        epochs.leaveRing();
        standing.moveTo(SubscriptionLinkState.ENDING);
    }
}
