package io.sluice.transport;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Room claimed in a stream, to be filled in place. Reusable; belongs to the writing thread. Its buffer is valid between
 * {@link Publication#tryClaim} and {@link #commit()} or {@link #abort()} only.
 */
public final class BufferClaim {
    private static final int NO_MEMORY = 0;

    private final UnsafeBuffer buffer = new UnsafeBuffer(NO_MEMORY, 0);
    private ExclusivePublication publication;
    private long reservedValue;

    /**
     * A claim of nothing.
     */
    public BufferClaim() {
    }

    void wrap(final ExclusivePublication newPublication, final UnsafeBuffer log, final int offset, final int length) {
        publication = newPublication;
        reservedValue = 0L;
        buffer.wrap(log, offset, length);
    }

    /**
     * Where to write the message.
     *
     * @return a buffer whose capacity is the claimed length.
     */
    public MutableDirectBuffer buffer() {
        return buffer;
    }

    /**
     * Where the message begins in {@link #buffer()}.
     *
     * @return 0: the buffer is bounded to the message.
     */
    public int offset() {
        return 0;
    }

    /**
     * The claimed length.
     *
     * @return bytes.
     */
    public int length() {
        return buffer.capacity();
    }

    /**
     * Set the value that goes beside the message.
     *
     * @param value for {@link Header#reservedValue()}.
     * @return this.
     */
    public BufferClaim reservedValue(final long value) {
        reservedValue = value;
        return this;
    }

    /**
     * Send the message.
     *
     * @throws IllegalStateException when nothing is claimed, or the publication was closed meanwhile.
     */
    public void commit() {
        release().commit(reservedValue);
    }

    /**
     * Give the room up: subscribers skip it.
     *
     * @throws IllegalStateException when nothing is claimed.
     */
    public void abort() {
        release().abort();
    }

    private ExclusivePublication release() {
        final ExclusivePublication claimed = publication;
        if (claimed == null) {
            throw new IllegalStateException("nothing is claimed: tryClaim first, and commit or abort once");
        }
        publication = null;
        buffer.wrap(NO_MEMORY, 0);
        return claimed;
    }
}
