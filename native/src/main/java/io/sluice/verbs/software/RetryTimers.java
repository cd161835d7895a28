package io.sluice.verbs.software;

/** The timer codes of ibv_modify_qp(3). */
final class RetryTimers {
    private static final int CODE_MASK = 31;
    /** Delay for each minimal RNR timer code, in units of 10 microseconds. */
    private static final int[] RNR_TIMERS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
        256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };
    private static final long RNR_UNIT_NS = 10_000;
    private static final long ACK_UNIT_NS = 4096;

    private RetryTimers() {
    }

    /** Delay between two tries when the receiver is not ready; any code, because the peer's comes from outside. */
    static long rnrTimerNs(final int code) {
        return RNR_TIMERS[code & CODE_MASK] * RNR_UNIT_NS;
    }

    /** Time until a peer that does not answer is given up; code 0 is for ever. */
    static long retriesNs(final int retryCount, final int ackTimeoutCode) {
        return ackTimeoutCode == 0 ? Long.MAX_VALUE : (retryCount + 1) * (ACK_UNIT_NS << ackTimeoutCode);
    }
}
