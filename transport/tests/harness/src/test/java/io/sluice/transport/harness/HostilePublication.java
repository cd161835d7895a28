package io.sluice.transport.harness;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.codec.control.Role;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A publication of a {@link HostilePeer}, linked to one subscription: its frames arrive like anybody's, and its control
 * messages say what they like. One thread.
 */
public final class HostilePublication implements AutoCloseable {
    public static final int WINDOW = 4096;
    public static final int FRAME_LENGTH = 64;

    private static final long LINK_ID = 77;
    private static final int FEEDBACK_LENGTH = 64;

    private final Session session;
    private final ControlMessages messages;
    private final QueuePair queuePair;
    private final MemoryRegion log;
    private final MemoryRegion feedbackCell;
    private final CapturedMessages.Accepted ring;
    private long position;

    /** Link to a subscription, and wait until it has accepted. */
    public HostilePublication(
        final HostilePeer peer,
        final Session session,
        final ControlMessages messages,
        final int streamId,
        final boolean isShared) {
        this.session = session;
        this.messages = messages;
        queuePair = peer.queuePair();
        log = peer.region(WINDOW);
        feedbackCell = peer.region(FEEDBACK_LENGTH);
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.subscriptionOf(streamId) != null);
        session.send(messages.setup(
            LINK_ID, heard.subscriptionOf(streamId), streamId, queuePair, log, feedbackCell, isShared));
        final CapturedMessages answer = new CapturedMessages();
        session.awaitMessage(answer, () -> answer.accepted() != null);
        ring = answer.accepted();
        queuePair.readyToReceive(ring.queuePairAddress());
        queuePair.readyToSend();
        session.send(messages.established(LINK_ID, 0));
    }

    /** Write a message and, where the subscriber waits to be told, tell it. */
    public void write() {
        write(FrameDescriptor.lengthWord(FRAME_LENGTH, 0, FrameDescriptor.DATA_TYPE));
    }

    /** Write and tell as above, but with any length word, whose frame is where a message was due. */
    public void write(final long lengthWord) {
        final int offset = (int) position & WINDOW - 1;
        log.buffer().putLong(offset + FrameDescriptor.LAP_WORD_OFFSET, FrameDescriptor.lapAndChecksumWord(
            position, FrameDescriptor.NO_CHECKSUM, messages.frameKey()));
        log.buffer().putLongRelease(offset, lengthWord);
        position += FRAME_LENGTH;
        if (ring.isSeenInMemory()) {
            return;
        }
        final int result = queuePair.postWriteWithImmediate(
            0, WorkFlags.NONE, log.address() + offset, log.localKey(), FRAME_LENGTH, ring.ringAddress() + offset,
            ring.ringKey(), ImmediatePosition.immediate(position));
        if (result != Errno.OK) {
            throw new AssertionError("cannot write: " + Errno.describe(result));
        }
    }

    /** Random bytes in what is left of the window; the first ones count as committed, of a frame that cannot be. */
    public void writeNoise(final SplittableRandom random) {
        for (int offset = (int) position + FRAME_LENGTH; offset < WINDOW; offset += Long.BYTES) {
            log.buffer().putLong(offset, random.nextLong());
        }
        long word;
        do {
            word = random.nextLong() & ~(1L << 31) | 1;
        } while (FrameDescriptor.versionOf(word) == FrameDescriptor.FRAME_VERSION);
        write(word);
    }

    /** The ring that its bytes are to be written to. */
    public CapturedMessages.Accepted ring() {
        return ring;
    }

    /** The queue pair at this publication's own end. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** Whether the subscriber looks at the frames in this publication's memory. */
    public boolean isSeenInMemory() {
        return ring.isSeenInMemory();
    }

    /** This publication's memory, which the subscriber may have mapped. */
    public UnsafeBuffer memory() {
        return log.buffer();
    }

    /** The position at which the next message would begin. */
    public long position() {
        return position;
    }

    /** Say where the stream ends. */
    public void sayEnd(final long endPosition) {
        if (!session.send(messages.endOfStream(LINK_ID, endPosition))) {
            throw new AssertionError("the other side has hung up");
        }
    }

    /** Say that the link is over. */
    public void sayClosed() {
        session.send(messages.closeLink(LINK_ID, Role.PUBLICATION));
    }

    @Override
    public void close() {
        CloseHelper.closeAll(queuePair, log, feedbackCell);
    }
}
