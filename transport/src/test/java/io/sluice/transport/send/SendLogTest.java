package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.LapCheck;
import io.sluice.transport.stub.StubRegion;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendLogTest {
    private static final int WINDOW = 4096;
    private static final long KEY = 0x5EED_1234_8765_4321L;
    private static final long RESERVED = 0x1122_3344_5566_7788L;

    private final StubRegion region = new StubRegion(WINDOW);

    @Test
    void shouldRefuseAWindowThatIsNoPowerOfTwo() {
        final Exception ex = assertThrows(
            IllegalArgumentException.class, () -> new SendLog(new StubRegion(4097), 0, KEY));
        assertTrue(ex.getMessage().contains("4097"), ex.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {-32, 1, 31, 33})
    void shouldRefuseToBeginBetweenFrames(final long position) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> new SendLog(region, position, KEY));
        assertTrue(ex.getMessage().contains(Long.toString(position)), ex.getMessage());
    }

    @Test
    void shouldTakeAClaimThatEndsAtTheLimitAndNoLongerOne() {
        final SendLog log = new SendLog(region, 0, KEY);
        assertEquals(SendLog.OVER_LIMIT, log.claim(96, 64), "Aeron tests the start; here the end counts");
        assertEquals(SendLog.OVER_LIMIT, log.claim(96, 95));
        assertEquals(0, log.claim(96, 96));
    }

    @Test
    void shouldCountThePaddingAgainstTheLimitToo() {
        final SendLog log = logAt(WINDOW - 64);
        assertEquals(SendLog.OVER_LIMIT, log.claim(96, WINDOW + 95));
        assertEquals(WINDOW, log.claim(96, WINDOW + 96));
    }

    @Test
    void shouldFillTheRestOfTheRingWithOnePaddingFrame() {
        final SendLog log = logAt(WINDOW - 64);
        final long position = log.claim(96, Long.MAX_VALUE);
        assertEquals(WINDOW, position);
        assertEquals(0, region.buffer().getLong(WINDOW - 64), "a claim that is given up leaves nothing behind");
        assertEquals(WINDOW - 64, log.tail(), "padding and message become visible together");
        assertEquals(WINDOW + 96, log.commit(position, 80, FrameDescriptor.DATA_TYPE, 0));
        assertEquals(WINDOW + 96, log.tail());
        final long word = region.buffer().getLong(WINDOW - 64);
        assertEquals(64, FrameDescriptor.frameLengthOf(word));
        assertEquals(FrameDescriptor.PADDING_TYPE, FrameDescriptor.typeOf(word));
        assertEquals(FrameDescriptor.FRAME_VERSION, FrameDescriptor.versionOf(word));
        assertEquals(FrameDescriptor.lapWord(WINDOW - 64), lapWordAt(WINDOW - 64));
    }

    @Test
    void shouldNotPadWhenTheFrameFitsExactly() {
        final SendLog log = logAt(WINDOW - 96);
        assertEquals(WINDOW - 96, log.claim(96, WINDOW));
    }

    /** A message of one byte ends before the second word of the block in which the earlier frame began. */
    @Test
    void shouldLetAReaderNoticeThatItsFrameIsOverwrittenThoughTheNewMessageEndsBeforeItsLapWord() {
        final long position = FrameDescriptor.FRAME_ALIGNMENT;
        new SendLog(region, position, KEY).claim(64, WINDOW);
        final LapCheck reader = new InboundLink(WINDOW, 0, 1, KEY).reader().newLapCheck();
        assertTrue(reader.isIntact(region.buffer(), position));
        final int frameLength = FrameDescriptor.frameLength(9);
        new SendLog(region, WINDOW, KEY).claim(FrameDescriptor.alignedLength(frameLength), 2 * WINDOW);
        assertFalse(reader.isIntact(region.buffer(), position));
    }

    @Test
    void shouldLetAReaderNoticeThatItsFrameIsClaimedThoughNobodyWritesThere() {
        final long position = 2 * FrameDescriptor.FRAME_ALIGNMENT;
        new SendLog(region, position, KEY).claim(256, WINDOW);
        final LapCheck reader = new InboundLink(WINDOW, 0, 1, KEY).reader().newLapCheck();
        assertTrue(reader.isIntact(region.buffer(), position));
        final SendLog log = new SendLog(region, WINDOW, KEY);
        final int frameLength = 256;
        log.markAll(log.claim(frameLength, 2 * WINDOW), frameLength);
        assertFalse(reader.isIntact(region.buffer(), position));
    }

    /** Bytes may be copied in any order: the frames in the middle must be gone before the first of them is. */
    @Test
    void shouldLetAReaderNoticeBeforeAnyByteIsWrittenThatItsFrameIsClaimedWhenALinkWasGivenUp() {
        final SendLog log = new SendLog(region, 0, KEY);
        for (int i = 0; i < WINDOW / 64; i++) {
            log.commit(log.claim(64, WINDOW), 64, FrameDescriptor.DATA_TYPE, RESERVED);
        }
        final LapCheck reader = new InboundLink(WINDOW, 0, 1, KEY).reader().newLapCheck();
        log.markWholeForALap();
        log.claim(256, 2 * WINDOW);
        for (int position = 0; position < WINDOW; position += 64) {
            assertEquals(position >= 256, reader.isIntact(region.buffer(), position), "position=" + position);
        }
    }

    @Test
    void shouldMarkWholeThePaddingTooWhenALinkWasGivenUp() {
        final SendLog log = logAt(WINDOW - 128);
        for (int i = 0; i < 2; i++) {
            log.commit(log.claim(64, WINDOW), 64, FrameDescriptor.DATA_TYPE, RESERVED);
        }
        final LapCheck reader = new InboundLink(WINDOW, 0, 1, KEY).reader().newLapCheck();
        final SendLog nextLap = logAt(2 * WINDOW - 128);
        nextLap.markWholeForALap();
        assertTrue(reader.isIntact(region.buffer(), WINDOW - 64));
        nextLap.commit(nextLap.claim(256, 3 * WINDOW), 256, FrameDescriptor.DATA_TYPE, RESERVED);
        assertFalse(reader.isIntact(region.buffer(), WINDOW - 64));
    }

    @Test
    void shouldShowNothingOfAClaimBeforeItsCommit() {
        final SendLog log = new SendLog(region, 0, KEY);
        log.claim(64, WINDOW);
        assertTrue(FrameDescriptor.frameLengthOf(region.buffer().getLong(0)) < 0);
        assertEquals(0, log.tail());
    }

    @Test
    void shouldWriteTheHeaderOfTheFrame() {
        final SendLog log = logAt(3L * WINDOW + 32);
        final long position = log.claim(SendLog.alignedLength(7), Long.MAX_VALUE);
        log.commit(position, FrameDescriptor.frameLength(7), FrameDescriptor.DATA_TYPE, RESERVED);
        final UnsafeBuffer buffer = region.buffer();
        final long word = buffer.getLong(32);
        assertEquals(31, FrameDescriptor.frameLengthOf(word));
        assertEquals(FrameDescriptor.DATA_TYPE, FrameDescriptor.typeOf(word));
        assertEquals(FrameDescriptor.FRAME_VERSION, FrameDescriptor.versionOf(word));
        assertEquals(FrameDescriptor.lapWord(3L * WINDOW + 32), lapWordAt(32));
        assertEquals(RESERVED, buffer.getLong(32 + FrameDescriptor.RESERVED_VALUE_OFFSET));
        assertEquals(3L * WINDOW + 64, log.tail());
    }

    @ParameterizedTest
    @CsvSource({"0, 32", "8, 32", "9, 64", "40, 64", "41, 96", "488, 512"})
    void shouldAlignFramesWithTheirHeader(final int messageLength, final int expected) {
        assertEquals(expected, SendLog.alignedLength(messageLength));
    }

    @Test
    void shouldLetAMessageTakeAnEighthOfTheWindow() {
        final SendLog log = new SendLog(region, 0, KEY);
        assertEquals(WINDOW / 8 - FrameDescriptor.HEADER_LENGTH, log.maxMessageLength());
        assertEquals(WINDOW / 8, SendLog.alignedLength(log.maxMessageLength()));
    }

    /** Bytes are copied by words or in bulk, from an array or from memory, wherever it begins. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCopyMessagesOfEveryLengthAndNothingBeside(final boolean direct) {
        final SendLog log = new SendLog(region, 0, KEY);
        final UnsafeBuffer source =
            direct ? new UnsafeBuffer(ByteBuffer.allocateDirect(WINDOW)) : new UnsafeBuffer(new byte[WINDOW]);
        for (int i = 0; i < WINDOW; i++) {
            source.putByte(i, (byte) (i * 31 + i / 256 + 1));
        }
        for (int length = 0; length <= WINDOW / 2; length++) {
            final int from = length % 13;
            final int to = 64 + length % 11;
            region.buffer().setMemory(0, WINDOW, (byte) 0);
            log.writer().putBytes(to, source, from, length);
            for (int i = 0; i < to + length + 64; i++) {
                final boolean isCopied = i >= to && i < to + length;
                final byte expected = isCopied ? source.getByte(i - to + from) : 0;
                if (region.buffer().getByte(i) != expected) {
                    fail("length=" + length + " index=" + i + " expected=" + expected);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 512, 520, 1032})
    void shouldNotCopyFromBeyondTheSource(final int length) {
        final SendLog log = new SendLog(region, 0, KEY);
        final UnsafeBuffer source = new UnsafeBuffer(new byte[length]);
        assertThrows(IndexOutOfBoundsException.class, () -> log.writer().putBytes(0, source, 1, length));
        assertThrows(
            IndexOutOfBoundsException.class, () -> log.writer().putBytes(WINDOW - length + 1, source, 0, length));
        assertEquals(0, region.buffer().getByte(WINDOW - 1));
    }

    @Test
    void shouldEndTheStreamAtTheMaximumPosition() {
        final SendLog log = logAt(FrameDescriptor.MAX_POSITION - 64);
        assertEquals(SendLog.OVER_MAX_POSITION, log.claim(96, FrameDescriptor.MAX_POSITION + WINDOW));
        assertEquals(SendLog.OVER_MAX_POSITION, log.claim(96, FrameDescriptor.MAX_POSITION - 64));
        final long position = log.claim(64, FrameDescriptor.MAX_POSITION);
        assertEquals(FrameDescriptor.MAX_POSITION - 64, position);
        log.commit(position, 64, FrameDescriptor.DATA_TYPE, 0);
        assertEquals(FrameDescriptor.MAX_POSITION, log.tail());
        assertEquals(SendLog.OVER_MAX_POSITION, log.claim(32, Long.MAX_VALUE));
    }

    @Test
    void shouldNotAppendBeyondTheEndOfTheStream() {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[64]);
        final SendLog log = logAt(FrameDescriptor.MAX_POSITION - 64);
        assertEquals(SendLog.OVER_LIMIT, log.append(Long.MAX_VALUE, source, 0, 64, 0));
        assertEquals(FrameDescriptor.MAX_POSITION, log.append(Long.MAX_VALUE, source, 0, 32, 0));
        assertEquals(SendLog.OVER_LIMIT, log.append(Long.MAX_VALUE, source, 0, 0, 0));
        assertEquals(SendLog.OVER_MAX_POSITION, log.claim(32, Long.MAX_VALUE));
    }

    private SendLog logAt(final long position) {
        return new SendLog(region, position, KEY);
    }

    private int lapWordAt(final int offset) {
        return FrameDescriptor.lapWordOf(region.buffer().getLong(offset + FrameDescriptor.LAP_WORD_OFFSET), KEY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 32, 255, 500, 511, 512, 513, 1024, 3000})
    void shouldAppendAsWhatIsClaimedCopiedAndCommitted(final int length) {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[length + 3]);
        for (int i = 0; i < source.capacity(); i++) {
            source.putByte(i, (byte) (i * 7 + 1));
        }
        final StubRegion steps = new StubRegion(WINDOW);
        final SendLog inSteps = new SendLog(steps, 3 * WINDOW + 32, KEY);
        final long position = inSteps.claim(SendLog.alignedLength(length), 4 * WINDOW);
        inSteps.putBytes(position, 0, source, 3, length);
        final int frameLength = FrameDescriptor.frameLength(length);
        final long end = inSteps.commit(position, frameLength, FrameDescriptor.DATA_TYPE, RESERVED);

        final SendLog atOnce = logAt(3 * WINDOW + 32);
        assertEquals(end, atOnce.append(4 * WINDOW, source, 3, length, RESERVED));
        for (int offset = 32; offset < 32 + frameLength; offset++) {
            assertEquals(steps.buffer().getByte(offset), region.buffer().getByte(offset), "offset=" + offset);
        }
        assertEquals(end, atOnce.tail());
        assertEquals(1, atOnce.messages());
        assertEquals(length, atOnce.messageBytes());
    }

    @Test
    void shouldAppendUpToTheLimitAndNoFurther() {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[40]);
        final SendLog log = new SendLog(region, 0, KEY);
        assertEquals(SendLog.OVER_LIMIT, log.append(63, source, 0, 40, 0));
        assertNothingDone(log);
        assertEquals(64, log.append(64, source, 0, 40, 0));
    }

    @Test
    void shouldNotAppendWherePaddingMustComeFirst() {
        final SendLog log = logAt(WINDOW - 64);
        final UnsafeBuffer source = new UnsafeBuffer(new byte[41]);
        assertEquals(SendLog.OVER_LIMIT, log.append(2 * WINDOW, source, 0, 41, 0));
        assertEquals(0, region.buffer().getLong(WINDOW - 64));
        assertEquals(WINDOW - 64, log.tail());
        assertEquals(WINDOW, log.append(2 * WINDOW, source, 0, 40, 0), "it fits exactly");
    }

    @Test
    void shouldNotAppendWhereAReaderThatWasGivenUpMayStillBeReading() {
        final SendLog log = new SendLog(region, 0, KEY);
        log.markWholeForALap();
        assertEquals(SendLog.OVER_LIMIT, log.append(WINDOW, new UnsafeBuffer(new byte[40]), 0, 40, 0));
        assertNothingDone(log);
        assertEquals(3 * WINDOW + 64, logAfterMarks().append(4 * WINDOW, new UnsafeBuffer(new byte[40]), 0, 40, 0));
    }

    private SendLog logAfterMarks() {
        final SendLog log = logAt(0);
        log.markWholeForALap();
        while (log.tail() < 3 * WINDOW) {
            log.commit(log.claim(64, 3 * WINDOW), 64, FrameDescriptor.DATA_TYPE, 0);
        }
        return log;
    }

    @Test
    void shouldNotAppendBytesThatTheSourceDoesNotHave() {
        final SendLog log = new SendLog(region, 0, KEY);
        final UnsafeBuffer source = new UnsafeBuffer(new byte[40]);
        assertThrows(IndexOutOfBoundsException.class, () -> log.append(WINDOW, source, 1, 40, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> log.append(WINDOW, source, -1, 8, 0));
        assertEquals(0, log.tail());
        assertEquals(64, log.append(WINDOW, source, 0, 40, 0), "the next one takes its place");
    }

    @Test
    void shouldStampMessagesWhenTheyAreCommittedAndNoPadding() {
        final long[] nowNs = {1000};
        final StampClock stamps = StampClock.acrossHosts(() -> nowNs[0], () -> 0).onOneHost();
        final SendLog log = new SendLog(region, WINDOW - 64, KEY, stamps);
        final long position = log.claim(96, 2 * WINDOW);
        nowNs[0] = 2000;
        log.commit(position, 90, FrameDescriptor.DATA_TYPE, RESERVED);
        nowNs[0] = 3000;
        log.append(2 * WINDOW, new UnsafeBuffer(new byte[40]), 0, 40, RESERVED);
        log.commit(log.claim(64, 2 * WINDOW), 64, FrameDescriptor.PADDING_TYPE, 0);

        assertFrame(WINDOW - 64, FrameDescriptor.lengthWord(64, 0, FrameDescriptor.PADDING_TYPE), 0);
        assertFrame(0, FrameDescriptor.lengthWord(90, 1, FrameDescriptor.DATA_TYPE), 2000);
        assertFrame(96, FrameDescriptor.lengthWord(64, 1, FrameDescriptor.DATA_TYPE), 3000);
        assertFrame(160, FrameDescriptor.lengthWord(64, 0, FrameDescriptor.PADDING_TYPE), 0);
    }

    private void assertFrame(final int offset, final long lengthWord, final long reservedValue) {
        assertEquals(lengthWord, region.buffer().getLong(offset), "offset=" + offset);
        assertEquals(
            reservedValue, region.buffer().getLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET), "offset=" + offset);
    }

    private void assertNothingDone(final SendLog log) {
        assertEquals(0, region.buffer().getLong(0));
        assertEquals(0, region.buffer().getLong(FrameDescriptor.LAP_WORD_OFFSET));
        assertEquals(0, log.tail());
        assertEquals(0, log.messages());
    }
}
