package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import org.agrona.UnsafeApi;

/**
 * The poll of a single image, shorter than a poll the whole way. In a round trip nearly every poll finds nothing, and
 * from when the message is there until its handler is called each instruction counts, and before that all in which
 * nobody looks. So while a receiver has one link only, whose log is shared and all of whose frames are consumed, polls
 * look for its next frame and for commands of the conductor, and at nothing else. A poll takes the whole way after so
 * many of them, and at once when there is a command, or a frame that is no message, or a second one right behind the
 * first. What only a completion tells, the failure of a queue pair, is noticed by the next poll that takes the whole
 * way.
 * <p>
 * Polling thread only. It looks into memory that it does not own: whatever may release that is done on the whole way,
 * which shuts this one first.
 */
public final class SingleImagePoll {
    /** {@link #look()}: there is no message, and nothing else to be done in this poll. */
    public static final int NOTHING = 0;
    /** {@link #look()}: the next frame of {@link #link()} is there. */
    public static final int FRAME = 1;
    /** {@link #look()}: this poll is to take the whole way. */
    public static final int WHOLE_WAY = 2;

    /**
     * Polls between two that take the whole way: some microseconds for who spins. A whole one takes as long as five:
     * with 15 it is a tenth of a round trip of 200 ns, with 63 it no longer counts.
     */
    static final int POLLS = 63;

    private static final int NEVER = -1;
    private static final int LAP_TO_LENGTH = FrameDescriptor.LAP_WORD_OFFSET - FrameDescriptor.LENGTH_OFFSET;

    private final ReceiverCommands commands;
    private InboundLink link;
    private long lapAddress;
    private long lapWord;
    private int limit;
    private int polls;
    private int pollsAtMessage = NEVER;
    private boolean hasMessages;

    SingleImagePoll(final ReceiverCommands commands) {
        this.commands = commands;
    }

    /** {@return {@link #NOTHING}, {@link #FRAME} or {@link #WHOLE_WAY}: what this poll has to do} */
    public int look() {
        if (polls >= limit || commands.isPending()) {
            return WHOLE_WAY;
        }
        polls++;
        // the lap word first, as in FrameReader; it is there from when the frame was claimed
        return UnsafeApi.getLongAcquire(null, lapAddress) == lapWord
            && FrameDescriptor.frameLengthOf(UnsafeApi.getLongAcquire(null, lapAddress - LAP_TO_LENGTH)) > 0
            ? FRAME : NOTHING;
    }

    /** {@return the link whose frame was found} */
    public InboundLink link() {
        return link;
    }

    /** Notes that a message was handled: when it is the second in a row, a burst comes, which is for the whole way. */
    public void onHandled() {
        if (polls == pollsAtMessage + 1) {
            limit = 0;
        }
        pollsAtMessage = polls;
        hasMessages = true;
        expectNext();
    }

    private void expectNext() {
        final FrameReader reader = link.reader();
        final long received = link.positions().received();
        lapAddress = reader.lapAddress(received);
        lapWord = reader.lapAndChecksumWord(received);
    }

    /**
     * Makes the next poll take the whole way: what is looked at may be released, or is not to be looked at any more.
     */
    void shut() {
        limit = 0;
    }

    /**
     * Begins a poll that takes the whole way, and shuts this one.
     *
     * @return whether any poll has handled a message since the whole way was last taken.
     */
    boolean beginWholeWay() {
        shut();
        return hasMessages;
    }

    /**
     * Ends a poll that took the whole way.
     *
     * @return polls that went either way since it was last taken.
     */
    int endWholeWay() {
        final int all = 1 + polls;
        polls = 0;
        pollsAtMessage = NEVER;
        hasMessages = false;
        return all;
    }

    /** Opens this way, when all that is waited for is the next frame of a link: right after {@link #endWholeWay()}. */
    void open(final InboundLink awaited) {
        link = awaited;
        expectNext();
        limit = POLLS;
    }
}
