package io.sluice.verbs;

/**
 * The clock of a device, in whose ticks its completions are stamped ({@link CompletionQueue#completionTimestamp()}) and
 * which {@link RdmaDevice#clockTicks()} reads; from ibv_query_device_ex(3). Its zero means nothing. Any thread.
 *
 * @param frequencyKHz  ticks per millisecond ({@code hca_core_clock}); 0 when the device does not tell.
 * @param timestampMask bits of a completion's timestamp that count ({@code completion_timestamp_mask}): after the
 *                      greatest of them it begins at 0 again; 0 when completions have none.
 */
public record DeviceClock(long frequencyKHz, long timestampMask) {
    /** The clock of a device that tells nothing about it. */
    public static final DeviceClock UNKNOWN = new DeviceClock(0, 0);

    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Count the ticks between two completions, or a completion and {@link RdmaDevice#clockTicks()}, also when the
     * timestamp began at 0 again once between them.
     *
     * @param from the earlier timestamp.
     * @param to   the later one.
     * @return ticks; where completions have no timestamps the plain difference.
     */
    public long elapsedTicks(final long from, final long to) {
        return timestampMask == 0 ? to - from : to - from & timestampMask;
    }

    /**
     * Convert ticks.
     *
     * @param ticks a number of them, as of {@link #elapsedTicks}.
     * @return nanoseconds, rounded towards zero.
     * @throws VerbsException      EOPNOTSUPP when the device does not tell the frequency.
     * @throws ArithmeticException when they are more than 292 years.
     */
    public long toNs(final long ticks) {
        if (frequencyKHz <= 0) {
            throw new VerbsException("ibv_query_device_ex", Errno.EOPNOTSUPP,
                "hca_core_clock=" + frequencyKHz + ": the device does not tell how fast its clock is");
        }
        // whole milliseconds apart, so that nothing runs over that need not
        return Math.addExact(
            Math.multiplyExact(ticks / frequencyKHz, NANOS_PER_MILLI),
            Math.multiplyExact(ticks % frequencyKHz, NANOS_PER_MILLI) / frequencyKHz);
    }
}
