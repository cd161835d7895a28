package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.FeedbackCellEncoder;
import io.sluice.codec.control.FrameFlagsDecoder;
import io.sluice.codec.control.FrameHeaderDecoder;
import io.sluice.codec.control.FrameHeaderEncoder;
import io.sluice.codec.control.FrameType;
import java.nio.ByteOrder;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FrameDescriptorTest {
    private static final long POSITION = 0x0123_4567_89AB_CDE0L;
    private static final byte[] GOLDEN = GoldenMessage.parse("""
        68 00 00 00                # length: 104
        01                         # version: 1
        01                         # flags: timestamp
        01 00                      # type: 1
        6f 5e 4d 3c                # lap word: low 32 bits of position / 32
        c4 a4 a4 de                # checksum: 0xdeadbeef, exclusive-ored with 0x00091a2b = position >>> 37
        08 07 06 05 04 03 02 01    # reserved value: 0x0102030405060708
        """);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FrameDescriptor.HEADER_LENGTH]);

    @Test
    void shouldHaveTheLayoutOfTheSchema() {
        assertEquals(FrameHeaderEncoder.ENCODED_LENGTH, FrameDescriptor.HEADER_LENGTH);
        assertEquals(FrameHeaderEncoder.lengthEncodingOffset(), FrameDescriptor.LENGTH_OFFSET);
        assertEquals(Integer.BYTES, FrameHeaderEncoder.lengthEncodingLength());
        assertEquals(FrameHeaderEncoder.versionEncodingOffset(), FrameDescriptor.VERSION_OFFSET);
        assertEquals(Byte.BYTES, FrameHeaderEncoder.versionEncodingLength());
        assertEquals(FrameHeaderEncoder.flagsEncodingOffset(), FrameDescriptor.FLAGS_OFFSET);
        assertEquals(Byte.BYTES, FrameHeaderEncoder.flagsEncodingLength());
        assertEquals(FrameHeaderEncoder.typeEncodingOffset(), FrameDescriptor.TYPE_OFFSET);
        assertEquals(Short.BYTES, FrameHeaderEncoder.typeEncodingLength());
        assertEquals(FrameHeaderEncoder.lapWordEncodingOffset(), FrameDescriptor.LAP_WORD_OFFSET);
        assertEquals(Integer.BYTES, FrameHeaderEncoder.lapWordEncodingLength());
        assertEquals(FrameHeaderEncoder.checksumEncodingOffset(), FrameDescriptor.CHECKSUM_OFFSET);
        assertEquals(Integer.BYTES, FrameHeaderEncoder.checksumEncodingLength());
        assertEquals(FrameHeaderEncoder.reservedValueEncodingOffset(), FrameDescriptor.RESERVED_VALUE_OFFSET);
        assertEquals(Long.BYTES, FrameHeaderEncoder.reservedValueEncodingLength());
        assertEquals(ByteOrder.LITTLE_ENDIAN, FrameHeaderEncoder.BYTE_ORDER);
    }

    @Test
    void shouldHaveTheTypesAndFlagsOfTheSchema() {
        assertEquals(FrameType.PADDING.value(), FrameDescriptor.PADDING_TYPE);
        assertEquals(FrameType.DATA.value(), FrameDescriptor.DATA_TYPE);
        buffer.putByte(0, (byte) FrameDescriptor.TIMESTAMP_FLAG);
        assertTrue(new FrameFlagsDecoder().wrap(buffer, 0).timestamp());
    }

    @Test
    void shouldHaveTheFixedOffsets() {
        assertEquals(24, FrameDescriptor.HEADER_LENGTH);
        assertEquals(32, FrameDescriptor.FRAME_ALIGNMENT);
        assertEquals(0, FrameDescriptor.LENGTH_OFFSET);
        assertEquals(4, FrameDescriptor.VERSION_OFFSET);
        assertEquals(5, FrameDescriptor.FLAGS_OFFSET);
        assertEquals(6, FrameDescriptor.TYPE_OFFSET);
        assertEquals(8, FrameDescriptor.LAP_WORD_OFFSET);
        assertEquals(12, FrameDescriptor.CHECKSUM_OFFSET);
        assertEquals(16, FrameDescriptor.RESERVED_VALUE_OFFSET);
        assertEquals(1, FrameDescriptor.FRAME_VERSION);
    }

    @Test
    void shouldEncodeTheGoldenHeaderWithTheGeneratedCodec() {
        FrameHeaderEncoder header = new FrameHeaderEncoder().wrap(buffer, 0);
        header.length(104)
            .version((short) 1)
            .type(FrameType.DATA)
            .lapWord(FrameDescriptor.lapWord(POSITION) & 0xFFFF_FFFFL)
            .checksum((0xDEADBEEF ^ (int) (POSITION >>> 37)) & 0xFFFF_FFFFL)
            .reservedValue(0x0102030405060708L);
        header.flags().clear().timestamp(true);
        assertArrayEquals(GOLDEN, buffer.byteArray());
    }

    @Test
    void shouldWriteTheGoldenHeaderAsTwoWordsAndAValue() {
        buffer.putLong(FrameDescriptor.LAP_WORD_OFFSET,
            FrameDescriptor.lapAndChecksumWord(POSITION, 0xDEADBEEF, 0));
        buffer.putLong(FrameDescriptor.RESERVED_VALUE_OFFSET, 0x0102030405060708L);
        buffer.putLongRelease(FrameDescriptor.LENGTH_OFFSET,
            FrameDescriptor.lengthWord(104, FrameDescriptor.TIMESTAMP_FLAG, FrameDescriptor.DATA_TYPE));
        assertArrayEquals(GOLDEN, buffer.byteArray());
    }

    @Test
    void shouldReadBackEveryFieldOfBothWords() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            int length = random.nextInt();
            int flags = random.nextInt(256);
            int type = random.nextInt(65536);
            long position = random.nextLong() & FrameDescriptor.MAX_POSITION - 32;
            int lapWord = FrameDescriptor.lapWord(position);
            int checksum = random.nextInt();
            long lengthWord = FrameDescriptor.lengthWord(length, flags, type);
            long frameKey = random.nextLong();
            long lapAndChecksumWord = FrameDescriptor.lapAndChecksumWord(position, checksum, frameKey);
            buffer.putLong(FrameDescriptor.LENGTH_OFFSET, lengthWord);
            buffer.putLong(FrameDescriptor.LAP_WORD_OFFSET, lapAndChecksumWord ^ frameKey);
            FrameHeaderDecoder header = new FrameHeaderDecoder().wrap(buffer, 0);

            assertEquals(length, FrameDescriptor.frameLengthOf(lengthWord));
            assertEquals(length, header.length());
            assertEquals(FrameDescriptor.FRAME_VERSION, FrameDescriptor.versionOf(lengthWord));
            assertEquals(FrameDescriptor.FRAME_VERSION, header.version());
            assertEquals(flags, FrameDescriptor.flagsOf(lengthWord));
            assertEquals((flags & 1) == 1, FrameDescriptor.isStamped(lengthWord));
            assertEquals(flags, header.flags().getRaw());
            assertEquals(type, FrameDescriptor.typeOf(lengthWord));
            assertEquals(type, header.typeRaw());
            assertEquals(lapWord, FrameDescriptor.lapWordOf(lapAndChecksumWord, frameKey));
            assertEquals(lapWord, (int) header.lapWord());
            assertEquals(checksum, FrameDescriptor.checksumOf(lapAndChecksumWord, position, frameKey));
            assertEquals(checksum ^ (int) (position >>> 37), (int) header.checksum());
        }
    }

    @Test
    void shouldRoundFrameLengthsUpToTheAlignment() {
        assertEquals(24, FrameDescriptor.frameLength(0));
        assertEquals(32, FrameDescriptor.alignedLength(FrameDescriptor.frameLength(0)));
        assertEquals(32, FrameDescriptor.alignedLength(FrameDescriptor.frameLength(8)));
        assertEquals(64, FrameDescriptor.alignedLength(FrameDescriptor.frameLength(9)));
        assertEquals(Integer.MAX_VALUE - 31, FrameDescriptor.alignedLength(Integer.MAX_VALUE - 31));
    }

    @Test
    void shouldLetTheLongestFrameTakeAnEighthOfTheWindow() {
        assertEquals(512 - 24, FrameDescriptor.maxMessageLength(4096));
        assertEquals((1 << 27) - 24, FrameDescriptor.maxMessageLength(1 << 30));
        assertEquals(512, FrameDescriptor.frameLength(FrameDescriptor.maxMessageLength(4096)));
    }

    @Test
    void shouldGiveAnotherLapWordToTheSamePlaceInTheNextLap() {
        int window = 4096;
        for (long position = FrameDescriptor.MAX_POSITION - 64 * window; position < FrameDescriptor.MAX_POSITION;
             position += FrameDescriptor.FRAME_ALIGNMENT) {
            assertNotEquals(FrameDescriptor.lapWord(position), FrameDescriptor.lapWord(position + window));
        }
        assertEquals(0xFFFF_FFFF, FrameDescriptor.lapWord((1L << 37) - 32));
        assertEquals(0, FrameDescriptor.lapWord(1L << 37));
        assertEquals(0, FrameDescriptor.lapWord(FrameDescriptor.MAX_POSITION));
    }

    @Test
    void shouldHaveTheFeedbackCellOfTheSchema() {
        assertEquals(FeedbackCellEncoder.ENCODED_LENGTH, FeedbackDescriptor.CELL_LENGTH);
        assertEquals(FeedbackCellEncoder.consumedPositionEncodingOffset(), FeedbackDescriptor.CONSUMED_POSITION_OFFSET);
        assertEquals(FeedbackCellEncoder.receivesPostedEncodingOffset(), FeedbackDescriptor.RECEIVES_POSTED_OFFSET);
        UnsafeBuffer cell = new UnsafeBuffer(new byte[FeedbackDescriptor.CELL_LENGTH]);
        new FeedbackCellEncoder().wrap(cell, 0).consumedPosition(0x1122334455667780L).receivesPosted(-2);
        assertArrayEquals(
            GoldenMessage.parse("80 77 66 55 44 33 22 11  fe ff ff ff ff ff ff ff"), cell.byteArray());
    }
}
