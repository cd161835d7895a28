package io.sluice.transport.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How far a publication says it has come, as far as the polling thread has not heard of it: however often it says so
 * while nobody polls, one position is kept. The conductor tells, the polling thread takes.
 */
final class ToldPosition {
    private static final long NONE = -1;

    private final AtomicLong told = new AtomicLong(NONE);

    /** {@return whether the polling thread is to be asked to take it} A position, at least 0; the furthest counts. */
    boolean tell(final long position) {
        return told.getAndAccumulate(position, Math::max) == NONE;
    }

    /** {@return the furthest position since the last time} Once each time that {@link #tell} says so. */
    long take() {
        return told.getAndSet(NONE);
    }
}
