package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GoldenMessageTest {
    private final CopyingHandler handler = new CopyingHandler();
    private final ControlMessageReader reader = new ControlMessageReader(handler);

    @ParameterizedTest
    @EnumSource
    void shouldEncodeTheGoldenBytes(GoldenMessage golden) {
        assertArrayEquals(golden.bytes(), EncodedMessages.encode(golden));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadEveryFieldOfTheGoldenBytes(GoldenMessage golden) {
        byte[] bytes = golden.bytes();
        assertEquals(ControlMessageReader.OK, reader.read(new UnsafeBuffer(bytes), 0, bytes.length));
        assertArrayEquals(bytes, handler.copy());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadFromTheMiddleOfABuffer(GoldenMessage golden) {
        byte[] bytes = golden.bytes();
        byte[] around = new byte[bytes.length + 30];
        Arrays.fill(around, (byte) 0xFF);
        System.arraycopy(bytes, 0, around, 13, bytes.length);
        assertEquals(ControlMessageReader.OK, reader.read(new UnsafeBuffer(around), 13, bytes.length));
        assertArrayEquals(bytes, handler.copy());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnEveryFieldThatWasEncodedWhateverTheBlockHolds(GoldenMessage golden) {
        Random random = new Random(golden.ordinal());
        int accepted = 0;
        for (int i = 0; i < 20_000 && accepted < 10; i++) {
            byte[] bytes = golden.bytes();
            int blockLength = bytes[0];
            bytes[8 + random.nextInt(blockLength)] = (byte) random.nextInt(256);
            if (reader.read(new UnsafeBuffer(bytes), 0, bytes.length) == ControlMessageReader.OK) {
                accepted++;
                assertNotNull(handler.copy());
                assertArrayEquals(bytes, handler.copy());
            }
        }
        assertEquals(10, accepted);
    }

    @Test
    void shouldHaveOneForEveryTemplateInItsPlace() {
        for (GoldenMessage golden : GoldenMessage.values()) {
            assertEquals(golden.ordinal() + 1, golden.bytes()[2]);
        }
        assertEquals(18, GoldenMessage.values().length);
    }
}
