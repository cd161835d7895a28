package io.sluice.transport.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A counter of the application. Its value lives on the heap, with room around it, so that neither a closed transport
 * nor a reused place in the counters file is ever written to by who still counts; the conductor copies it into the
 * file. Any thread.
 */
public final class ApplicationCounter {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    /** The padding in longs on either side: two cache lines, as processors fetch them in pairs. */
    private static final int PADDING = 16;
    private static final int LENGTH = 2 * PADDING + 1;

    private final long registrationId;
    private final int typeId;
    private final byte[] key;
    private final String label;
    private final long[] value = new long[LENGTH];
    private volatile boolean closed;

    /**
     * A counter that is 0, and that nobody shows yet.
     *
     * @param registrationId that no other counter of the transport has.
     * @param typeId         of the application.
     * @param key            of the application, owned by this counter from now on.
     * @param label          its whole label.
     */
    public ApplicationCounter(final long registrationId, final int typeId, final byte[] key, final String label) {
        this.registrationId = registrationId;
        this.typeId = typeId;
        this.key = key;
        this.label = label;
    }

    /** {@return the number that no other counter of the transport has} */
    public long registrationId() {
        return registrationId;
    }

    /** {@return the type, which is the application's} */
    public int typeId() {
        return typeId;
    }

    /** {@return the key, which is not to be changed} */
    public byte[] key() {
        return key;
    }

    /** {@return the whole label} */
    public String label() {
        return label;
    }

    /** {@return the value} */
    public long get() {
        return (long) LONGS.getVolatile(value, PADDING);
    }

    /**
     * Set the value.
     *
     * @param newValue to set.
     */
    public void set(final long newValue) {
        LONGS.setVolatile(value, PADDING, newValue);
    }

    /**
     * Set the value, without waiting until all threads see it.
     *
     * @param newValue to set.
     */
    public void setRelease(final long newValue) {
        LONGS.setRelease(value, PADDING, newValue);
    }

    /**
     * Add to the value.
     *
     * @param increment to add; may be negative.
     * @return the value before.
     */
    public long getAndAdd(final long increment) {
        return (long) LONGS.getAndAdd(value, PADDING, increment);
    }

    /**
     * Add one to the value, when one thread writes it.
     *
     * @return the value before.
     */
    public long incrementRelease() {
        final long before = (long) LONGS.get(value, PADDING);
        LONGS.setRelease(value, PADDING, before + 1);
        return before;
    }

    /**
     * Set the value.
     *
     * @param newValue to set.
     * @return the value before.
     */
    public long getAndSet(final long newValue) {
        return (long) LONGS.getAndSet(value, PADDING, newValue);
    }

    /**
     * Set the value if it is still what it was.
     *
     * @param expected value.
     * @param newValue to set.
     * @return whether it was set.
     */
    public boolean compareAndSet(final long expected, final long newValue) {
        return LONGS.compareAndSet(value, PADDING, expected, newValue);
    }

    /** {@return whether the counter is shown no more} */
    public boolean isClosed() {
        return closed;
    }

    /** Show it no more; idempotent. */
    public void close() {
        closed = true;
    }
}
