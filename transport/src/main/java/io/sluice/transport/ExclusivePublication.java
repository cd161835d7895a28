package io.sluice.transport;

import io.sluice.transport.stream.PublicationEnd;

/**
 * A publication with one writing thread, which makes it the fastest kind. {@code offer}, {@code tryClaim},
 * {@code appendPadding}, commit and abort belong to one thread at a time; everything else may be called from any
 * thread.
 */
public final class ExclusivePublication extends Publication {
    ExclusivePublication(final PublicationEnd state) {
        super(state);
    }

    /**
     * Write padding, which subscribers skip: their positions move over it.
     *
     * @param length in bytes, 0 to {@link #maxMessageLength()}; the position moves as by a message of this length.
     * @return the position behind the padding, or a negative result.
     * @throws IllegalArgumentException when the length is out of range.
     * @throws IllegalStateException    when a claim is open.
     */
    public long appendPadding(final int length) {
        return pad(length);
    }

    @Override
    public void close() {
        state().close();
    }
}
