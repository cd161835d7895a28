package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes, each in a buffer of exactly their length with bounds checks on, so that reading beyond them fails, by
 * the reader as well as by the decoders that it hands out. A failure repeats.
 */
class ControlMessageReaderFuzzTest {
    private static final int[] INTERESTING_LENGTHS = {
        0, 1, 2, 7, 8, 9, 20, 21, 22, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 2048, 2049, 4095, 4096, 4097,
        0x7FFF, 0x8000, 0xFFFE, 0xFFFF
    };

    /** The number of mutated messages, as many as one likes, each from a seed of its own. */
    private static final long INPUTS = Long.parseLong(System.getProperty("sluice.fuzz.inputs", "250000"));
    private static final long SEED = Long.parseLong(System.getProperty("sluice.fuzz.seed", "20003"));

    private final DecodingHandler handler = new DecodingHandler();
    private final ControlMessageReader reader = new ControlMessageReader(handler);
    private final Map<String, Integer> countByResult = new TreeMap<>();
    private final List<byte[]> valid = validMessages();

    @Test
    void shouldSurviveRandomBytes() {
        Random random = new Random(20_001);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            read(bytes);
        }
        for (int i = 0; i < 150_000; i++) {
            byte[] bytes = new byte[8 + random.nextInt(200)];
            random.nextBytes(bytes);
            byte[] header = valid.get(random.nextInt(valid.size()));
            System.arraycopy(header, 0, bytes, 0, 8);
            read(bytes);
        }
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH + random.nextInt(100)];
            random.nextBytes(bytes);
            System.arraycopy(valid.get(random.nextInt(valid.size())), 0, bytes, 0, 8);
            read(bytes);
        }
        assertOccurred("TRUNCATED", 1000);
        assertOccurred("UNKNOWN_SCHEMA", 1000);
        assertOccurred("BAD_LENGTH", 1000);
        assertOccurred("TRAILING_BYTES", 1000);
    }

    @Test
    void shouldSurviveRandomBlocks() {
        Random random = new Random(20_004);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
            byte[] block = new byte[1 + random.nextInt(bytes[0])];
            random.nextBytes(block);
            System.arraycopy(block, 0, bytes, 8 + bytes[0] - block.length, block.length);
            read(bytes);
        }
        assertOccurred("OK", 1000);
        assertOccurred("BAD_VALUE", 1000);
    }

    @Test
    void shouldFindEveryTruncationOfEveryMessage() {
        for (byte[] bytes : valid) {
            for (int length = 0; length < bytes.length; length++) {
                assertEquals(ControlMessageReader.TRUNCATED, read(Arrays.copyOf(bytes, length)));
            }
            assertEquals(ControlMessageReader.OK, read(bytes));
        }
    }

    @Test
    void shouldFindEveryByteTooMany() {
        Random random = new Random(20_002);
        for (byte[] bytes : valid) {
            for (int length = bytes.length + 1; length < bytes.length + 40; length++) {
                byte[] longer = new byte[length];
                random.nextBytes(longer);
                System.arraycopy(bytes, 0, longer, 0, bytes.length);
                assertEquals(ControlMessageReader.TRAILING_BYTES, read(longer));
            }
        }
    }

    @Test
    void shouldSurviveEverySingleBitFlip() {
        for (byte[] bytes : valid) {
            for (int bit = 0; bit < bytes.length * 8; bit++) {
                byte[] flipped = bytes.clone();
                flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
                read(flipped);
            }
        }
        assertOccurredAll(10);
    }

    @Test
    void shouldSurviveMutatedMessages() {
        for (long seed = SEED; seed < SEED + INPUTS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
            int mutations = 1 + random.nextInt(4);
            for (int j = 0; j < mutations; j++) {
                bytes = mutate(bytes, random);
            }
            try {
                read(bytes);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("replay it with -Dsluice.fuzz.seed=" + seed + " -Dsluice.fuzz.inputs=1", e);
            }
        }
        System.out.println("fuzzer=control-message inputs=" + INPUTS + " seed=" + SEED);
        if (INPUTS >= 250_000) {
            assertOccurredAll(500);
        }
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        ByteBuffer mutated = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < 10) {
            return bytes;
        }
        switch (random.nextInt(7)) {
            case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            case 2 -> mutated.putShort(random.nextInt(bytes.length - 1), interestingLength(random));
            case 3 -> mutated.putShort(2 * random.nextInt(4), interestingLength(random));
            case 4 -> mutated.putShort(Math.min(bytes.length - 2, 8 + (bytes[0] & 0xFF)), interestingLength(random));
            case 5 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            default -> {
                return Arrays.copyOf(bytes, bytes.length + random.nextInt(30));
            }
        }
        return bytes;
    }

    private static short interestingLength(Random random) {
        return (short) INTERESTING_LENGTHS[random.nextInt(INTERESTING_LENGTHS.length)];
    }

    private int read(byte[] bytes) {
        int handled = handler.count();
        int result = reader.read(new UnsafeBuffer(bytes), 0, bytes.length);
        String name = ControlMessageReader.resultString(result);
        assertTrue(!name.equals("UNKNOWN"), () -> "result=" + result);
        assertEquals(handled + (result == ControlMessageReader.OK ? 1 : 0), handler.count());
        countByResult.merge(name, 1, Integer::sum);
        return result;
    }

    private void assertOccurred(String result, int least) {
        assertTrue(countByResult.getOrDefault(result, 0) >= least, () -> result + " in " + countByResult);
    }

    private void assertOccurredAll(int least) {
        for (String result : List.of("OK", "TRUNCATED", "UNKNOWN_SCHEMA", "UNKNOWN_VERSION", "UNKNOWN_TEMPLATE",
            "BAD_LENGTH", "BAD_VALUE", "TRAILING_BYTES")) {
            assertOccurred(result, least);
        }
    }

    private static List<byte[]> validMessages() {
        List<byte[]> messages = new ArrayList<>(LongestMessages.all());
        for (GoldenMessage golden : GoldenMessage.values()) {
            messages.add(golden.bytes());
        }
        return messages;
    }
}
