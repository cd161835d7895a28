package io.sluice.transport;

import io.sluice.transport.status.BackPressureListener;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;

/** The application's code that a {@link Context} names. The thread that has the context. */
final class ContextHandlers {
    private ErrorHandler errorHandler = TransportLog::error;
    private BackPressureListener backPressureListener = change -> { };
    private AvailableImageHandler available;
    private UnavailableImageHandler unavailable;
    private Runnable closeHandler;
    private ThreadFactory threadFactory;
    private Function<String, IdleStrategy> idleStrategies = roleName -> null;

    void errorHandler(final ErrorHandler value) {
        errorHandler = value;
    }

    ErrorHandler errorHandler() {
        return errorHandler;
    }

    void backPressureListener(final BackPressureListener value) {
        backPressureListener = value;
    }

    BackPressureListener backPressureListener() {
        return backPressureListener;
    }

    void available(final AvailableImageHandler value) {
        available = value;
    }

    /** The handler of available images, or null. */
    AvailableImageHandler available() {
        return available;
    }

    void unavailable(final UnavailableImageHandler value) {
        unavailable = value;
    }

    /** The handler of unavailable images, or null. */
    UnavailableImageHandler unavailable() {
        return unavailable;
    }

    void closeHandler(final Runnable value) {
        closeHandler = value;
    }

    /** The handler of the transport's close, or null. */
    Runnable closeHandler() {
        return closeHandler;
    }

    void threadFactory(final ThreadFactory value) {
        threadFactory = value;
    }

    /** The maker of the agents' threads, or null. */
    ThreadFactory threadFactory() {
        return threadFactory;
    }

    void idleStrategies(final Function<String, IdleStrategy> value) {
        idleStrategies = value;
    }

    Function<String, IdleStrategy> idleStrategies() {
        return idleStrategies;
    }
}
