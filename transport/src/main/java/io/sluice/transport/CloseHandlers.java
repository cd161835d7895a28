package io.sluice.transport;

import io.sluice.transport.agent.Closing;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.ErrorHandler;

/**
 * The application's code that is called when its transport is closed, in the order of adding. What one of them throws
 * goes to the error handler, and the others are called all the same. Under the transport's lock, but for the close.
 */
final class CloseHandlers implements AutoCloseable {
    private final Map<Long, Runnable> handlers = new LinkedHashMap<>();
    private final ErrorHandler errorHandler;
    private long nextId = 1;

    /** Makes a list that begins with one handler, unless it is null. */
    CloseHandlers(final Runnable first, final ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
        if (first != null) {
            add(first);
        }
    }

    /** {@return a number to remove it by} */
    long add(final Runnable handler) {
        handlers.put(nextId, handler);
        return nextId++;
    }

    /** {@return whether a handler had the id} */
    boolean remove(final long id) {
        return handlers.remove(id) != null;
    }

    /** {@return whether the handler was there} The first one goes, when it was added several times. */
    boolean remove(final Runnable handler) {
        return handlers.values().remove(handler);
    }

    /** Calls all: nobody adds or removes any more. */
    @Override
    public void close() {
        Closing.all(handlers.values().stream().map(handler -> (AutoCloseable) () -> call(handler)).toList());
    }

    private void call(final Runnable handler) {
        try {
            handler.run();
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        }
    }
}
