package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.RefuseEncoder;
import io.sluice.codec.control.SetupEncoder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlMessageReaderTest {
    private static final int BLOCK_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH;

    private final DecodingHandler handler = new DecodingHandler();
    private final ControlMessageReader reader = new ControlMessageReader(handler);

    @Test
    void shouldTakeMessagesThatReachAllBounds() {
        for (byte[] bytes : LongestMessages.all()) {
            assertTrue(bytes.length <= ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH);
            assertEquals(ControlMessageReader.OK, read(bytes));
        }
        assertEquals(LongestMessages.all().size(), handler.count());
    }

    @Test
    void shouldLeaveRoomForLongerHeartbeatEntries() {
        int entries = ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH - BLOCK_OFFSET - HeartbeatEncoder.BLOCK_LENGTH - 4;
        assertTrue(entries / ControlDescriptor.MAX_HEARTBEAT_LINKS >= 31);
    }

    @Test
    void shouldRefuseWhatExceedsABound() {
        for (byte[] bytes : LongestMessages.all()) {
            // The last variable part, or the last group's count, says one more than the bound, and the bytes are there.
            byte[] longer = Arrays.copyOf(bytes, bytes.length + HeartbeatEncoder.LinksEncoder.sbeBlockLength());
            if (bytes[2] == HeartbeatEncoder.TEMPLATE_ID) {
                longer[BLOCK_OFFSET + HeartbeatEncoder.BLOCK_LENGTH + 2]++;
            } else {
                int lengthOffset = lastIndexOfNoText(bytes) - 1;
                UnsafeBuffer buffer = new UnsafeBuffer(longer);
                buffer.putShort(lengthOffset, (short) (buffer.getShort(lengthOffset) + 1));
            }
            assertEquals(ControlMessageReader.BAD_LENGTH, read(longer));
        }
    }

    private static int lastIndexOfNoText(byte[] bytes) {
        int i = bytes.length - 1;
        while (bytes[i] == 'x') {
            i--;
        }
        return i;
    }

    @Test
    void shouldRefuseAMessageThatIsLongerThanAnyReceive() {
        byte[] bytes = Arrays.copyOf(GoldenMessage.HELLO.bytes(), ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH + 1);
        assertEquals(ControlMessageReader.BAD_LENGTH, read(bytes));
    }

    @ParameterizedTest
    @CsvSource({"-1, 20", "0, -1", "0, 0", "0, 7", "1, 64", "64, 8", "65, 0", "2147483647, 2147483647",
        "60, 2147483647"})
    void shouldNotReadOutsideTheBuffer(int offset, int length) {
        UnsafeBuffer buffer = new UnsafeBuffer(Arrays.copyOf(GoldenMessage.HELLO.bytes(), 64));
        assertEquals(ControlMessageReader.TRUNCATED, reader.read(buffer, offset, length));
    }

    @Test
    void shouldReportAnUnknownSchemaVersionAndTemplate() {
        assertEquals(ControlMessageReader.UNKNOWN_SCHEMA, read(patched(GoldenMessage.GOODBYE, 4, 0)));
        assertEquals(ControlMessageReader.UNKNOWN_VERSION, read(patched(GoldenMessage.GOODBYE, 6, 0)));
        assertEquals(ControlMessageReader.UNKNOWN_TEMPLATE, read(patched(GoldenMessage.GOODBYE, 2, 0)));
        assertEquals(ControlMessageReader.UNKNOWN_TEMPLATE, read(patched(GoldenMessage.GOODBYE, 2, 19)));
        assertEquals(ControlMessageReader.UNKNOWN_TEMPLATE, read(patched(GoldenMessage.GOODBYE, 3, 1)));
        assertEquals(0, handler.count());
    }

    @Test
    void shouldRefuseABlockOfAnotherLengthInTheSameVersion() {
        assertEquals(ControlMessageReader.BAD_LENGTH, read(patched(GoldenMessage.GOODBYE, 0, 0)));
        assertEquals(ControlMessageReader.BAD_LENGTH, read(patched(GoldenMessage.GOODBYE, 0, 2)));
        int entryLengthOffset = BLOCK_OFFSET + HeartbeatEncoder.BLOCK_LENGTH;
        assertEquals(ControlMessageReader.BAD_LENGTH, read(patched(GoldenMessage.HEARTBEAT, entryLengthOffset, 20)));
        assertEquals(ControlMessageReader.BAD_LENGTH, read(patched(GoldenMessage.HEARTBEAT, entryLengthOffset, 22)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void shouldTakeEveryEnumValueOfTheSchema(int value) {
        int offset = BLOCK_OFFSET + RefuseEncoder.reasonEncodingOffset();
        assertEquals(ControlMessageReader.OK, read(patched(GoldenMessage.REFUSE, offset, value)));
    }

    @Test
    void shouldTakeTheLeastAndTheGreatestPositionAndNone() {
        byte[] bytes = GoldenMessage.SETUP.bytes();
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        for (long position : new long[] {0, 32, 1L << 62}) {
            buffer.putLong(BLOCK_OFFSET + SetupEncoder.publicationPositionEncodingOffset(), position);
            buffer.putLong(BLOCK_OFFSET + SetupEncoder.resumePositionEncodingOffset(), position);
            assertEquals(ControlMessageReader.OK, read(bytes), () -> "position=" + position);
        }
        buffer.putLong(BLOCK_OFFSET + SetupEncoder.resumePositionEncodingOffset(), -1);
        assertEquals(ControlMessageReader.OK, read(bytes));
    }

    @Test
    void shouldJudgeEveryEntryOfAHeartbeat() {
        int secondEntry = BLOCK_OFFSET + HeartbeatEncoder.BLOCK_LENGTH + 4 + 21;
        assertEquals(ControlMessageReader.BAD_VALUE, read(patched(GoldenMessage.HEARTBEAT, secondEntry + 16, 0)));
        assertEquals(ControlMessageReader.BAD_VALUE, read(patched(GoldenMessage.HEARTBEAT, secondEntry + 20, 2)));
        assertEquals(ControlMessageReader.BAD_VALUE, read(patched(GoldenMessage.HEARTBEAT, secondEntry + 8, 1)));
    }

    @Test
    void shouldShowTheHandlerTheBytesThatWereChecked() {
        byte[] bytes = GoldenMessage.REFUSE.bytes();
        UnsafeBuffer shared = new UnsafeBuffer(bytes);
        List<String> seen = new ArrayList<>();
        ControlMessageHandler overwriting = new DecodingHandler(decoder -> {
            shared.setMemory(0, bytes.length, (byte) 0xFF);
            seen.add(decoder.toString());
        });
        new ControlMessageReader(overwriting).read(shared, 0, bytes.length);
        assertTrue(seen.getFirst().contains("text='closing'"), seen::toString);
    }

    @Test
    void shouldPassOnWhatTheHandlerThrowsAndGoOn() {
        IllegalStateException expected = new IllegalStateException("test");
        boolean[] throwing = {true};
        ControlMessageReader other = new ControlMessageReader(new DecodingHandler(decoder -> {
            if (throwing[0]) {
                throw expected;
            }
        }));
        UnsafeBuffer buffer = new UnsafeBuffer(GoldenMessage.HELLO.bytes());
        assertSame(expected, assertThrows(IllegalStateException.class, () -> other.read(buffer, 0, buffer.capacity())));
        throwing[0] = false;
        assertEquals(ControlMessageReader.OK, other.read(buffer, 0, buffer.capacity()));
    }

    @Test
    void shouldAllocateNothing() {
        List<UnsafeBuffer> messages = new ArrayList<>();
        for (GoldenMessage golden : GoldenMessage.values()) {
            byte[] bytes = golden.bytes();
            messages.add(new UnsafeBuffer(bytes));
            messages.add(new UnsafeBuffer(Arrays.copyOf(bytes, bytes.length - 1)));
            messages.add(new UnsafeBuffer(Arrays.copyOf(bytes, bytes.length + 1)));
            messages.add(new UnsafeBuffer(patched(golden, BLOCK_OFFSET + bytes[0] - 1, 0xEE)));
        }
        DecodingHandler counting = new DecodingHandler(decoder -> {
        });
        ControlMessageReader other = new ControlMessageReader(counting);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        // The first rounds load classes; a round without any allocation is the proof.
        for (int round = 0; round < 100 && allocated != 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < messages.size(); i++) {
                other.read(messages.get(i), 0, messages.get(i).capacity());
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertEquals(0, allocated);
        assertTrue(counting.count() >= GoldenMessage.values().length);
    }

    @Test
    void shouldNameItsResults() {
        assertEquals("OK", ControlMessageReader.resultString(ControlMessageReader.OK));
        assertEquals("TRUNCATED", ControlMessageReader.resultString(ControlMessageReader.TRUNCATED));
        assertEquals("UNKNOWN_SCHEMA", ControlMessageReader.resultString(ControlMessageReader.UNKNOWN_SCHEMA));
        assertEquals("UNKNOWN_VERSION", ControlMessageReader.resultString(ControlMessageReader.UNKNOWN_VERSION));
        assertEquals("UNKNOWN_TEMPLATE", ControlMessageReader.resultString(ControlMessageReader.UNKNOWN_TEMPLATE));
        assertEquals("BAD_LENGTH", ControlMessageReader.resultString(ControlMessageReader.BAD_LENGTH));
        assertEquals("BAD_VALUE", ControlMessageReader.resultString(ControlMessageReader.BAD_VALUE));
        assertEquals("TRAILING_BYTES", ControlMessageReader.resultString(ControlMessageReader.TRAILING_BYTES));
        assertEquals("UNKNOWN", ControlMessageReader.resultString(1));
        assertEquals("UNKNOWN", ControlMessageReader.resultString(-8));
    }

    private int read(byte[] bytes) {
        return reader.read(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** A golden message with one byte replaced. */
    private static byte[] patched(GoldenMessage golden, int offset, int value) {
        byte[] bytes = golden.bytes();
        bytes[offset] = (byte) value;
        return bytes;
    }
}
