package io.sluice.rpma;

/**
 * Takes messages of librpma's log. Called by whatever thread is inside of the library; what it throws is dropped. It
 * must not call anything of this package: the thread is inside of one of its calls.
 */
@FunctionalInterface
public interface RpmaLogFunction {
    /**
     * Takes a message.
     *
     * @param level    of the message.
     * @param file     of the library's source, empty when it is not told.
     * @param line     in it.
     * @param function that tells.
     * @param message  without its line break, cut after 1023 bytes.
     */
    void onMessage(RpmaLogLevel level, String file, int line, String function, String message);
}
