package io.sluice.perf.stress;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.receive.EpochReceives;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.receive.ReceiverListener;
import io.sluice.transport.receive.ScanModeration;
import io.sluice.transport.send.SendLog;
import io.sluice.verbs.MemoryRegion;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log that holds two frames, written and scanned in the same memory over three laps. The reader scans ahead of any
 * completion: nothing but the frames themselves tells it what is there. The writer never passes the reader by more than
 * the log, as the limit demands. Every frame of a lap differs from those of other laps in length, reserved value and
 * message, so that anything stale or torn shows.
 */
final class TwoFrameLog {
    private static final int FRAME_LENGTH = FrameDescriptor.FRAME_ALIGNMENT;
    private static final int WINDOW_LENGTH = 2 * FRAME_LENGTH;
    private static final int LAPS = 3;
    /** Bytes between two aborted frames: another place in each lap. */
    private static final int ABORTED_EVERY = 3 * FRAME_LENGTH;
    private static final long END_POSITION = LAPS * WINDOW_LENGTH;
    private static final int MESSAGE_OFFSET = FrameDescriptor.HEADER_LENGTH;
    /** Looks at what the other thread has not done yet, so that each actor ends by itself. */
    private static final int LOOKS = 200;
    private static final long NOT_YET = -1;
    private static final int SIGNAL_INTERVAL = 1;
    private static final long FRAME_KEY = 0x0123_4567_89AB_CDEFL;
    private static final int CELLS_LENGTH = PostRecorder.SEND_QUEUE_LENGTH * 16;

    private final SendLog log;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[FRAME_LENGTH]);
    private final InboundLink link = new InboundLink(WINDOW_LENGTH, 0, SIGNAL_INTERVAL, FRAME_KEY);
    private final Receiver receiver = new Receiver(
        EmptyCompletionQueue.INSTANCE, EmptyCompletionQueue.INSTANCE, new DeafListener(), new LiveCounters(),
        System::nanoTime);

    TwoFrameLog() {
        this(new HeapRegion(WINDOW_LENGTH));
    }

    private TwoFrameLog(final MemoryRegion memory) {
        log = new SendLog(memory, 0, FRAME_KEY);
        receiver.commands().attach(link, new InboundEpoch(
            new PostRecorder(0, () -> { }),
            new EpochReceives(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1), 1, 1), memory,
            new RemoteMemory(0, 0), new HeapRegion(CELLS_LENGTH), true, ScanModeration.NONE));
        receiver.commands().join(link, 0, () -> {
            throw new IllegalStateException("join refused");
        });
        receiver.drain();
    }

    /** One that is not on the heap, as those of devices. */
    static TwoFrameLog offHeap() {
        return new TwoFrameLog(new SlotRegion(WINDOW_LENGTH));
    }

    /** Write up to six frames, each at once. */
    void append() {
        for (long position = 0; position < END_POSITION; position += FRAME_LENGTH) {
            final int messageLength = messageLength(position);
            message.setMemory(0, messageLength, messageByte(position));
            if (!append(position, messageLength)) {
                return;
            }
        }
    }

    private boolean append(final long position, final int messageLength) {
        for (int i = 0; i < LOOKS; i++) {
            final long limit = link.positions().consumed() + WINDOW_LENGTH;
            if (log.append(limit, message, 0, messageLength, reservedValue(position)) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Write up to six frames, with some of them aborted or none. */
    void write(final boolean abortsSome) {
        for (long position = 0; position < END_POSITION; position += FRAME_LENGTH) {
            if (!awaitRoom()) {
                return;
            }
            final int messageLength = messageLength(position);
            final int frameLength = FrameDescriptor.frameLength(messageLength);
            final int offset = log.offset(position) + MESSAGE_OFFSET;
            for (int i = 0; i < messageLength; i++) {
                log.buffer().putByte(offset + i, messageByte(position));
            }
            log.commit(position, frameLength, type(position, abortsSome), reservedValue(position));
        }
    }

    private static int type(final long position, final boolean abortsSome) {
        return abortsSome && position % ABORTED_EVERY == 0 ? FrameDescriptor.PADDING_TYPE : FrameDescriptor.DATA_TYPE;
    }

    private boolean awaitRoom() {
        for (int i = 0; i < LOOKS; i++) {
            if (log.claim(FRAME_LENGTH, link.positions().consumed() + WINDOW_LENGTH) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Read frames as they appear; minus one when any of them is not what was written there in this lap. */
    int read(final boolean abortsSome) {
        int frames = 0;
        for (long position = 0; position < END_POSITION; position += FRAME_LENGTH) {
            final long lengthWord = awaitFrame(position);
            if (lengthWord == NOT_YET) {
                return frames;
            }
            if (!isWhole(position, lengthWord, type(position, abortsSome))) {
                return -1;
            }
            frames++;
            link.positions().advance(position + FRAME_LENGTH);
        }
        return frames;
    }

    /** The frame, as soon as it was found committed; {@link #NOT_YET} when the writer is too slow. */
    private long awaitFrame(final long position) {
        for (int i = 0; i < LOOKS; i++) {
            receiver.drain();
            if (link.positions().received() > position) {
                return link.reader().frameAt(position, link.positions().received());
            }
        }
        return NOT_YET;
    }

    private boolean isWhole(final long position, final long lengthWord, final int type) {
        final int messageLength = messageLength(position);
        final int frame = link.reader().offset(position);
        boolean whole = FrameDescriptor.frameLengthOf(lengthWord) == FrameDescriptor.frameLength(messageLength)
            && FrameDescriptor.typeOf(lengthWord) == type
            && link.reader().ring().getLong(frame + FrameDescriptor.RESERVED_VALUE_OFFSET) == reservedValue(position);
        for (int i = 0; i < messageLength; i++) {
            whole &= link.reader().ring().getByte(frame + MESSAGE_OFFSET + i) == messageByte(position);
        }
        return whole;
    }

    private static int messageLength(final long position) {
        return FRAME_LENGTH - FrameDescriptor.HEADER_LENGTH - lap(position);
    }

    private static long reservedValue(final long position) {
        return ~position;
    }

    private static byte messageByte(final long position) {
        return (byte) (1 + position / FRAME_LENGTH);
    }

    private static int lap(final long position) {
        return (int) (position / WINDOW_LENGTH);
    }

    private static final class DeafListener implements ReceiverListener {
        @Override
        public void onLinkFailed(final InboundLink link, final BreakReason reason) {
            throw new IllegalStateException("a link failed: " + reason);
        }

        @Override
        public void onEndReceived(final InboundLink link) {
            // no end is announced
        }

        @Override
        public void onEndConsumed(final InboundLink link) {
            // no end is announced
        }

        @Override
        public void onCompletionQueueFailed(final int errno) {
            throw new IllegalStateException("errno=" + errno);
        }
    }
}
