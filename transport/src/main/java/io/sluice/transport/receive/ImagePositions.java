package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The four positions of an image, each only growing: received &ge; walked &ge; consumed &ge; reported. Who owns the
 * bytes of the ring when:
 * <pre>
 *  the device      from the write until its completion is drained: received; with completion=memory the ring is the
 *                  publication's log, and a frame is received when it was found committed there
 *  polling thread  until it has checked the frame: walked
 *  the consumers   until the last of them has passed it: consumed
 *  the publication again when the feedback cell says so: reported
 * </pre>
 * One thread polls; others may read {@link #consumed()}.
 */
public final class ImagePositions {
    /**
     * The number of reports in a window: consumed bytes are reported when they make this fraction of it. The
     * publication then never starves.
     */
    private static final int REPORTS_PER_WINDOW = 8;

    private static final VarHandle CONSUMED;

    static {
        try {
            CONSUMED = MethodHandles.lookup().findVarHandle(ImagePositions.class, "consumed", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final int windowLength;
    private final int reportLength;
    private boolean joined;
    private long received;
    private long walked;
    private long consumed;
    private long reported;
    private int outstandingEvents;
    private long messages;

    /**
     * Positions of an image that has not joined its stream.
     *
     * @param windowLength bytes of the ring, a power of two.
     * @param basePosition a position at or before that of the join, less than 64 GiB before it.
     */
    ImagePositions(final int windowLength, final long basePosition) {
        this.windowLength = windowLength;
        reportLength = windowLength / REPORTS_PER_WINDOW;
        received = basePosition;
    }

    /** Notes that a new epoch begins. Polling thread. */
    void onEpoch() {
        // whether the last report of the epoch before arrived is not known: report again as soon as possible
        reported = joined ? consumed - reportLength : consumed;
    }

    /** {@return false when the image cannot join at a position, after what was received} Polling thread. */
    boolean join(final long joinPosition) {
        if (joined || joinPosition < 0 || (joinPosition & (FrameDescriptor.FRAME_ALIGNMENT - 1)) != 0
            || received > joinPosition + windowLength) {
            return false;
        }
        joined = true;
        received = Math.max(received, joinPosition);
        walked = joinPosition;
        reported = joinPosition;
        CONSUMED.setRelease(this, joinPosition);
        return true;
    }

    /** {@return whether the image has joined the stream} Polling thread. */
    public boolean isJoined() {
        return joined;
    }

    /** {@return false when a write, told by the immediate of its completion, lies outside the window} */
    boolean onWrite(final int immediate) {
        final long position = ImmediatePosition.reconstruct(immediate, received);
        if (joined && !isWithinWindow(position)) {
            return false;
        }
        received = position;
        return true;
    }

    /** {@return the position where the window ends: the publication may have written up to there} Polling thread. */
    long windowEnd() {
        return consumed + windowLength;
    }

    boolean isWithinWindow(final long position) {
        return position <= windowEnd();
    }

    /** {@return the position up to which bytes have arrived} Polling thread; others perhaps late. */
    public long received() {
        return received;
    }

    /**
     * Notes that frames were found up to a position; or that what was received beyond it is not to be read. Polling
     * thread.
     */
    void received(final long position) {
        received = position;
    }

    /** {@return the position up to which frames have been checked and handed out} Polling thread; others maybe late. */
    public long walked() {
        return walked;
    }

    /** {@return the position up to which the consumers are done} Any thread. */
    public long consumed() {
        return (long) CONSUMED.getAcquire(this);
    }

    /** {@return the position up to which the publication was told so} Any thread, perhaps late. */
    public long reported() {
        return reported;
    }

    /**
     * Notes that messages up to a position were handled by the polling thread itself: there is no ring between.
     *
     * @param position up to where, at most {@link #received()}.
     */
    public void advance(final long position) {
        walked = position;
        CONSUMED.setRelease(this, position);
    }

    /**
     * Notes that frames were handed to consumers on other threads. Poller thread.
     *
     * @param position up to where frames have been walked.
     * @param events   handed over.
     */
    public void onWalked(final long position, final int events) {
        walked = position;
        onHandled(events);
        outstandingEvents += events;
        if (outstandingEvents == 0) {
            CONSUMED.setRelease(this, position);
        }
    }

    /**
     * Notes that all consumers have passed an event. Poller thread.
     *
     * @param position behind its message.
     */
    public void onReclaimed(final long position) {
        outstandingEvents--;
        CONSUMED.setRelease(this, outstandingEvents == 0 ? walked : position);
    }

    /** {@return whether consumers have yet to pass events that they were handed} Polling thread. */
    boolean hasOutstandingEvents() {
        return outstandingEvents > 0;
    }

    /**
     * Notes that messages were handed out on the polling thread itself, which calls this.
     *
     * @param count of them.
     */
    void onHandled(final int count) {
        messages += count;
    }

    /** {@return messages handed out} Any thread, perhaps late. */
    public long messages() {
        return messages;
    }

    /** {@return whether frames wait to be walked} Polling thread. */
    boolean hasUnwalked() {
        return joined && walked < received;
    }

    /** {@return whether messages wait to be handed out, or for consumers whom they were handed to} Polling thread. */
    boolean isPending() {
        return hasUnwalked() || outstandingEvents > 0;
    }

    /** {@return whether the consumers are done with all that has arrived} Polling thread. */
    boolean isAllConsumed() {
        return consumed == received;
    }

    /**
     * {@return the position where the stream ends when nothing more is received: at once before the join} Polling
     * thread.
     */
    long streamEnd() {
        return joined ? Math.max(received, consumed) : consumed;
    }

    /** {@return bytes that are consumed and not reported} Polling thread. */
    long unreported() {
        return consumed - reported;
    }

    /** {@return whether that is as much as the publication must be told of} Polling thread. */
    boolean isReportDue() {
        return consumed - reported >= reportLength;
    }

    /** {@return whether the publication may wait for what consumers are at} Polling thread. */
    boolean isHeldUp() {
        return walked - reported >= reportLength;
    }

    /** Notes that the publication was told what is consumed. Polling thread. */
    void onReported() {
        reported = consumed;
    }
}
