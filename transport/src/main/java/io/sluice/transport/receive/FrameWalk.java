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

    private final LinkFeed feed;
    private InboundLink link;
    private FrameReader reader;
    private long received;
    private int framesLeft;
    private long lengthWord;

    /**
     * A walk that has not begun.
     *
     * @param feed of the links, told of one whose frames are wrong.
     */
    FrameWalk(final LinkFeed feed) {
        this.feed = feed;
    }

    /**
     * Begin to walk over what has arrived.
     *
     * @param newLink   to walk.
     * @param maxFrames to pass over at most, padding counted.
     * @return where to begin: the position that the link was walked to.
     */
    long begin(final InboundLink newLink, final int maxFrames) {
        if (link != newLink) {
            // rarely: a reference store costs the garbage collector's barrier
            link = newLink;
            reader = newLink.reader();
        }
        final ImagePositions positions = newLink.positions();
        received = positions.received();
        framesLeft = maxFrames;
        return positions.walked();
    }

    /** {@return whether there are bytes behind a position, and frames left} */
    boolean hasMore(final long position) {
        return framesLeft > 0 && position < received;
    }

    /**
     * Go on to the next message.
     *
     * @param position up to which the walk has come. The walker keeps it, in a register: through a field the address of
     *                 each header would wait for the store of the one before.
     * @return the position behind the message; or, when there is no other one, the complement of that where the walk
     *     ends, behind padding or before a malformed frame.
     */
    long next(final long position) {
        final FrameReader frames = reader;
        long end = position;
        while (framesLeft > 0 && end < received) {
            final long word = frames.frameAt(end, received);
            if (word == FrameReader.BAD_FRAME) {
                endLink(end);
                break;
            }
            framesLeft--;
            end += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(word));
            if (FrameDescriptor.typeOf(word) == FrameDescriptor.DATA_TYPE) {
                lengthWord = word;
                return end;
            }
        }
        return ~end;
    }

    private void endLink(final long position) {
        received = position;
        link.truncate(position);
        feed.fail(link, BreakReason.BAD_FRAME);
    }

    /** {@return the length word of the message's frame, read once and checked} */
    long lengthWord() {
        return lengthWord;
    }
}
