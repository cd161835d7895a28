package io.sluice.transport;

import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.status.StatusReader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A counter of this program, which {@code ./sluice stat} and {@link StatusReader} show beside those of the transport.
 * Added by {@link Transport#addCounter(int, String)}; owned by the caller and closed with its transport, if not before.
 * Any thread, in any handler.
 *
 * <p>The value is kept in this process, and others see it as it was a tenth of a second ago at most. After the close it
 * is counted on for who still has it, and shown to nobody.
 */
public final class Counter implements AutoCloseable {
    private final ApplicationCounter counter;

    Counter(final ApplicationCounter counter) {
        this.counter = counter;
    }

    /**
     * The number of this counter among those of its transport.
     *
     * @return the number, which readers find as the group of its key.
     */
    public long registrationId() {
        return counter.registrationId();
    }

    /**
     * The type that it was added with.
     *
     * @return the type id.
     */
    public int typeId() {
        return counter.typeId();
    }

    /**
     * The key that it was added with, which a reader finds with zeros behind it. Not to be changed.
     *
     * @return the key; empty when there was none.
     */
    public DirectBuffer keyBuffer() {
        return new UnsafeBuffer(counter.key());
    }

    /**
     * The label that it was added with.
     *
     * @return the label.
     */
    public String label() {
        return counter.label();
    }

    /**
     * The value.
     *
     * @return as of now.
     */
    public long get() {
        return counter.get();
    }

    /**
     * Set the value.
     *
     * @param value that all threads see at once.
     */
    public void set(final long value) {
        counter.set(value);
    }

    /**
     * Set the value, when one thread writes it: cheaper than {@link #set(long)}.
     *
     * @param value that other threads see soon.
     */
    public void setRelease(final long value) {
        counter.setRelease(value);
    }

    /**
     * Count one more.
     *
     * @return the value before.
     */
    public long increment() {
        return counter.getAndAdd(1);
    }

    /**
     * Count one more, when one thread writes the value: cheaper than {@link #increment()}.
     *
     * @return the value before.
     */
    public long incrementRelease() {
        return counter.incrementRelease();
    }

    /**
     * Count one less.
     *
     * @return the value before.
     */
    public long decrement() {
        return counter.getAndAdd(-1);
    }

    /**
     * Add to the value.
     *
     * @param increment to add; may be negative.
     * @return the value before.
     */
    public long getAndAdd(final long increment) {
        return counter.getAndAdd(increment);
    }

    /**
     * Set the value, and take what was counted before.
     *
     * @param value that all threads see at once.
     * @return the value before.
     */
    public long getAndSet(final long value) {
        return counter.getAndSet(value);
    }

    /**
     * Set the value to another one that is greater. Many threads may propose theirs.
     *
     * @param value that may be the greatest so far.
     * @return whether it was, and has been set.
     */
    public boolean proposeMax(final long value) {
        long before = counter.get();
        while (before < value) {
            if (counter.compareAndSet(before, value)) {
                return true;
            }
            before = counter.get();
        }
        return false;
    }

    /**
     * Set the value if it is still what it was.
     *
     * @param expected value.
     * @param value    to set.
     * @return whether it was set.
     */
    public boolean compareAndSet(final long expected, final long value) {
        return counter.compareAndSet(expected, value);
    }

    /**
     * Whether the counter was closed, by itself or with its transport.
     *
     * @return true when nobody is shown it any more.
     */
    public boolean isClosed() {
        return counter.isClosed();
    }

    /** Show it no more; idempotent. Its place in the counters file is free a second later. */
    @Override
    public void close() {
        counter.close();
    }

    @Override
    public String toString() {
        return "Counter{typeId=" + typeId() + " registrationId=" + registrationId() + " label=" + label()
            + " value=" + get() + (isClosed() ? " closed" : "") + "}";
    }
}
