package io.sluice.transport;

import io.sluice.transport.stream.PublicationState;

/**
 * A publication with one writing thread, which makes it the fastest kind. {@code offer}, {@code tryClaim}, commit and
 * abort belong to one thread at a time; everything else may be called from any thread.
 */
public final class ExclusivePublication extends Publication {
    ExclusivePublication(final PublicationState state) {
        super(state);
    }

    @Override
    public void close() {
        state().close();
    }
}
