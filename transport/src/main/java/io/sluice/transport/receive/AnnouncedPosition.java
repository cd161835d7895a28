package io.sluice.transport.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The position up to which a publication has announced that it has come, on the way to the polling thread: however
 * often it announces that while nobody polls, one position is kept. The conductor tells, the polling thread takes.
 */
final class AnnouncedPosition {
    private static final long NONE = -1;

    private final AtomicLong furthest = new AtomicLong(NONE);

    /** {@return whether the polling thread is to be asked to take it} A position, at least 0; the furthest counts. */
    boolean tell(final long position) {
        return furthest.getAndAccumulate(position, Math::max) == NONE;
    }

    /** {@return the furthest position since the last time} Once each time that {@link #tell} says so. */
    long take() {
        return furthest.getAndSet(NONE);
    }
}
