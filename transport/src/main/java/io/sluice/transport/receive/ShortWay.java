package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import org.agrona.UnsafeApi;

/**
 * The short way of a poll. In a round trip nearly every poll finds nothing, and from when the message is there until
 * its handler is called each instruction counts, and before that all in which nobody looks. So while a receiver has one
 * link only, whose log is shared and all of whose frames are consumed, polls look at one word, that of the next frame's
 * lap, and do nothing else. The whole way is gone after so many of them, and at once when anything else than a lone
 * message turns up.
 * <p>
 * Polling thread only. It looks into memory that it does not own: whatever may release that is done on the whole way,
 * which shuts the short one first.
 */
public final class ShortWay {
    /** {@link #look()}: there is no message, and nothing else to be done in this poll. */
    public static final int NOTHING = 0;
    /** {@link #look()}: the next frame of {@link #link()} is there. */
    public static final int FRAME = 1;
    /** {@link #look()}: this poll is to go the whole way. */
    public static final int WHOLE_WAY = 2;

    /**
     * Polls between two that go the whole way, which may so be late by some microseconds. A whole one takes as long as
     * five: with 15 it is a tenth of a round trip of 200 ns, with 63 it no longer counts.
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

    ShortWay(final ReceiverCommands commands) {
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

    /** The frame was handled: when it is the second in a row, a burst comes, which is for the whole way. */
    public void onHandled() {
        if (polls == pollsAtMessage + 1 || link.isMaintenanceDue()) {
            limit = 0;
        }
        pollsAtMessage = polls;
        hasMessages = true;
        expectNext();
    }

    private void expectNext() {
        final FrameReader reader = link.reader();
        lapAddress = reader.lapAddress(link.received());
        lapWord = reader.lapAndChecksumWord(link.received());
    }

    /** {@return whether any poll has handled a message since the whole way was last gone} */
    boolean hasMessages() {
        return hasMessages;
    }

    /** {@return polls that went this way since} */
    int polls() {
        return polls;
    }

    /** The next poll goes the whole way: one has begun that may release what is looked at. */
    void shut() {
        limit = 0;
    }

    /** The whole way was gone. */
    void end() {
        polls = 0;
        pollsAtMessage = NEVER;
        hasMessages = false;
    }

    /** All that is waited for is the next frame of a link. */
    void open(final InboundLink awaited) {
        link = awaited;
        expectNext();
        limit = POLLS;
    }
}
