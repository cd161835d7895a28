package io.sluice.transport.counters;

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

    /**
     * Take an error that somebody has caused who has not proved who he is, and may cause others as often as he likes:
     * it must not take the room of other errors.
     *
     * @param error to be told.
     */
    default void onStranger(final Throwable error) {
        onError(error);
    }

    /**
     * Take note that an error which was handed to {@link #onStranger(Throwable)} has happened again.
     *
     * @param told the error as it was handed over then.
     */
    default void onStrangerRepeated(final Throwable told) {
        onRepeated(told);
    }
}
