package io.sluice.transport.harness;

import java.util.SplittableRandom;

/** The lengths of a load's messages. */
enum Lengths {
    /** 0 to 128 bytes. */
    SMALL,
    /** 0 bytes to the maximum: mostly small, some medium, few long, one in a thousand of the maximum itself. */
    MIX,
    /** 0 bytes to the maximum, all alike often. */
    EVEN,
    /** The maximum. */
    LONGEST;

    private static final int SMALL_LENGTH = 128;
    private static final int MEDIUM_LENGTH = 2048;

    int next(final SplittableRandom random, final int maxLength) {
        return switch (this) {
            case SMALL -> random.nextInt(Math.min(SMALL_LENGTH, maxLength) + 1);
            case MIX -> mixed(random, maxLength);
            case EVEN -> random.nextInt(maxLength + 1);
            case LONGEST -> maxLength;
        };
    }

    private static int mixed(final SplittableRandom random, final int maxLength) {
        final int die = random.nextInt(1000);
        if (die < 900) {
            return random.nextInt(Math.min(SMALL_LENGTH, maxLength) + 1);
        } else if (die < 990) {
            return random.nextInt(Math.min(MEDIUM_LENGTH, maxLength) + 1);
        } else {
            return die < 999 ? random.nextInt(maxLength + 1) : maxLength;
        }
    }
}
