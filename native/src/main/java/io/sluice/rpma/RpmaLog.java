package io.sluice.rpma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The log of librpma, one for the process. This binding takes its errors for {@link RpmaException}s, and so takes the
 * place of the library's own function, which writes to syslog(3) and perhaps to the standard error. Any thread.
 */
public final class RpmaLog {
    private static final int THRESHOLD = 0;
    private static final int THRESHOLD_AUX = 1;

    private RpmaLog() {
    }

    /**
     * Hand all messages up to the threshold to a function, rpma_log_set_function(3).
     *
     * @param function called by any thread that is inside of the library; null for none.
     * @throws RpmaException when the library refuses: E_AGAIN of one without atomic operations, when other threads keep
     *                       on changing the same.
     */
    public static void function(final RpmaLogFunction function) {
        final RpmaLibrary library = RpmaLibrary.instance();
        library.messages().function(function);
        library.useFunction(library.messages().stub());
    }

    /**
     * Let the library's own function write to the system's log ({@code RPMA_LOG_USE_DEFAULT_FUNCTION}); exceptions then
     * lack the cause that it tells.
     *
     * @throws RpmaException when the library refuses, E_AGAIN as of {@link #function}.
     */
    public static void useLibraryFunction() {
        RpmaLibrary.instance().useFunction(MemorySegment.NULL);
    }

    /**
     * Set the threshold of the log, rpma_log_set_threshold(3).
     *
     * @param level the least weighty one that is logged.
     * @throws RpmaException when the library refuses, E_AGAIN as of {@link #function}.
     */
    public static void threshold(final RpmaLogLevel level) {
        RpmaLibrary.instance().useThreshold(THRESHOLD, level);
    }

    /**
     * The threshold of the log, rpma_log_get_threshold(3).
     *
     * @return the least weighty level that is logged.
     */
    public static RpmaLogLevel threshold() {
        return get(THRESHOLD);
    }

    /**
     * Set the threshold of what the library's own function writes to the standard error as well.
     *
     * @param level the least weighty one that it writes.
     * @throws RpmaException when the library refuses, E_AGAIN as of {@link #function}.
     */
    public static void auxiliaryThreshold(final RpmaLogLevel level) {
        RpmaLibrary.instance().useThreshold(THRESHOLD_AUX, level);
    }

    /**
     * The threshold of what the library's own function writes to the standard error as well.
     *
     * @return the least weighty level that it writes.
     */
    public static RpmaLogLevel auxiliaryThreshold() {
        return get(THRESHOLD_AUX);
    }

    /**
     * The error number at the end of the last error that librpma has logged for this thread: after an E_PROVIDER of the
     * data path it is the cause, for example ENOMEM of a queue that is full and EINVAL of a connection that is not
     * there.
     *
     * @return an error number; 0 when none was logged, for example because the threshold forbids it.
     */
    public static int lastErrno() {
        final LogMessages messages = RpmaLibrary.instance().messages();
        return messages.errnoIn(messages.lastError());
    }

    private static RpmaLogLevel get(final int which) {
        final RpmaLibrary library = RpmaLibrary.instance();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment level = arena.allocate(ValueLayout.JAVA_INT);
            library.check(library.logGetThreshold, "no threshold", which, level);
            return RpmaLogLevel.of(level.get(ValueLayout.JAVA_INT, 0));
        }
    }
}
