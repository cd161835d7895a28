package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.carrier.StampClock;

/**
 * The subscription's end of a link over all its epochs: what ties the positions of its image to the ring that the bytes
 * lie in, to the receives that are posted and to what the publication is told.
 * <p>
 * One thread polls.
 */
public final class InboundLink {
    /** The stream's end is not known. */
    public static final long NO_END = Long.MAX_VALUE;

    /** The id that no completion carries: its kind is not used. */
    private static final long NO_WORK_REQUEST_ID = 0;

    private final ImagePositions positions;
    private final ReceiveCredits credits = new ReceiveCredits();
    private final FrameReader reader;
    private final LogScan logScan;
    private final int signalInterval;
    private final StreamEnd end = new StreamEnd();
    private final AnnouncedPosition announcedPosition = new AnnouncedPosition();
    private final LinkPlace place = new LinkPlace();
    private InboundLinkOwner owner;
    private volatile MessageView view;

    private InboundEpoch epoch;
    private FeedbackWriter feedback;
    private long workRequestId;

    /**
     * A link that has not joined the stream yet, whose messages are not stamped.
     *
     * @param windowLength   bytes of the ring, a power of two.
     * @param basePosition   a position at or before that of the join, less than 64 GiB before it.
     * @param signalInterval at least every n-th feedback write is signalled.
     * @param frameKey       of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     */
    public InboundLink(
        final int windowLength, final long basePosition, final int signalInterval, final long frameKey) {
        this(windowLength, basePosition, signalInterval, frameKey, StampClock.NONE);
    }

    /**
     * A link that has not joined the stream yet.
     *
     * @param windowLength   bytes of the ring, a power of two.
     * @param basePosition   a position at or before that of the join, less than 64 GiB before it.
     * @param signalInterval at least every n-th feedback write is signalled.
     * @param frameKey       of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     * @param stamps         clock that the stamps of its messages are compared with.
     */
    public InboundLink(
        final int windowLength,
        final long basePosition,
        final int signalInterval,
        final long frameKey,
        final StampClock stamps) {
        positions = new ImagePositions(windowLength, basePosition);
        reader = new FrameReader(windowLength, frameKey, stamps);
        logScan = new LogScan(reader, positions);
        this.signalInterval = signalInterval;
    }

    /** Begin an epoch, whose ring holds every byte from walked to received. Polling thread. */
    void begin(final InboundEpoch newEpoch) {
        epoch = newEpoch;
        reader.ring(newEpoch.ring().buffer());
        credits.begin(newEpoch);
        positions.onEpoch();
        feedback = new FeedbackWriter(newEpoch, signalInterval, positions, credits);
        logScan.open(newEpoch);
        // last: the link is live from here on, and needs all of it
        workRequestId = newEpoch.receives().workRequestId();
    }

    /** Notes that the publication's queue pair receives in this epoch, if that is not over. Polling thread. */
    void establish() {
        if (isLive()) {
            feedback.establish();
        }
    }

    /** End the epoch: completions that carry its id are stale from now on. Polling thread. */
    void quiesce() {
        workRequestId = NO_WORK_REQUEST_ID;
        feedback = null;
        logScan.close();
    }

    /** {@return false when the link cannot join at a position, after what was received} Polling thread. */
    boolean join(final long joinPosition) {
        if (!positions.join(joinPosition)) {
            return false;
        }
        if (isLive()) {
            logScan.open(epoch);
        }
        return true;
    }

    /** {@return false when a write, told by the immediate of its completion, lies outside the window} */
    boolean onWrite(final int immediate) {
        credits.onDrained();
        return positions.onWrite(immediate);
    }

    /** {@return whether the next frame of a shared log is all that is waited for} Polling thread. */
    boolean isAwaiting() {
        return !end.isKnown() && logScan.isAwaiting();
    }

    /** {@return the four positions of the image} */
    public ImagePositions positions() {
        return positions;
    }

    /** {@return the receives of the current epoch} Polling thread. */
    ReceiveCredits credits() {
        return credits;
    }

    /** {@return the reader of the frames of the current epoch} Polling thread. */
    public FrameReader reader() {
        return reader;
    }

    /** {@return whether anything beyond handing out messages is to be done} Polling thread; cheap, for every poll. */
    boolean isMaintenanceDue() {
        return credits.isMaintenanceDue() || positions.isReportDue() || end.isKnown();
    }

    /** {@return whether frames wait to be walked, or the publication may wait for a report} Polling thread. */
    boolean isHeldUp() {
        return positions.hasUnwalked() || isLive() && (positions.isHeldUp() || feedback.isDue(false));
    }

    /**
     * {@return whether events are to be reclaimed, receives given back or anything reported, by an idle polling thread
     * if not at once} Polling thread.
     */
    boolean isIdleMaintenanceDue() {
        return positions.hasOutstandingEvents() || isLive() && (credits.hasDrained() || feedback.isDue(true));
    }

    /** {@return the epoch's writer of feedback to the publication; null while the link is broken} Polling thread. */
    FeedbackWriter feedback() {
        return feedback;
    }

    /** {@return the scan that finds frames of a shared log, where no completion tells} Polling thread. */
    LogScan logScan() {
        return logScan;
    }

    /** {@return the current epoch, or the last one when the link is quiesced} Polling thread. */
    public InboundEpoch epoch() {
        return epoch;
    }

    /** {@return whether the link delivers in an epoch now, false while it is broken} Polling thread. */
    public boolean isLive() {
        return workRequestId != NO_WORK_REQUEST_ID;
    }

    boolean isCurrent(final long completedId) {
        return WorkRequestId.generation(completedId) == WorkRequestId.generation(workRequestId) && isLive();
    }

    /**
     * Cuts the stream at a position, from which on frames are not to be read: the peer's bytes are wrong. Once, as a
     * link ends. Polling thread.
     *
     * @param position of the first bad frame.
     */
    public void truncate(final long position) {
        final String found = "consumed=" + positions.consumed() + " received=" + positions.received() + " "
            + reader.describe(position);
        positions.received(position);
        end.truncate(position, found);
    }

    /** {@return the position that the publication announces, on its way to the polling thread} */
    AnnouncedPosition announcedPosition() {
        return announcedPosition;
    }

    /** {@return the end of the stream: where that is, once it is known, and who has been told} Polling thread. */
    public StreamEnd end() {
        return end;
    }

    /** {@return the link's place among those of its receiver} Polling thread. */
    LinkPlace place() {
        return place;
    }

    /** {@return the view that messages go to, or null while they must not be handed out} Any thread. */
    public MessageView view() {
        return view;
    }

    /**
     * Hand messages out from now on. Any thread.
     *
     * @param newView of the link's image, which messages go to.
     */
    public void view(final MessageView newView) {
        view = newView;
    }

    /** {@return the owner that is told of what happens to the link, or null} Any thread. */
    public InboundLinkOwner owner() {
        return owner;
    }

    /**
     * Say who is told of what happens to the link. Conductor, before the link is attached to a receiver.
     *
     * @param newOwner to tell, on the conductor.
     */
    public void owner(final InboundLinkOwner newOwner) {
        owner = newOwner;
    }
}
