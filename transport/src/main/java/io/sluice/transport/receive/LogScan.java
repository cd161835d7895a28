package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.verbs.QueuePair;

/**
 * Finds what has arrived over a link whose ring is the publication's log, with completion=memory: committed frames, of
 * which no completion tells. Polling thread only.
 */
final class LogScan {
    private final FrameReader reader;
    private final ImagePositions positions;
    private QueuePair queuePair;
    private ScanModeration moderation;
    /** Whether frames are looked for: the log is shared, completions do not tell, link joined, epoch not over. */
    private boolean isOpen;

    LogScan(final FrameReader reader, final ImagePositions positions) {
        this.reader = reader;
        this.positions = positions;
    }

    /** Opens the scan, as an epoch has begun, or the link has joined in it. */
    void open(final InboundEpoch epoch) {
        queuePair = epoch.queuePair();
        moderation = epoch.moderation();
        isOpen = positions.isJoined() && epoch.memoryCompletion();
    }

    /** Closes the scan, as the epoch is over. */
    void close() {
        isOpen = false;
    }

    /** {@return 1 when frames, of so many messages at most, were found committed, else 0} */
    int find(final int messageLimit) {
        return isOpen && !isHeld() ? look(messageLimit) : 0;
    }

    /** Find all committed frames: before the epoch ends, which is the last moment. */
    void findAll() {
        while (isOpen && look(FrameReader.SCAN_LIMIT) > 0) {
            // there may be more
        }
    }

    private int look(final int messageLimit) {
        final long received = positions.received();
        final long end = reader.committedEnd(received, positions.windowEnd(), messageLimit);
        moderation.onLooked(received, end);
        // asked after reading: a publication that goes on without this link has failed its queue pair before
        if (end == received || !queuePair.isPeerReceiving()) {
            return 0;
        }
        positions.received(end);
        return 1;
    }

    /**
     * Expects frames up to a position that the publication told that it has come to: what is not committed up to there
     * is wrong.
     *
     * @return false when no frame can end there.
     */
    boolean expect(final long position) {
        if ((position & (FrameDescriptor.FRAME_ALIGNMENT - 1)) != 0) {
            return false;
        }
        if (isOpen && position > positions.received() && positions.isWithinWindow(position)
            && queuePair.isPeerReceiving()) {
            positions.received(position);
        }
        return true;
    }

    /** {@return whether the polling thread keeps off the publication's heels for a while, and looks at nothing} */
    boolean isHeld() {
        return moderation.isHeld();
    }

    /** {@return whether the next frame is all that is waited for, and looked for in each poll} */
    boolean isAwaiting() {
        return isOpen && positions.isAllConsumed() && !isHeld();
    }

    /**
     * {@return the length word of the next frame if it is a message, which is now received; or
     * {@link FrameReader#BAD_FRAME}, also when it may be a good one} All else is consumed.
     */
    long receiveNext() {
        final long received = positions.received();
        final long lengthWord = reader.messageAt(received);
        if (!isOpen || lengthWord == FrameReader.BAD_FRAME || !queuePair.isPeerReceiving()) {
            return FrameReader.BAD_FRAME;
        }
        positions.received(received + FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord)));
        return lengthWord;
    }
}
