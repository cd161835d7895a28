package io.sluice.transport.status;

import org.agrona.ErrorHandler;

/**
 * An error handler that also hears of errors which the application is not told again, so that they are counted. Any
 * thread.
 */
@FunctionalInterface
public interface RepeatedErrorHandler extends ErrorHandler {
    /**
     * Take note that an error which was handed to {@link #onError(Throwable)} has happened again.
     *
     * @param told the error as it was handed over then.
     */
    default void onRepeated(final Throwable told) {
        // counting is for who can count
    }
}
