package io.sluice.rpma;

/** The weight of a message in librpma's log, rpma_log_set_threshold(3). */
public enum RpmaLogLevel {
    /** No message at all; a threshold only. */
    DISABLED,
    /** The library stops working. */
    FATAL,
    /** Something has failed. */
    ERROR,
    /** Something that can be handled. */
    WARNING,
    /** Rare things of interest, for example an established connection. */
    NOTICE,
    /** Frequent ones, for example every write. */
    INFO,
    /** All there is. */
    DEBUG;

    /** {@code RPMA_LOG_DISABLED}. */
    private static final int FIRST_NUMBER = -1;

    /** The number of {@code enum rpma_log_level}. */
    int number() {
        return ordinal() + FIRST_NUMBER;
    }

    /** The level of a number, of an unknown one the nearest. */
    static RpmaLogLevel of(final int number) {
        return values()[Math.clamp((long) number - FIRST_NUMBER, 0, values().length - 1)];
    }
}
