package io.sluice.transport.receive;

import static io.sluice.codec.FrameDescriptor.HEADER_LENGTH;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.StampClock;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the headers of frames in a ring whose bytes are a peer's: what a frame is handed out by was read once, checked,
 * and is not read again. One thread polls; it does not own the ring.
 */
public final class FrameReader {
    /** {@link #frameAt}: the frame is malformed. */
    public static final long BAD_FRAME = 0;

    /** The most frames of a shared log to go over at a time, so that a busy link does not keep the others waiting. */
    static final int SCAN_LIMIT = 64;

    /**
     * The number of messages to look for where one is waited for: the line behind it, which may be far away, is read
     * after it was handled. No store of the handler, such as its reply, leaves the processor before what was read
     * earlier is there.
     */
    static final int FIRST_MESSAGE = 1;

    private static final int LAP_TO_LENGTH = FrameDescriptor.LAP_WORD_OFFSET - FrameDescriptor.LENGTH_OFFSET;

    private final int windowLength;
    private final long positionMask;
    private final long frameKey;
    private final LapCheck lapCheck;
    private final StampClock stamps;
    private UnsafeBuffer ring;
    /** The length word of the message that was found last. */
    private long messageWord = FrameDescriptor.lengthWord(HEADER_LENGTH, 0, FrameDescriptor.DATA_TYPE);

    /**
     * Creates a reader without a ring.
     *
     * @param windowLength bytes of every ring, a power of two.
     * @param frameKey     of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     * @param stamps       clock that the stamps of frames are compared with.
     */
    FrameReader(final int windowLength, final long frameKey, final StampClock stamps) {
        this.stamps = stamps;
        this.windowLength = windowLength;
        this.frameKey = frameKey;
        positionMask = windowLength - 1L;
        lapCheck = newLapCheck();
    }

    void ring(final UnsafeBuffer newRing) {
        ring = newRing;
    }

    /** {@return the ring's memory in this epoch, the whole window} Polling thread. */
    public UnsafeBuffer ring() {
        return ring;
    }

    /**
     * The offset where the frame at a position begins in {@link #ring()}.
     *
     * @param position of the frame.
     * @return its offset in bytes.
     */
    public int offset(final long position) {
        return (int) (position & positionMask);
    }

    /** {@return the clock that stamps of the frames are compared with} Any thread. */
    public StampClock stamps() {
        return stamps;
    }

    /** {@return a new check whether a frame that was handed out, and not consumed, is still there} Any thread. */
    public LapCheck newLapCheck() {
        return new LapCheck(windowLength, frameKey);
    }

    /** {@return whether a frame that was handed out, and not consumed, is still there} Polling thread. */
    boolean isIntact(final long position) {
        return lapCheck.isIntact(ring, position);
    }

    /** {@return the word that lies where a frame is expected: read for the cache's sake only} Polling thread. */
    long touch(final long position) {
        return ring.getLongOpaque(offset(position));
    }

    /**
     * Check a frame that has arrived.
     *
     * @param position where it begins, a frame boundary.
     * @param received up to where bytes have arrived.
     * @return its length word, read once, whose frame length, type and flags can be trusted; or {@link #BAD_FRAME}.
     */
    public long frameAt(final long position, final long received) {
        final int offset = offset(position);
        final long lengthWord = lengthWordAt(offset, position);
        final int length = FrameDescriptor.frameLengthOf(lengthWord);
        if (length < HEADER_LENGTH
            || length > Math.min(received - position, windowLength - offset)
            || FrameDescriptor.versionOf(lengthWord) != FrameDescriptor.FRAME_VERSION
            || FrameDescriptor.typeOf(lengthWord) > FrameDescriptor.DATA_TYPE) {
            return BAD_FRAME;
        }
        return lengthWord;
    }

    /** Checks a frame of a shared log of which nothing is known, as {@link #frameAt} does, and refuses padding, too. */
    long messageAt(final long position) {
        final long lengthWord = frameAt(position, position + windowLength);
        return FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE ? lengthWord : BAD_FRAME;
    }

    /** {@return the address of the lap word of the frame at a position} */
    long lapAddress(final long position) {
        return ring.addressOffset() + offset(position) + FrameDescriptor.LAP_WORD_OFFSET;
    }

