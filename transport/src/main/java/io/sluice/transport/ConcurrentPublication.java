package io.sluice.transport;

import io.sluice.transport.stream.PublicationEnd;
import java.util.function.Consumer;

/**
 * A handle on a stream that any number of threads write to. Any thread may call everything. The stream is the
 * transport's, and ends when its last handle is closed.
 */
public final class ConcurrentPublication extends Publication {
    private final Consumer<ConcurrentPublication> closeAction;

    /** Creates a handle; the action is called for each {@link #close()}. */
    ConcurrentPublication(final PublicationEnd state, final Consumer<ConcurrentPublication> closeAction) {
        super(state);
        this.closeAction = closeAction;
    }

    @Override
    public void close() {
        closeAction.accept(this);
    }
}
