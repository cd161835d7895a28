package io.sluice.transport.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets one application thread use memory that the conductor may want to release, for the price of two plain stores.
 * <p>
 * The application thread calls {@link #enter()} before it looks at what the conductor may change, and {@link
 * #leave()} when it is done. The conductor changes it, makes every thread pass a fence ({@code
 * Environment.fenceAllThreads}), takes a {@link #snapshot()}, and releases the old memory when {@link
 * #hasLeftSince(long)} says that the application thread has been outside: whatever it does from then on respects the
 * change.
 */
public final class EntryGuard {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(EntryGuard.class, "count", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Odd while the application thread is inside. */
    private long count;

    /**
     * A guard with nobody inside.
     */
    public EntryGuard() {
    }

    /**
     * Begin to use what is guarded. Application thread. Entries do not nest: the second one would look like the end of
     * the first, and the memory under it would be released.
     *
     * @throws IllegalStateException when the thread is inside already; nothing has changed then.
     */
    public void enter() {
        final long entered = count + 1;
        if ((entered & 1) == 0) {
            throw reentered();
        }
        COUNT.setOpaque(this, entered);
    }

    private static IllegalStateException reentered() {
        return new IllegalStateException("entered by who is inside already: a call from inside another one of the same"
            + " object, or two threads use what belongs to one: thread=" + Thread.currentThread().getName());
    }

    /** End the use of what is guarded. Application thread. */
    public void leave() {
        COUNT.setRelease(this, count + 1);
    }

    /**
     * Whether the calling application thread itself is inside.
     *
     * @return true between {@link #enter()} and {@link #leave()}.
     */
    public boolean isInside() {
        return (count & 1) != 0;
    }

    /**
     * Remember this moment. Conductor, after the fence.
     *
     * @return a value for {@link #hasLeftSince(long)}.
     */
    public long snapshot() {
        return (long) COUNT.getAcquire(this);
    }

    /**
     * Whether the application thread has been outside at some moment since the snapshot. Conductor.
     *
     * @param snapshot from {@link #snapshot()}.
     * @return true when it has.
     */
    public boolean hasLeftSince(final long snapshot) {
        return (snapshot & 1) == 0 || (long) COUNT.getAcquire(this) != snapshot;
    }
}
