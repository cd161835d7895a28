package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.kit.FuzzInputs;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Rings that a peer has filled with what it likes. The ring is an array of exactly the window's length with bounds
 * checks on, so that reading beyond it fails.
 */
class FrameFuzzTest {
    private static final int INPUTS = 200_000;
    private static final int WINDOW = 4096;
    private static final int ALIGNMENT = FrameDescriptor.FRAME_ALIGNMENT;
    private static final int[] LENGTHS = {
        0, 1, -1, 23, 24, 25, 31, 32, 33, 64, WINDOW - 1, WINDOW, WINDOW + 1, Integer.MAX_VALUE, Integer.MIN_VALUE};

    private int good;
    private int bad;

    @Test
    void shouldHandOutNothingBeyondWhatWasReceivedNorBeyondTheRing() {
        FuzzInputs.feed("frames", INPUTS, random -> {
            final UnsafeBuffer ring = new UnsafeBuffer(new byte[WINDOW]);
            final long frameKey = random.nextLong();
            final long begin = (random.nextLong() >>> 2 + random.nextInt(40)) & -ALIGNMENT;
            final FrameReader reader = new FrameReader(WINDOW, frameKey, StampClock.NONE);
            reader.ring(ring);
            fill(ring, begin, frameKey, random);
            walk(reader, begin, begin + (long) ALIGNMENT * random.nextInt(WINDOW / ALIGNMENT + 1));
            scan(reader, begin, frameKey, FrameReader.SCAN_LIMIT);
            // it remembers what frames looked like before
            scan(reader, begin, frameKey, FrameReader.FIRST_MESSAGE);
        });
        assertTrue(!FuzzInputs.areMany() || good > 1000 && bad > 1000, () -> "good=" + good + " bad=" + bad);
    }

    /** Walk as the data path goes over a ring: frame after frame, until one is malformed. */
    private void walk(final FrameReader reader, final long begin, final long received) {
        long position = begin;
        while (position < received) {
            final long lengthWord = reader.frameAt(position, received);
            reader.newLapCheck().isIntact(reader.ring(), position);
            if (lengthWord == FrameReader.BAD_FRAME) {
                assertTrue(reader.describe(position).contains("position=" + position));
                bad++;
                return;
            }
            final int length = FrameDescriptor.frameLengthOf(lengthWord);
            assertTrue(length >= FrameDescriptor.HEADER_LENGTH && position + length <= received
                && reader.offset(position) + length <= WINDOW, () -> "length=" + length);
            position += FrameDescriptor.alignedLength(length);
            good++;
        }
    }

    /** Scan as the data path goes over a shared log: a number of frames at a time, until one is not committed. */
    private static void scan(
        final FrameReader reader, final long begin, final long frameKey, final int messageLimit) {
        final long limit = begin + WINDOW;
        long position = begin;
        long end = reader.committedEnd(begin, limit, messageLimit);
        while (end > position) {
            final long found = end;
            int messages = 0;
            assertTrue(found <= limit && found % ALIGNMENT == 0, () -> "end=" + found);
            while (position < found) {
                assertTrue(isCommitted(reader, position, frameKey), "position=" + position);
                messages += isPadding(reader, position) ? 0 : 1;
                position += committedLength(reader, position);
            }
            assertTrue(messages <= messageLimit, "messages=" + messages);
            assertEquals(found, Math.min(position, limit));
            end = reader.committedEnd(found, limit, messageLimit);
        }
        assertFalse(position < limit && isCommitted(reader, position, frameKey), "position=" + position);
    }

    private static boolean isCommitted(final FrameReader reader, final long position, final long frameKey) {
        final int offset = reader.offset(position);
        return reader.ring().getLong(offset + FrameDescriptor.LAP_WORD_OFFSET)
            == FrameDescriptor.lapAndChecksumWord(position, FrameDescriptor.NO_CHECKSUM, frameKey)
            && FrameDescriptor.frameLengthOf(reader.ring().getLong(offset)) > 0;
    }

    private static boolean isPadding(final FrameReader reader, final long position) {
        return FrameDescriptor.typeOf(reader.ring().getLong(reader.offset(position))) == FrameDescriptor.PADDING_TYPE;
    }

    private static int committedLength(final FrameReader reader, final long position) {
        final int offset = reader.offset(position);
        final int length = FrameDescriptor.frameLengthOf(reader.ring().getLong(offset));
        return FrameDescriptor.alignedLength(Math.min(length, WINDOW - offset));
    }

    /** Frames that could be, with fields that could not; or noise. */
    private static void fill(
        final UnsafeBuffer ring, final long begin, final long frameKey, final SplittableRandom random) {
        if (random.nextInt(8) == 0) {
            random.nextBytes(ring.byteArray());
        }
        long position = begin;
        while (position < begin + WINDOW) {
            final int offset = (int) (position & WINDOW - 1);
            final boolean isOdd = random.nextInt(6) == 0;
            final int length = isOdd ? LENGTHS[random.nextInt(LENGTHS.length)]
                : FrameDescriptor.HEADER_LENGTH + random.nextInt(200);
            final long said = random.nextInt(20) == 0 ? position + ALIGNMENT * random.nextInt(-3, 3) : position;
            ring.putLong(offset + FrameDescriptor.LAP_WORD_OFFSET,
                FrameDescriptor.lapAndChecksumWord(said, FrameDescriptor.NO_CHECKSUM, frameKey));
            final long word = FrameDescriptor.lengthWord(length, random.nextInt(256), random.nextInt(2));
            ring.putLong(offset, random.nextInt(20) == 0 ? word ^ 1L << random.nextInt(64) : word);
            position += Math.max(ALIGNMENT, FrameDescriptor.alignedLength(Math.min(Math.max(length, 0), WINDOW)));
        }
    }
}