    /**
     * Go over committed frames of a log that is shared, where no completion tells which they are. A malformed frame is
     * gone over too: it is found when it is handed out.
     *
     * @param position     where to begin.
     * @param limit        where the bytes of the lap before begin.
     * @param messageLimit frames but padding to go over at most, at least 1; never more than some of both kinds.
     * @return the end of the last committed frame found.
     */
    long committedEnd(final long position, final long limit, final int messageLimit) {
        long end = position;
        int frames = 0;
        int messages = 0;
        while (frames < SCAN_LIMIT && messages < messageLimit && end < limit) {
            final int alike = countAlike(end, limit, Math.min(SCAN_LIMIT - frames, messageLimit - messages));
            frames += alike;
            messages += alike;
            end += alike * (long) strideOf(FrameDescriptor.frameLengthOf(messageWord));
            if (alike == 0) {
                final int offset = offset(end);
                final long lengthWord = lengthWordAt(offset, end);
                final int length = FrameDescriptor.frameLengthOf(lengthWord);
                if (length <= 0) {
                    break;
                }
                frames++;
                end += Math.min(strideOf(length), windowLength - offset);
                if (FrameDescriptor.typeOf(lengthWord) != FrameDescriptor.PADDING_TYPE) {
                    messages++;
                    messageWord = lengthWord;
                }
            }
        }
        return Math.min(end, limit);
    }

    /**
     * Counts committed messages that are as long as the last one. Where frames are alike the processor need not see how
     * long one is to read the next: it has many lines on their way at once, as many as its window takes of this loop,
     * which is therefore short.
     *
     * @return how many committed messages from a position on are as long as the last one, at most; 0 or more.
     */
    private int countAlike(final long position, final long limit, final int most) {
        final int stride = strideOf(FrameDescriptor.frameLengthOf(messageWord));
        final long room = Math.min(limit - position, windowLength - offset(position));
        final int count = (int) Math.min(most, room / stride);
        final long lengthWord = messageWord;
        final long lapStep = FrameDescriptor.lapAndChecksumWord(stride, FrameDescriptor.NO_CHECKSUM, 0);
        long lap = FrameDescriptor.lapAndChecksumWord(position, FrameDescriptor.NO_CHECKSUM, 0);
        final byte[] array = ring.byteArray();
        long lapAddress = lapAddress(position);
        int found = 0;
        while (found < count
            && (UnsafeApi.getLongAcquire(array, lapAddress) ^ frameKey) == lap
            && UnsafeApi.getLongAcquire(array, lapAddress - LAP_TO_LENGTH) == lengthWord) {
            lap += lapStep;
            lapAddress += stride;
            found++;
        }
        return found;
    }

    private int strideOf(final int length) {
        return FrameDescriptor.alignedLength(Math.min(length, windowLength));
    }

    /** The length word of the frame of this lap, or {@link #BAD_FRAME} when there is none. */
    private long lengthWordAt(final int offset, final long position) {
        // the lap word first: the writer takes an earlier lap's length back before it writes this lap's word
        return ring.getLongAcquire(offset + FrameDescriptor.LAP_WORD_OFFSET) == lapAndChecksumWord(position)
            ? ring.getLongAcquire(offset + FrameDescriptor.LENGTH_OFFSET) : BAD_FRAME;
    }

    long lapAndChecksumWord(final long position) {
        return FrameDescriptor.lapAndChecksumWord(position, FrameDescriptor.NO_CHECKSUM, frameKey);
    }

    /** Describes the header found where a frame was expected, for people. */
    String describe(final long position) {
        final int offset = offset(position);
        final long lengthWord = ring.getLong(offset + FrameDescriptor.LENGTH_OFFSET);
        final long lapAndChecksumWord = ring.getLong(offset + FrameDescriptor.LAP_WORD_OFFSET);
        return "position=" + position + " length=" + FrameDescriptor.frameLengthOf(lengthWord) + " version="
            + FrameDescriptor.versionOf(lengthWord) + " type=" + FrameDescriptor.typeOf(lengthWord) + " lapWord="
            + FrameDescriptor.lapWordOf(lapAndChecksumWord, frameKey) + " expected lapWord="
            + FrameDescriptor.lapWord(position);
    }
}
