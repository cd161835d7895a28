package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.verbs.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The subscription's end of a link over all its epochs: the positions of an image and the ring that its bytes lie in.
 * <p>
 * Four positions, each only growing: received &ge; walked &ge; consumed &ge; reported. Who owns the bytes of the ring
 * when:
 * <pre>
 *  the device      from the write until its completion is drained: received; with completion=memory the ring is the
 *                  publication's log, and a frame is received when it was found committed there
 *  the poller      until it has checked the frame: walked
 *  the consumers   until the last of them has passed it: consumed
 *  the publication again when the feedback cell says so: reported
 * </pre>
 * One thread polls; others may read {@link #consumed()}.
 */
public final class InboundLink {
    /** The stream's end is not known. */
    public static final long NO_END = Long.MAX_VALUE;

    /** No completion carries this id: its kind is not used. */
    private static final long NO_WORK_REQUEST_ID = 0;

    /** Consumed bytes are reported when they make this fraction of the window: the publication then never starves. */
    private static final int REPORTS_PER_WINDOW = 8;

    private static final VarHandle CONSUMED;

    static {
        try {
            CONSUMED = MethodHandles.lookup().findVarHandle(InboundLink.class, "consumed", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final int windowLength;
    private final FrameReader reader;
    private final int reportLength;
    private final int signalInterval;
    private final RunEnd end = new RunEnd();
    private final ToldPosition toldPosition = new ToldPosition();
    private final LinkPlace place = new LinkPlace();
    private InboundLinkOwner owner;
    private volatile LinkView view;

    private InboundEpoch epoch;
    private FeedbackWriter feedback;
    private long workRequestId;
    private int repostChain;
    private boolean joined;
    /** Whether frames are looked for in the log: shared, with completion=memory, run begun, epoch not over. */
    private boolean scans;
    private boolean isPeerReceiving;
    private long received;
    private long walked;
    private long consumed;
    private long reportedConsumed;
    private long receivesPosted;
    private long reportedReceives;
    private int receivesDrained;
    private int outstandingEvents;
    private long messages;

    /**
     * A link that does not know yet where its run begins.
     *
     * @param windowLength   bytes of the ring, a power of two.
     * @param basePosition   a position at or before which the run begins, less than 64 GiB before it.
     * @param signalInterval at least every n-th feedback write is signalled.
     * @param frameKey       of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     */
    public InboundLink(
        final int windowLength, final long basePosition, final int signalInterval, final long frameKey) {
        this.windowLength = windowLength;
        reader = new FrameReader(windowLength, frameKey);
        reportLength = windowLength / REPORTS_PER_WINDOW;
        this.signalInterval = signalInterval;
        received = basePosition;
    }

    /** Begin an epoch, whose ring holds every byte from walked to received. Polling thread. */
    void begin(final InboundEpoch newEpoch) {
        epoch = newEpoch;
        reader.ring(newEpoch.ring().buffer());
        feedback = new FeedbackWriter(newEpoch, signalInterval);
        workRequestId = newEpoch.receives().workRequestId();
        receivesPosted = newEpoch.receives().depth();
        reportedReceives = receivesPosted;
        receivesDrained = 0;
        repostChain = newEpoch.receives().reportInterval();
        // whether the last report of the epoch before arrived is not known: report again as soon as possible
        reportedConsumed = joined ? consumed - reportLength : consumed;
        isPeerReceiving = !joined;
        scans = joined && epoch.memoryCompletion();
    }

    /** The publication's queue pair receives in this epoch: a report before would fail, and the epoch with it. */
    void establish() {
        isPeerReceiving = true;
    }

    /** End the epoch: completions that carry its id are stale from now on. Polling thread. */
    void quiesce() {
        workRequestId = NO_WORK_REQUEST_ID;
        feedback = null;
        scans = false;
    }

    /** {@return false when the run cannot begin at a position, after what was received} Polling thread. */
    boolean join(final long joinPosition) {
        if (joined || joinPosition < 0 || (joinPosition & (FrameDescriptor.FRAME_ALIGNMENT - 1)) != 0
            || received > joinPosition + windowLength) {
            return false;
        }
        joined = true;
        scans = isLive() && epoch.memoryCompletion();
        received = Math.max(received, joinPosition);
        walked = joinPosition;
        reportedConsumed = joinPosition;
        CONSUMED.setRelease(this, joinPosition);
        return true;
    }

    /** {@return false when a write, told by the immediate of its completion, lies outside the window} */
    boolean onWrite(final int immediate) {
        receivesDrained++;
        final long position = ImmediatePosition.reconstruct(immediate, received);
        if (joined && !isWithinWindow(position)) {
            return false;
        }
        received = position;
        return true;
    }

    /** {@return 1 when frames, of so many messages at most, were found committed to a shared log, else 0} */
    int scan(final int messageLimit) {
        return scans && !epoch.moderation().isHeld() ? find(messageLimit) : 0;
    }

    private int find(final int messageLimit) {
        final long end = reader.committedEnd(received, consumed + windowLength, messageLimit);
        epoch.moderation().onLooked(received, end);
        // asked after reading: a publication that goes on without this link has failed its queue pair before
        if (end == received || !epoch.queuePair().isPeerReceiving()) {
            return 0;
        }
        received = end;
        return 1;
    }

    /**
     * The publication told how far it has come: what is not committed up to there is wrong. Polling thread.
     *
     * @return false when no frame can end there.
     */
    boolean expect(final long position) {
        if ((position & (FrameDescriptor.FRAME_ALIGNMENT - 1)) != 0) {
            return false;
        }
        if (scans && position > received && isWithinWindow(position) && epoch.queuePair().isPeerReceiving()) {
            received = position;
        }
        return true;
    }

    /** {@return whether the next frame of a shared log is all that is waited for} Polling thread. */
    boolean isAwaiting() {
        return scans && consumed == received && !end.isKnown() && !epoch.moderation().isHeld();
    }

    /**
     * {@return the length word of the next frame of a shared log if it is a message, which is now received; or
     * {@link FrameReader#BAD_FRAME}, also when it may be a good one} Polling thread; all else is consumed.
     */
    public long receiveNext() {
        final long lengthWord = reader.messageAt(received);
        if (!scans || lengthWord == FrameReader.BAD_FRAME || !epoch.queuePair().isPeerReceiving()) {
            return FrameReader.BAD_FRAME;
        }
        received += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
        return lengthWord;
    }

    /** {@return what reads the frames of the current epoch} Polling thread. */
    public FrameReader reader() {
        return reader;
    }

    /** Find all committed frames of a shared log: before the epoch ends, which is the last moment. */
    void scanAll() {
        while (scans && find(FrameReader.SCAN_LIMIT) > 0) {
            // there may be more
        }
    }

    boolean isWithinWindow(final long position) {
        return position <= consumed + windowLength;
    }

    /** {@return false when the queue pair refuses drained receives, given back in chains or all} Polling thread. */
    boolean repost(final boolean all) {
        if (receivesDrained >= repostChain || all && receivesDrained > 0) {
            if (epoch.queuePair().postReceives(workRequestId, receivesDrained) != Errno.OK) {
                return false;
            }
            receivesPosted += receivesDrained;
            receivesDrained = 0;
        }
        return true;
    }

    /** {@return whether anything beyond handing out messages is to be done} Polling thread; cheap, for every poll. */
    boolean isMaintenanceDue() {
        return receivesDrained >= repostChain || consumed - reportedConsumed >= reportLength
            || receivesPosted - reportedReceives >= repostChain || end.isKnown();
    }

    /** {@return whether feedback is due, of which all is due to an idle poller} Polling thread. */
    boolean isReportDue(final boolean idle) {
        final long unreportedBytes = consumed - reportedConsumed;
        final long unreportedReceives = receivesPosted - reportedReceives;
        return isPeerReceiving && (unreportedBytes >= reportLength || unreportedReceives >= repostChain
            || idle && (unreportedBytes | unreportedReceives) != 0);
    }

    /** {@return whether messages wait to be handed out, or for consumers whom they were handed to} Polling thread. */
    public boolean isPending() {
        return joined && walked < received || outstandingEvents > 0;
    }

    /** {@return whether frames wait to be walked, or the publication may wait for a report} Polling thread. */
    boolean isHeldUp() {
        return joined && walked < received
            || isLive() && (walked - reportedConsumed >= reportLength || isReportDue(false));
    }

    /** {@return whether events are to be reclaimed, receives given back or anything reported} Polling thread. */
    boolean isOwing() {
        return outstandingEvents > 0 || isLive() && (receivesDrained > 0 || isReportDue(true));
    }

    /** {@return whether the queue pair took the write of the feedback cell} Polling thread; there must be room. */
    boolean report() {
        if (!feedback.write(consumed, receivesPosted)) {
            return false;
        }
        reportedConsumed = consumed;
        reportedReceives = receivesPosted;
        return true;
    }

    FeedbackWriter feedback() {
        return feedback;
    }

    /** {@return the current epoch, or the last one when the link is quiesced} Polling thread. */
    public InboundEpoch epoch() {
        return epoch;
    }

    /** {@return the position up to which bytes have arrived} Polling thread; others perhaps late. */
    public long received() {
        return received;
    }

    /** {@return the position up to which frames have been checked and handed out} Polling thread; others maybe late. */
    public long walked() {
        return walked;
    }

    /**
     * Move walked on. Polling thread.
     *
     * @param position the new value, at most {@link #received()}.
     */
    public void walked(final long position) {
        walked = position;
    }

    /** {@return the position up to which the publication was told so} Any thread, perhaps late. */
    public long reported() {
        return reportedConsumed;
    }

    /** {@return the position up to which the consumers are done} Any thread. */
    public long consumed() {
        return (long) CONSUMED.getAcquire(this);
    }

    /**
     * Move consumed on. Polling thread.
     *
     * @param position the new value, at most {@link #walked()}.
     */
    public void consumed(final long position) {
        CONSUMED.setRelease(this, position);
    }

    /** Messages up to a position were handled by the polling thread itself: there is no ring between. */
    void advance(final long position) {
        walked = position;
        CONSUMED.setRelease(this, position);
    }

    /** {@return whether the run has begun} Polling thread. */
    public boolean isJoined() {
        return joined;
    }

    /** {@return whether the link delivers in an epoch now, false while it is broken} Polling thread. */
    public boolean isLive() {
        return workRequestId != NO_WORK_REQUEST_ID;
    }

    boolean isCurrent(final long completedId) {
        return WorkRequestId.generation(completedId) == WorkRequestId.generation(workRequestId) && isLive();
    }

    /** The run ends at a position, at {@link #consumed()} or later. Polling thread. */
    void end(final long position) {
        end.position(position);
    }

    /** {@return where the run ends, or {@link #NO_END}} Polling thread. */
    public long endPosition() {
        return end.position();
    }

    /** Tell the listener, once each, that the end was received and that it was consumed. Polling thread. */
    void tellEnd(final ReceiverListener listener) {
        end.tell(this, outstandingEvents == 0, listener);
    }

    /**
     * Frames from a position on are not to be read: the peer's bytes are wrong. Once, as a link ends. Polling thread.
     *
     * @param position of the first bad frame.
     */
    public void truncate(final long position) {
        final String found = "consumed=" + consumed + " received=" + received + " " + reader.describe(position);
        received = position;
        end.truncate(position, found);
    }

    /**
     * Frames were handed to consumers on other threads. Poller thread.
     *
     * @param position up to where frames have been walked.
     * @param events   handed over.
     */
    void onWalked(final long position, final int events) {
        walked = position;
        onHandled(events);
        outstandingEvents += events;
        if (outstandingEvents == 0) {
            CONSUMED.setRelease(this, position);
        }
    }

    /** All consumers have passed an event, and its message up to a position. Poller thread. */
    void onReclaimed(final long position) {
        outstandingEvents--;
        CONSUMED.setRelease(this, outstandingEvents == 0 ? walked : position);
    }

    /** {@return messages handed out} Any thread, perhaps late. */
    public long messages() {
        return messages;
    }

    /**
     * Messages were handed out on the polling thread itself, which calls this.
     *
     * @param count of them.
     */
    void onHandled(final int count) {
        messages += count;
    }

    /** {@return how far the publication says it has come, on its way to the polling thread} */
    ToldPosition toldPosition() {
        return toldPosition;
    }

    /** {@return what stood where walking ended, for people; empty before {@link #truncate}} Any thread. */
    public String badFrame() {
        return end.badFrame();
    }

    /** {@return where the link stands among its receiver's} Polling thread. */
    LinkPlace place() {
        return place;
    }

    /** {@return what the application sees of the link, or null while messages must not be handed out} Any thread. */
    public LinkView view() {
        return view;
    }

    /**
     * Hand messages out from now on. Any thread.
     *
     * @param newView what the application sees of the link.
     */
    public void view(final LinkView newView) {
        view = newView;
    }

    /** {@return who is told of what happens to the link, or null} Any thread. */
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
