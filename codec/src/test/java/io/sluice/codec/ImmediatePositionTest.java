package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImmediatePositionTest {
    private static final long UNIT = FrameDescriptor.FRAME_ALIGNMENT;
    private static final long REPEAT = UNIT << 32;
    private static final long REACH = UNIT * Integer.MAX_VALUE;

    @Test
    void shouldBeTheLapWordOfTheSamePosition() {
        assertEquals(0x3C4D5E6F, ImmediatePosition.immediate(0x0123_4567_89AB_CDE0L));
        assertEquals(FrameDescriptor.lapWord(REPEAT + 96), ImmediatePosition.immediate(REPEAT + 96));
        assertEquals(0, ImmediatePosition.immediate(FrameDescriptor.MAX_POSITION));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, UNIT, REPEAT / 2, REPEAT - UNIT, REPEAT, REPEAT + UNIT, 3 * REPEAT - UNIT,
        FrameDescriptor.MAX_POSITION - REPEAT, FrameDescriptor.MAX_POSITION - UNIT, FrameDescriptor.MAX_POSITION})
    void shouldTakeALaterOneAndIgnoreARepeatOrAnOlderOne(long last) {
        assertEquals(last, reconstructed(last, last));
        assertEquals(last + UNIT, reconstructed(last + UNIT, last));
        assertEquals(last + (1L << 30), reconstructed(last + (1L << 30), last));
        assertEquals(last + REACH, reconstructed(last + REACH, last));
        if (last > 0) {
            assertEquals(last, reconstructed(last - UNIT, last));
        }
        if (last >= 1L << 30) {
            assertEquals(last, reconstructed(last - (1L << 30), last));
        }
        if (last > REACH) {
            assertEquals(last, reconstructed(last - REACH - UNIT, last));
        }
    }

    @Test
    void shouldTakeWhatIsJustOutOfReachForAnOlderOne() {
        assertEquals(64, reconstructed(64 + REACH + UNIT, 64));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, REPEAT - (1 << 20), REPEAT / 2 - (1 << 20), FrameDescriptor.MAX_POSITION - (1L << 40)})
    void shouldFollowAnyRunInWhichSomeAreLostRepeatedOrOvertaken(long start) {
        Random random = new Random(start + 7);
        long known = start;
        long sent = start;
        for (int i = 0; i < 100_000; i++) {
            long older = Math.max(start, sent - UNIT * random.nextInt(1 << 15));
            sent += UNIT * random.nextInt(1 << 15);
            switch (random.nextInt(4)) {
                case 0 -> known = check(older, known);
                case 1 -> known = check(sent, check(sent, known));
                case 2 -> known = check(older, check(sent, known));
                default -> {
                    // Lost: the next one covers it.
                }
            }
        }
        assertEquals(sent, reconstructed(sent, known));
    }

    @Test
    void shouldNeverGoBackWhateverArrives() {
        Random random = new Random(11);
        long known = 0;
        for (int i = 0; i < 100_000; i++) {
            long next = ImmediatePosition.reconstruct(random.nextInt(), known);
            assertEquals(Math.max(next, known), next);
            assertEquals(0, next % UNIT);
            known = next % (FrameDescriptor.MAX_POSITION - REPEAT);
        }
    }

    private static long check(long position, long known) {
        long result = reconstructed(position, known);
        assertEquals(Math.max(position, known), result);
        return result;
    }

    private static long reconstructed(long position, long last) {
        return ImmediatePosition.reconstruct(ImmediatePosition.immediate(position), last);
    }
}
