package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells whether a message is still the one that was handed out. Immutable and by itself: consumers on other threads ask
 * for each message, and would otherwise read where the poller writes for each message. Any thread.
 */
public final class LapCheck {
    private final long positionMask;
    private final long frameKey;

    /**
     * A check for the rings of one link.
     *
     * @param windowLength bytes of every ring, a power of two.
     * @param frameKey     of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     */
    LapCheck(final int windowLength, final long frameKey) {
        positionMask = windowLength - 1L;
        this.frameKey = frameKey;
    }

    /**
     * Whether a frame that was handed out, and not consumed, is still there.
     *
     * @param ring     that it was handed out from.
     * @param position where it begins.
     * @return false when the publication has written over it.
     */
    public boolean isIntact(final UnsafeBuffer ring, final long position) {
        // not before the message was read; the writer changes the word before it writes the next message
        VarHandle.loadLoadFence();
        return ring.getLong((int) (position & positionMask) + FrameDescriptor.LAP_WORD_OFFSET)
            == FrameDescriptor.lapAndChecksumWord(position, FrameDescriptor.NO_CHECKSUM, frameKey);
    }
}
