package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.counters.BreakReason;

/**
 * The one way over a link's frames that have arrived and are not walked: it checks each header, passes over padding,
 * stands at one message after the other, and ends the link at a malformed frame. {@link DirectPoll} hands each message
 * to a handler, {@link EventRing} puts it onto its ring. A cursor, not a callback: whoever walks keeps its own loop,
 * which the JIT compiler sees as a whole.
 * <p>
 * Polling thread; one walk at a time. Positions of the link move when the walker says so.
 */
final class FrameWalk {
    /** {@link #begin}: no bound but what has arrived. */
    static final int ALL_FRAMES = Integer.MAX_VALUE;

    private final Receiver receiver;
    private InboundLink link;
    private long received;
    private int framesLeft;
    private long framePosition;
    private long lengthWord;
    private long end;

    /**
     * A walk that has not begun.
     *
     * @param receiver that is told of a link whose frames are wrong.
     */
    FrameWalk(final Receiver receiver) {
        this.receiver = receiver;
    }

    /**
     * Begin where the link was walked to.
     *
     * @param newLink   to walk.
     * @param maxFrames to pass over at most, padding counted.
     */
    void begin(final InboundLink newLink, final int maxFrames) {
        if (link != newLink) {
            // rarely: a reference store costs the garbage collector's barrier
            link = newLink;
        }
        end = newLink.walked();
        received = newLink.received();
        framesLeft = maxFrames;
    }

    /** {@return whether there are bytes to walk, and frames left} */
    boolean hasMore() {
        return framesLeft > 0 && end < received;
    }

    /** {@return whether the walk stands at another message; else it is at its end} */
    boolean next() {
        final InboundLink walked = link;
        long position = end;
        boolean isMessage = false;
        while (!isMessage && framesLeft > 0 && position < received) {
            final long word = walked.frameAt(position);
            if (word == InboundLink.BAD_FRAME) {
                end = position;
                endLink();
                return false;
            }
            framesLeft--;
            framePosition = position;
            lengthWord = word;
            position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(word));
            isMessage = FrameDescriptor.typeOf(word) == FrameDescriptor.DATA_TYPE;
        }
        end = position;
        return isMessage;
    }

    private void endLink() {
        received = end;
        link.truncate(end);
        receiver.fail(link, BreakReason.BAD_FRAME);
    }

    /** Stand before the message again: it was not handled. */
    void back() {
        end = framePosition;
    }

    /** {@return where the message's frame begins} */
    long framePosition() {
        return framePosition;
    }

    /** {@return the length word of its frame, read once and checked} */
    long lengthWord() {
        return lengthWord;
    }

    /** {@return up to where the walk has come} */
    long end() {
        return end;
    }
}
